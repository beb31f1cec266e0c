// The dealer's keys and the card field. A key only presses a button that is on the screen; what may be pressed
// is the table's to say. Keys are each person's own and stay in their browser.
import { refresh, sentence } from "./live.js";
import { newKey } from "./key.js";
import "./fresh.js";

const STORE = "lammer.keys";
const NAMES = { " ": "Space", Enter: "Enter", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
const setters = [...document.querySelectorAll("[data-sets]")];
const kept = read();

function read() {
  try {
    return { off: false, keys: {}, ...JSON.parse(localStorage.getItem(STORE) || "{}") };
  } catch {
    return { off: false, keys: {} };
  }
}

function keep() {
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still deals with these keys until the page is left.
  }
  show();
}

const first = Object.fromEntries(setters.map((field) => [field.dataset.sets, field.dataset.first]));
const keyOf = (action) => kept.keys[action] ?? first[action] ?? "";
const named = (key) => NAMES[key] || (key.length === 1 ? key.toUpperCase() : key);

function show() {
  document.body.classList.toggle("keys-off", kept.off);
  for (const field of setters) field.value = named(keyOf(field.dataset.sets));
  for (const label of document.querySelectorAll("[data-key-for]")) label.textContent = named(keyOf(label.dataset.keyFor));
  const box = document.getElementById("keys-on");
  if (box) box.checked = !kept.off;
}

function press(action) {
  const found = document.querySelector(`[data-action="${action}"]`);
  if (!found) return false;
  const field = found.matches("input") ? found : document.getElementById(found.dataset.focus || "");
  if (!field) found.click();
  else {
    // A form that is put away because another is wanted now comes out when its key is pressed.
    if (!field.offsetParent) document.querySelector(".desk").classList.add("both");
    field.focus();
    field.select();
  }
  return true;
}

const typing = (target) => target.matches?.("input:not([type=checkbox]), select, textarea");
// In the empty card field the keys go on working, but for those a card may begin with.
const beginsNoCard = (target, key) =>
  target.id === "card" && target.value === "" && key.length === 1 && !"A123456789TJQK".includes(key.toUpperCase());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  const target = event.target;
  if (target.matches?.("[data-sets]")) return choose(event, target);
  if (typing(target)) {
    if (event.key === "Escape") target.blur();
    if (!beginsNoCard(target, event.key)) return;
  }
  if (kept.off) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Space and Enter belong to the button, link or summary that has the focus.
  if ((pressed === " " || pressed === "Enter") && target.matches?.("button, a, summary, [type=checkbox]")) return;
  const action = Object.keys(first).find((name) => keyOf(name) === pressed);
  if (action && press(action)) event.preventDefault();
});

function choose(event, field) {
  if (["Tab", "Escape", "Shift"].includes(event.key)) return;
  event.preventDefault();
  const gone = event.key === "Delete" || event.key === "Backspace";
  const pressed = gone ? "" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = field.dataset.sets;
  // A key belongs to one action: whoever had it gives it up.
  for (const name of Object.keys(first)) if (name !== action && pressed && keyOf(name) === pressed) kept.keys[name] = "";
  kept.keys[action] = pressed;
  keep();
}

document.getElementById("keys-on")?.addEventListener("change", (event) => {
  kept.off = !event.target.checked;
  keep();
});
document.getElementById("keys-first")?.addEventListener("click", () => {
  kept.keys = {};
  keep();
});
document.getElementById("keys")?.removeAttribute("hidden");

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-focus], [data-fill]");
  const field = link && (link.dataset.fill ? fill(link) : document.getElementById(link.dataset.focus));
  if (!field) return;
  event.preventDefault();
  field.focus();
});

// A name in a list fills the form it belongs to; only the stake is left to type.
function fill(link) {
  const form = document.getElementById(link.dataset.fill);
  if (!form) return null;
  for (const [name, value] of new URL(link.href).searchParams) if (form.elements[name]) form.elements[name].value = value;
  if (!form.offsetParent) document.querySelector(".desk").classList.add("both");
  return form.elements.stake;
}

// What comes next is said once, and only when it changes. When that is a card to be read, its field has the
// focus, so that a scanner's letters are a card and not keys; a field somebody types in keeps it.
document.addEventListener("swapped", () => {
  show();
  const told = document.getElementById("told");
  const say = document.querySelector("[data-say]")?.dataset.say || "";
  if (told && told.textContent !== say) told.textContent = say;
  const card = document.querySelector('[data-action=next][data-focus="card"]') && document.getElementById("card");
  if (card && !typing(document.activeElement)) card.focus({ preventScroll: true });
  if (!document.querySelector(".lammer-out")) document.querySelector(".desk")?.classList.remove("both");
});

// Cards go to the table one after the other, in the order they were typed or scanned; a refusal stops the rest.
const cardForm = document.querySelector("form[data-cards]");
const waiting = [];
let sending = false;
let unsure = null;

cardForm?.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = cardForm.elements.card;
  const cards = field.value.split(/[\s,;]+/).filter(Boolean);
  field.value = "";
  if (cards.length) {
    waiting.push(...cards);
    send();
    return;
  }
  const next = document.querySelector("[data-action=next]");
  if (next && !next.dataset.focus) next.click();
});

async function send() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const card = waiting.shift();
    const told = await one(card);
    cardForm.querySelector("[role=alert]").textContent = told === null ? "" : `${card}: ${told}`;
    if (told !== null) waiting.length = 0;
    refresh();
  }
  sending = false;
}

// Null when the table took the card, else why not. A card nobody knows the fate of keeps its key.
async function one(card) {
  unsure = unsure?.card === card ? unsure : { card, key: newKey() };
  const body = new URLSearchParams(new FormData(cardForm));
  body.set("card", card);
  body.set("key", unsure.key);
  try {
    const answer = await fetch(cardForm.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      headers: { Accept: "application/json" },
    });
    const told = answer.ok ? null : sentence(await answer.json());
    unsure = null;
    return told;
  } catch {
    cardForm.elements.card.value = card;
    document.getElementById("stale").hidden = false;
    return "?";
  }
}

show();
