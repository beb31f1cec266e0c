// Sounds of a player's table, made here and not fetched: betting closes soon, a card is turned, a round is won.
// Off until somebody asks for them, and remembered. The page says in words and pictures all that they say.
import { keep, recall } from "./browser_keeps.js";

const KEY = "lammer sound";
const LOUDNESS = 0.12;
// Each tone: hertz, when it begins and how long it lasts in seconds.
const TONES = {
  soon: [[880, 0, 0.07], [880, 0.16, 0.07]],
  card: [[210, 0, 0.05]],
  won: [[523, 0, 0.12], [659, 0.12, 0.12], [784, 0.24, 0.22]],
};

const place = document.getElementById("sound");
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
function wake() {
  if (!isOn()) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
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
  place.addEventListener("click", () => {
    turn(!isOn());
    wake();
  });
  for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, wake);
}
