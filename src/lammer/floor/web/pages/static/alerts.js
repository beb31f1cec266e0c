// Sounds when something new needs a person of the pit, and again while a call to the pit waits for an answer.
import { sound } from "./sound.js";

const AGAIN = 30_000;

const shown = () => new Map([...document.querySelectorAll("[data-alert]")].map((it) => [it.dataset.alert, it.dataset.tone || "alert"]));

let known = shown();
let rang = performance.now();

document.addEventListener("swapped", () => {
  const now = shown();
  const tones = [...now].filter(([alert]) => !known.has(alert)).map(([, tone]) => tone);
  const calls = [...now.values()].includes("call");
  known = now;
  if (calls && performance.now() - rang > AGAIN) tones.push("call");
  if (!tones.length) return;
  rang = performance.now();
  sound(tones.includes("call") ? "call" : "alert", rang);
});
