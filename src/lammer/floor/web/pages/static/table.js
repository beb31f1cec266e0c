// A player's table: bets without leaving the page, how long betting stays open, what is said aloud.
// A chip that was asked for is shown as pending until the house has acknowledged it; only then does it lie there.
import { newKey } from "./key.js";
import { refresh, show } from "./live.js";
import "./squeeze.js";

const root = document.querySelector("[data-stream]");
const now = document.getElementById("now");
const form = document.querySelector("[data-bets]");
const spot = document.getElementById("spot");
const said = document.getElementById("said");
const stale = document.getElementById("stale");
const pending = new Map();
const READ = 1500;

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
  clock.classList.toggle("soon", left < 4000);
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

let told = "";
function announce() {
  const text = now.querySelector("[data-say]")?.dataset.say || "";
  if (said && text !== told) said.textContent = told = text;
}

const shown = new Set();
function deal() {
  const round = now.querySelector("[data-round]")?.dataset.round;
  for (const card of now.querySelectorAll("[data-card]")) {
    const key = `${round} ${card.dataset.card} ${"down" in card.dataset}`;
    if (!shown.has(key)) card.classList.add("fresh-card");
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
  const chip = button.name === "bet" ? body.get("other") || body.get("stake") : "…";
  const id = button.id;
  pending.set(id, [...(pending.get(id) || []), chip]);
  mark();
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
    if (answer.ok) {
      hush();
      await show(now, answer);
    } else {
      refuse(id, await answer.json());
    }
    unmark(id);
    answered();
    refresh({ type: "BetPlaced" });
  } catch {
    // Whether it counted is not known; the page shows what is true as soon as the house answers again.
    pending.delete(id);
    if (stale) stale.hidden = false;
    unmark(id);
    answered();
    setTimeout(refresh, 1000);
  }
});

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
  if (told.citation) {
    const cite = document.createElement("span");
    cite.className = "cite";
    cite.textContent = `${told.citation.rulebook}, ${told.citation.paragraph}`;
    spot.append(cite);
  }
  refused = { id, moment: moment(), at: performance.now() };
  if (!button) return;
  describe();
  button.classList.add("refused");
  setTimeout(() => button.classList.remove("refused"), 1500);
  point(button);
}

// Put the words under what was pressed, or above it where they would lie on the chips or off the screen.
function point(button) {
  const at = button.getBoundingClientRect();
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

spot?.addEventListener("click", hush);
addEventListener("keydown", (event) => event.key === "Escape" && hush());

now?.addEventListener("swapped", () => {
  // A refusal that crossed the call on its way is still to be read.
  if (refused && performance.now() - refused.at < READ) refused.moment = moment();
  if (refused && refused.moment !== moment()) hush();
  describe();
  tick();
  mark();
  deal();
  announce();
});
if (now) {
  deal();
  announce();
  tick();
  setInterval(tick, 200);
}
