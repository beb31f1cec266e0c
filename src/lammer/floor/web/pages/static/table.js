// A player's table: bets without leaving the page, how long betting stays open, what is said aloud.
// A chip that was asked for is shown as pending until the house has acknowledged it; only then does it lie there.
import { written } from "./amounts.js";
import { newKey } from "./key.js";
import { refresh, show } from "./live.js";
import "./saved_bets.js";
import "./shuffle.js";
import "./squeeze.js";
import "./table_keys.js";
import { fly } from "./table_motion.js";
import { sound } from "./sound.js";

const root = document.querySelector("[data-stream]");
const now = document.getElementById("now");
const form = document.querySelector("[data-bets]");
const spot = document.getElementById("spot");
const said = document.getElementById("said");
const stale = document.getElementById("stale");
const pending = new Map();
// How long a refusal whose cause is gone can still be read, and where something lies below it that waits.
const READ = 4000;
const READ_IN_HASTE = 1500;

// The house's clock as this page last heard it, carried on by a clock nobody can set.
if (now) now.dataset.offset = Number(root.dataset.moment) - performance.now();

function tick() {
  const clock = now?.querySelector("[data-closes]");
  if (!clock) return;
  const left = Number(clock.dataset.closes) - (performance.now() + Number(now.dataset.offset));
  let bar = clock.querySelector("progress");
  if (!bar) {
    bar = document.createElement("progress");
    bar.max = Number(clock.dataset.lasts);
    bar.setAttribute("aria-hidden", "true");
    clock.append(bar);
  }
  bar.value = Math.max(0, left);
  clock.querySelector("span").textContent = left > 0 ? `${Math.ceil(left / 1000)} s` : "…";
  const soon = left < 4000;
  clock.classList.toggle("soon", soon);
  if (soon && left > 0) sound("soon", moment());
}

function mark() {
  for (const [id, chips] of pending) {
    const button = document.getElementById(id);
    if (!button || !chips.length) continue;
    button.setAttribute("aria-busy", "true");
    const pile = button.querySelector(".pile");
    if (pile && !pile.querySelector(".ghost")) {
      const ghost = document.createElement("em");
      ghost.className = "ghost";
      ghost.textContent = chips.map((chip) => `+${chip}`).join(" ");
      pile.append(ghost);
    }
  }
}

function unmark(id) {
  const button = document.getElementById(id);
  button?.removeAttribute("aria-busy");
  button?.querySelector(".ghost")?.remove();
  mark();
}

// What a press puts down: the amount typed, or else the chip chosen. It stands beside the chips and on whatever
// is pressed with them, always as it is now.
const other = form?.elements.other;
const amount = document.getElementById("amount");

function chosen() {
  const typed = other.value.replaceAll(",", "").trim();
  if (!typed) return form.querySelector("[name=stake]:checked")?.labels[0].textContent.trim() || "";
  return /^\d+(\.\d{1,2})?$/.test(typed) && Number(typed) > 0 ? written(Math.round(Number(typed) * 100)) : "";
}

function weigh() {
  if (!form) return;
  const puts = chosen();
  const text = puts ? amount.dataset.words.replace("{amount}", puts) : amount.dataset.none;
  if (amount.textContent !== text) amount.textContent = text;
  for (const place of now.querySelectorAll("[data-chosen]")) {
    place.textContent = puts;
    // More than the most would only be refused.
    const most = place.closest("[data-most]");
    if (most) most.hidden = Math.round(Number(puts.replaceAll(",", "")) * 100) > Number(most.dataset.most);
  }
}

// A chip that is chosen already is chosen again by a press: there is a click, and no change.
form?.addEventListener("click", (event) => {
  if (event.target.name !== "stake") return;
  other.value = "";
  hush();
  weigh();
});
other?.addEventListener("input", () => {
  hush();
  weigh();
});

// What was won since this window came to the table; without scripts the page says it from the first round on.
function count() {
  const place = now.querySelector("[data-won]");
  if (!place) return;
  const key = `won ${root.dataset.table} ${root.dataset.reader}`;
  let before = null;
  try {
    before = sessionStorage.getItem(key);
    if (before === null) sessionStorage.setItem(key, place.dataset.won);
  } catch {
    // A browser that keeps nothing counts from the first round on.
  }
  if (before === null) before = place.dataset.won;
  const won = Number(place.dataset.won) - Number(before);
  place.querySelector("span").textContent = place.dataset.words;
  place.querySelector("b").textContent = (won > 0 ? "+" : won < 0 ? "−" : "") + written(won);
}

let told = "";
function announce() {
  const text = now.querySelector("[data-say]")?.dataset.say || "";
  if (said && text !== told) said.textContent = told = text;
}

// Who won hears it once.
function celebrate() {
  const { phase, gain, round } = now.querySelector(".status")?.dataset || {};
  if (looked && phase === "settled" && Number(gain) > 0) sound("won", round);
}

let looked = false;
const shown = new Set();
function deal() {
  const round = now.querySelector("[data-round]")?.dataset.round;
  for (const card of now.querySelectorAll("[data-card]")) {
    const key = `${round} ${card.dataset.card} ${"down" in card.dataset}`;
    if (!shown.has(key)) {
      card.classList.add(shown.has(`${round} ${card.dataset.card} true`) ? "turned-card" : "fresh-card");
      if (looked && !("down" in card.dataset)) sound("card", key);
    }
    shown.add(key);
  }
  if (shown.size > 60) for (const key of [...shown].slice(0, 40)) shown.delete(key);
}

form?.addEventListener("submit", async (event) => {
  const button = event.submitter;
  if (!button || "plain" in button.dataset) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, button));
  body.set("key", newKey());
  const chip = button.name === "bet" ? chosen() || "…" : "…";
  const id = button.id;
  const before = stakes();
  pending.set(id, [...(pending.get(id) || []), chip]);
  mark();
  if (button.name === "bet" && "stake" in button.dataset && !button.hasAttribute("aria-disabled")) {
    fly(form.querySelector(".chip:has(:checked)"), button);
  }
  now.dataset.awaiting = Number(now.dataset.awaiting || 0) + 1;
  try {
    const answer = await fetch(button.getAttribute("formaction") || form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      signal: AbortSignal.timeout(15_000),
      headers: { Accept: "text/html, application/problem+json", "X-Lammer": "now" },
    });
    pending.set(id, (pending.get(id) || []).slice(1));
    const problem = answer.ok ? null : await answer.json();
    if (problem) {
      refuse(id, problem);
    } else {
      hush();
      await show(now, answer);
      if (button.name !== "bet") travel(button, before);
    }
    unmark(id);
    answered();
    tell(id, { problem });
    refresh({ type: "BetPlaced" });
  } catch {
    // Whether it counted is not known; the page shows what is true as soon as the house answers again.
    pending.delete(id);
    if (stale) stale.hidden = false;
    unmark(id);
    answered();
    tell(id, { lost: true });
    setTimeout(refresh, 1000);
  }
});

// What became of something that was pressed, for whoever pressed it.
function tell(id, outcome) {
  form.dispatchEvent(new CustomEvent("answered", { detail: { id, ...outcome } }));
}

// The chips that one press has put on several bets travel there.
const stakes = () => new Map([...now.querySelectorAll(".area[data-stake]")].map((bet) => [bet.id, Number(bet.dataset.stake)]));

function travel(from, before) {
  for (const [id, stake] of stakes()) if (stake > (before.get(id) || 0)) fly(from, document.getElementById(id));
}

function answered() {
  const left = Number(now.dataset.awaiting || 0) - 1;
  if (left > 0) now.dataset.awaiting = left;
  else delete now.dataset.awaiting;
}

// A refusal is said beside what was pressed, with its paragraph, until the next try or the next call.
function refuse(id, told) {
  hush();
  const button = document.getElementById(id);
  const detail = document.createElement("strong");
  detail.textContent = told.detail;
  spot.append(detail, ` ${told.next || ""} `);
  if (told.citation) spot.append(citation(told.citation));
  refused = { id, moment: moment(), stood: stands(id), at: performance.now(), stays: told.stays };
  if (!button) return;
  describe();
  button.classList.add("refused");
  setTimeout(() => button.classList.remove("refused"), 1500);
  point(button);
}

// What stopped by itself says so until somebody does something.
form?.addEventListener("told", (event) => refuse(event.target.id, { detail: event.detail, stays: true }));

function citation({ rulebook, paragraph }) {
  const cite = document.createElement("span");
  cite.className = "cite";
  const link = document.createElement("a");
  link.className = "para";
  link.href = `/rules/${encodeURIComponent(rulebook)}#p-${paragraph}`;
  link.textContent = paragraph;
  cite.append(/^\d/.test(paragraph) ? link : paragraph);
  return cite;
}

// What lies where somebody was refused: once that is something else, the cause may be gone.
function stands(id) {
  return [...document.querySelectorAll(`[id="${id}"] .pile :is(b, small)`)].map((part) => part.textContent).join();
}

// Put the words under what was pressed, or above it where they would lie on the chips or off the screen; for
// what lies beside the chips, above all of them.
function point(button) {
  const pressed = button.getBoundingClientRect();
  const beside = form.contains(button) ? form.getBoundingClientRect() : pressed;
  const at = { left: pressed.left, width: pressed.width, top: beside.top, bottom: beside.bottom };
  const around = root.getBoundingClientRect();
  const { width, height } = spot.getBoundingClientRect();
  const middle = at.left + at.width / 2 - around.left;
  const left = Math.max(0, Math.min(middle - width / 2, around.width - width));
  const rack = form.getBoundingClientRect();
  const floor = at.top < rack.top ? Math.min(innerHeight, rack.top) : innerHeight;
  const above = at.bottom + height + 12 > floor && at.top - height - 12 > 0;
  spot.classList.toggle("above", above);
  spot.style.setProperty("--left", `${left}px`);
  spot.style.setProperty("--top", `${(above ? at.top - height - 10 : at.bottom + 10) - around.top}px`);
  spot.style.setProperty("--point", `${Math.max(16, Math.min(middle - left, width - 16))}px`);
}

let refused = null;
function describe() {
  document.getElementById(refused?.id)?.setAttribute("aria-describedby", "spot");
}

function moment() {
  const { phase, round } = now.querySelector("[data-phase]")?.dataset || {};
  return `${round} ${phase}`;
}

function hush() {
  document.getElementById(refused?.id)?.removeAttribute("aria-describedby");
  refused = null;
  spot?.replaceChildren();
}

// A refusal goes with its cause. One that has only just been said, or crossed the call on its way, is still to be
// read; what the player is asked meanwhile does not lie below it for long.
function letGo() {
  if (!refused || refused.stays) return;
  refused.over ||= refused.moment !== moment() || refused.stood !== stands(refused.id);
  if (!refused.over) return;
  const last = refused;
  const left = (now.querySelector(".prompt") ? READ_IN_HASTE : READ) - (performance.now() - last.at);
  clearTimeout(last.leaves);
  if (left <= 0) hush();
  else last.leaves = setTimeout(() => refused === last && hush(), left);
}

spot?.addEventListener("click", (event) => event.target.closest("a") || hush());
addEventListener("keydown", (event) => event.key === "Escape" && hush());

// A paragraph is read over the table, so that nobody leaves it to know why.
const dialog = document.getElementById("paragraph");
root?.addEventListener("click", async (event) => {
  const link = event.target.closest("a.para");
  if (!link || !dialog || dialog.contains(link) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const [, book, number] = link.getAttribute("href").match(/^\/rules\/(.+)#p-(.+)$/) || [];
  if (!number) return;
  event.preventDefault();
  try {
    const headers = { Accept: "text/html", "X-Lammer": "now" };
    const answer = await fetch(`/rules/${book}/paragraphs/${number}`, { credentials: "same-origin", headers });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    dialog.firstElementChild.innerHTML = await answer.text();
    dialog.showModal();
  } catch {
    location.assign(link.href);
  }
});
dialog?.addEventListener("click", (event) => event.target === dialog && dialog.close());

now?.addEventListener("swapped", () => {
  letGo();
  describe();
  weigh();
  count();
  tick();
  mark();
  deal();
  celebrate();
  announce();
});
// Of roads that are made larger the newest column is what somebody wants to see.
root?.addEventListener("change", (event) => {
  if (!event.target.matches(".zoom input")) return;
  const wide = root.querySelector(".roads .wide");
  if (wide) wide.scrollLeft = event.target.checked ? newest(wide) - wide.clientWidth * 0.8 : 0;
});

function newest(wide) {
  const left = wide.getBoundingClientRect().left - wide.scrollLeft;
  const marks = [...wide.querySelectorAll("svg circle, svg ellipse")];
  return Math.max(0, ...marks.map((mark) => mark.getBoundingClientRect().right - left));
}

if (now) {
  weigh();
  count();
  deal();
  looked = true;
  announce();
  tick();
  setInterval(tick, 200);
}
