// A player's own part of a shuffle: once for each shoe, sixteen bytes drawn by this browser, or the words typed here.
import { newKey } from "./key.js";
import { refresh } from "./live.js";

const now = document.getElementById("now");
const form = document.getElementById("shuffle");
let added = "";

function drawn() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function add() {
  const open = now.querySelector("[data-shuffle]");
  if (!open || "added" in open.dataset || added === open.dataset.shuffle) return;
  added = open.dataset.shuffle;
  const field = form.elements.entropy;
  if (!field.value) field.value = drawn();
  const body = new URLSearchParams(new FormData(form));
  body.set("key", newKey());
  try {
    await fetch(form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      headers: { Accept: "text/html, application/problem+json", "X-Lammer": "now" },
    });
    field.value = "";
  } catch {
    added = "";
  }
  refresh();
}

if (now && form) {
  now.addEventListener("swapped", add);
  add();
}
