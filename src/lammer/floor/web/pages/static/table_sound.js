// Sounds of the table, made by the browser itself: a chip, a card, a win. Silent until somebody asks for them.
const button = document.getElementById("sound");
const now = document.getElementById("now");
const TONES = {
  chip: [[1900, 0, 0.03], [1400, 0.03, 0.04]],
  card: [[420, 0, 0.05]],
  won: [[660, 0, 0.12], [880, 0.12, 0.18]],
};
let context = null;

function remembered() {
  try {
    return localStorage.getItem("sound") === "on";
  } catch {
    return false;
  }
}

let on = remembered();

function show() {
  button.setAttribute("aria-checked", String(on));
}

function play(name) {
  if (!on) return;
  context ||= new AudioContext();
  for (const [pitch, after, lasts] of TONES[name]) {
    const tone = context.createOscillator();
    const loud = context.createGain();
    const start = context.currentTime + after;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.08, start);
    loud.gain.exponentialRampToValueAtTime(0.001, start + lasts);
    tone.connect(loud).connect(context.destination);
    tone.start(start);
    tone.stop(start + lasts);
  }
}

if (button && now) {
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    on = !on;
    try {
      localStorage.setItem("sound", on ? "on" : "off");
    } catch {
      // A browser that keeps nothing is asked again next time.
    }
    show();
    play("chip");
  });
  now.addEventListener("sounded", (event) => play(event.detail));
}
