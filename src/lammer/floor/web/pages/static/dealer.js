// The dealer's keys and the card field. A key only presses a button that is on the screen; what may be pressed
// is the table's to say. Keys are each person's own and stay in their browser.
import { dealTyped, dropWaiting } from "./dealt_cards.js";
import "./live.js";
import { nextLine, restorePayList, tickNextLine } from "./pay_list.js";
import "./fresh.js";
import "./pit_call.js";

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
  showNextKey();
}

// While the pay list has lines to tick the key of the next step ticks them; the step itself has its own key.
function showNextKey() {
  const next = document.getElementById("next");
  const label = next?.querySelector("kbd");
  if (label) label.textContent = named(keyOf(nextLine() ? next.dataset.step : "next"));
}

// The step whose key was pressed last, until what came of it is shown: a key that comes before that was pressed
// on a screen that is gone.
let asked = null;
const versionOf = (part) => Number(document.querySelector(`[data-live$="/${part}"]`)?.dataset.version || 0);
// A felt that is older than the step beside it may lack the pay list that comes first.
const isFeltOld = () => versionOf("felt") < versionOf("now");

function press(action) {
  if (action === "next" && (isFeltOld() || tickNextLine())) return true;
  const found = document.querySelector(`[data-action="${action}"]`);
  if (!found) return false;
  const field = found.matches("input") ? found : document.getElementById(found.dataset.focus || "");
  if (!field) {
    const isStep = found.matches("[data-live] form button");
    if (isStep && asked?.isConnected && found !== asked) return true;
    if (isStep) asked = found;
    found.click();
  } else {
    if (action === "slip") field.value ||= lastCard();
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
  const target = event.target;
  // A key that is held down presses once; left to the browser it would click the button or send the form again.
  if (event.repeat && event.key === "Enter" && target.matches?.("#next, #card")) event.preventDefault();
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (target.matches?.("[data-sets]")) return choose(event, target);
  if (typing(target)) {
    if (event.key === "Escape") target.blur();
    if (event.key === "Enter" && target.name === "buy_in") {
      // What a new player buys in for answers the question: Enter adds them, and does not ask it again.
      event.preventDefault();
      return target.form.querySelector(".add-new:not([hidden])")?.click();
    }
    if (event.key === "Backspace" && target.id === "card" && target.value === "" && !kept.off) {
      event.preventDefault();
      if (!dropWaiting()) press("slip");
      return;
    }
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
  if (form.elements.player && form.elements.box) form.elements.player.dataset.forBox = form.elements.box.value;
  if (!form.offsetParent) document.querySelector(".desk").classList.add("both");
  return form.elements.stake;
}

// The field for a mistyped card shows the card it would put right.
const lastCard = () => document.querySelector(".last-card")?.dataset.card || "";
function tellLastCard() {
  const slip = document.getElementById("slip");
  if (slip) slip.placeholder = lastCard();
}

// Insurance is filled in for the hand that is on offer; a form somebody has begun stays as it is.
let offered = "";
function offerHand() {
  const hand = document.querySelector(".lammer-out")?.dataset.hand || "";
  const form = document.getElementById("insure-form");
  if (hand && hand !== offered && form && !form.elements.stake.value) form.elements.hand.value = hand;
  offered = hand;
}

// The second click of two belongs to what the first one pressed, not to what came in its place; and a key on the
// button, which has the focus, is a key like any other. A click by key counts nought.
document.addEventListener(
  "click",
  (event) => {
    if (!event.isTrusted || event.detail === 1 || !event.target.closest?.("#next")) return;
    const byKey = event.detail === 0;
    if (!nextLine() && !(byKey && isFeltOld())) return;
    event.preventDefault();
    if (byKey && !isFeltOld()) tickNextLine();
  },
  true,
);
document.addEventListener("change", ({ target }) => {
  if (!target.matches?.(".tick")) return;
  showNextKey();
  // A line ticked by mouse gives the keys back: Space then ticks the next one, and does not take this one back.
  if (!target.matches(":focus-visible")) target.blur();
});

// What comes next is said once, and only when it changes. When that is a card to be read, its field has the
// focus, so that a scanner's letters are a card and not keys; a field somebody types in keeps it.
document.addEventListener("swapped", () => {
  restorePayList();
  closeFields();
  show();
  tellTime();
  offerHand();
  tellLastCard();
  const told = document.getElementById("told");
  const say = document.querySelector("[data-say]")?.dataset.say || "";
  if (told && told.textContent !== say) told.textContent = say;
  const card = document.querySelector('[data-action=next][data-focus="card"]') && document.getElementById("card");
  if (card && !typing(document.activeElement)) card.focus({ preventScroll: true });
  if (!document.querySelector(".lammer-out")) document.querySelector(".desk")?.classList.remove("both");
  if (!document.querySelector(".badge:is(.dealing, .insurance)")) dropWaiting();
});

document.querySelector("form[data-cards]")?.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!dealTyped()) press("next");
});

// A box says who the bet is for; a name is only needed for somebody who stands behind them.
document.addEventListener("input", (event) => {
  const form = event.target.closest?.(".asked form");
  if (!form) return;
  if (event.target.name === "buy_in") return;
  for (const asks of form.querySelectorAll(".add-new, .back-bet")) asks.setAttribute("hidden", "");
  const name = form.elements.player;
  if (event.target.name !== "box" || !name?.dataset.ofBox) return;
  const option = document.querySelector(`#people [data-box="${CSS.escape(event.target.value || "none")}"]`);
  name.placeholder = option?.value || name.dataset.ofBox;
  // A name belongs to the box it was typed for: another box brings the name of whoever sits there.
  if (name.value && !name.dataset.forBox) return;
  name.value = option?.value || "";
  name.dataset.forBox = event.target.value;
});
document.addEventListener("change", ({ target }) => {
  const form = target.closest?.(".asked form");
  if (form?.elements.player && form.elements.box && ["player", "box"].includes(target.name)) {
    form.elements.player.dataset.forBox = form.elements.box.value;
  }
});

// In the list of bets P, B and T are Player, Banker and Tie, whatever else begins like them; a longer word finds
// any bet, and letters that find none begin a new word.
const MAIN_BETS = { p: "player", b: "banker", t: "tie" };
let word = "";
let wordAt = 0;
document.addEventListener("keydown", (event) => {
  const list = event.target;
  if (!list.matches?.(".bet-form [name=bet]") || event.ctrlKey || event.altKey || event.metaKey) return;
  if (performance.now() - wordAt > 1000) word = "";
  if (event.key.length !== 1 || (event.key === " " && !word)) return;
  event.preventDefault();
  const find = (letters) =>
    [...list.options].find((option) => option.value === MAIN_BETS[letters]) ||
    [...list.options].find((option) => option.text.toLowerCase().startsWith(letters));
  const pressed = event.key.toLowerCase();
  word = find(word + pressed) ? word + pressed : pressed;
  wordAt = performance.now();
  const found = find(word);
  if (found) list.value = found.value;
});

// What was placed is said: the box, the name, the bet and the stake that were sent.
let placing = "";
document.addEventListener(
  "submit",
  ({ target: form, submitter }) => {
    if (form.id !== "bet-form") return;
    const { box, player, bet, stake } = form.elements;
    const isBet = [submitter?.value, submitter ? "" : "place_bet"].includes("place_bet");
    const said = { box: box.value, player: player.value || player.placeholder, bet: bet.selectedOptions[0]?.text, stake: stake.value };
    const words = form.querySelector(".placed").dataset.says;
    placing = isBet ? words.replace(/\{(\w+)\}/g, (_, name) => said[name]) : "";
  },
  true,
);
document.addEventListener("answered", ({ target: form, detail }) => {
  if (form.id === "bet-form") form.querySelector(".placed").textContent = detail ? "" : placing;
});

// A name nobody has is asked about: the button that adds them sends what was sent before.
document.addEventListener(
  "submit",
  (event) => {
    event.target.dataset.sent = event.submitter?.value || "";
  },
  true,
);
document.addEventListener("unanswered", () => {
  asked = null;
});
document.addEventListener("answered", (event) => {
  const form = event.target;
  if (event.detail) asked = null;
  if (form.id === "slip-form" && !event.detail) document.getElementById("card").focus();
  const add = form.querySelector(".add-new");
  const back = form.querySelector(".back-bet");
  if (!add) return;
  add.hidden = event.detail?.code !== "unknown_player";
  back.hidden = event.detail?.code !== "back_bet_meant";
  if (add.hidden && form.elements.buy_in) form.elements.buy_in.value = "";
  if (add.hidden && back.hidden) return;
  add.value = back.value = form.dataset.sent;
  // The next key mends the name; a new player, or a bet on another's box, is made by a press that is meant.
  form.elements.player.focus();
  form.elements.player.select();
});

// How long betting has been open, or stays so, and how long ago the pit was called, by the house's clock as this page last heard it.
const region = document.querySelector('[data-live$="/now"]');

function tellTime() {
  if (!region?.dataset.offset) return;
  const moment = performance.now() + Number(region.dataset.offset);
  for (const clock of region.querySelectorAll("[data-since], [data-until]")) {
    const span = clock.dataset.since ? moment - Number(clock.dataset.since) : Number(clock.dataset.until) - moment;
    const seconds = Math.max(0, Math.floor(span / 1000));
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

// At a table the pit has closed nothing is dealt and nobody bets: the fields say so.
function closeFields() {
  const isClosed = Boolean(document.querySelector(".closed-by-pit"));
  for (const form of document.querySelectorAll("#card-form, #slip-form, .asked form")) {
    for (const field of form.querySelectorAll("input:not([type=hidden]), select, button")) field.disabled = isClosed;
  }
}

setInterval(tellTime, 250);
closeFields();
document.body.classList.add("has-script");
restorePayList();
tellLastCard();
show();
