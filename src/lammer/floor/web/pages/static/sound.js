// The sounds of every page, made here and not fetched. Off until somebody asks for them by a switch, an element
// that says data-sound, and remembered. The page says in words and pictures all that they say.
import { keep, recall } from "./browser_keeps.js";

const KEY = "lammer sound";
const LOUDNESS = 0.12;
// Each tone: hertz, when it begins and how long it lasts in seconds.
const TONES = {
  // At a player's table: betting closes soon, a card is turned, a round is won.
  soon: [[880, 0, 0.07], [880, 0.16, 0.07]],
  card: [[210, 0, 0.05]],
  won: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.22]],
  // On the wall of the pit: something needs a person, the pit is called.
  alert: [[660, 0, 0.14], [880, 0.18, 0.2]],
  call: [[880, 0, 0.14], [880, 0.2, 0.14], [1175, 0.4, 0.3]],
};

const place = document.querySelector("[data-sound]");
let context = null;
let played = "";

const isOn = () => place?.getAttribute("aria-checked") === "true";

function turn(on) {
  place.setAttribute("aria-checked", String(on));
  const word = place.querySelector("b");
  word.textContent = on ? word.dataset.on : word.dataset.off;
  keep(KEY, on ? "on" : null);
}

// A browser lets a page make sounds once somebody has touched it.
async function wake() {
  if (!isOn()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
}

// Play a sound, once for each moment that is named: a page that is drawn anew does not say it again.
export function sound(name, moment) {
  if (!isOn() || !context || context.state !== "running" || played === `${name} ${moment}`) return;
  played = `${name} ${moment}`;
  for (const [hertz, begins, lasts] of TONES[name]) {
    const at = context.currentTime + begins;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz });
    const loudness = new GainNode(context, { gain: 0 });
    loudness.gain.setValueAtTime(0, at);
    loudness.gain.linearRampToValueAtTime(LOUDNESS, at + 0.01);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
    tone.connect(loudness).connect(context.destination);
    tone.start(at);
    tone.stop(at + lasts);
  }
}

if (place) {
  turn(recall(KEY) === "on");
  place.addEventListener("click", async () => {
    turn(!isOn());
    await wake();
    // Where a page says which, whoever turns sound on hears what they will be called by.
    if (place.dataset.sound) sound(place.dataset.sound, performance.now());
  });
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake);
}
