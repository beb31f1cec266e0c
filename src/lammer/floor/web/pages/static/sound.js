// Short tones, made in the browser and fetched from nowhere. Sound is off until somebody asks for it with a switch,
// any element that says data-sound; what they chose is kept in their browser.
const STORE = "lammer.sound";

// Each tone as notes: pitch in hertz, when it begins and how long it lasts in seconds.
const TONES = {
  alert: [[660, 0, 0.14], [880, 0.18, 0.2]],
  call: [[880, 0, 0.14], [880, 0.2, 0.14], [1175, 0.4, 0.3]],
};
const LOUD = 0.18;

let context = null;
let on = read();

function read() {
  try {
    return localStorage.getItem(STORE) === "on";
  } catch {
    return false;
  }
}

export const isOn = () => on;

export function turn(to) {
  on = to;
  try {
    localStorage.setItem(STORE, on ? "on" : "off");
  } catch {
    // A browser that keeps nothing sounds until the page is left.
  }
  if (on) wake();
  show();
}

// A browser lets a page sound once somebody has pressed something on it.
function wake() {
  context ||= new AudioContext();
  if (context.state === "suspended") context.resume();
}

// Play a tone by its name, if somebody wants sound; "sounded" tells of it.
export function play(name) {
  if (!on) return;
  wake();
  for (const [pitch, after, lasts] of TONES[name]) note(pitch, context.currentTime + after, lasts);
  document.dispatchEvent(new CustomEvent("sounded", { detail: name }));
}

function note(pitch, at, lasts) {
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUD, at + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.001, at + lasts);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + lasts);
}

function show() {
  for (const button of document.querySelectorAll("[data-sound]")) {
    button.hidden = false;
    button.setAttribute("aria-checked", String(on));
  }
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-sound]")) return;
  turn(!on);
  if (on) play("alert");
});
for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, () => on && wake(), { once: true });
show();
