// Bets somebody keeps under a name and puts down with one press, and the bets of the round before, every round.
// Both are kept by this browser alone and act only while this page is open: nobody bets who is not there.
import { written } from "./amounts.js";
import { keep, recall } from "./browser_keeps.js";
import { newKey } from "./key.js";

const MOST = 6;
const root = document.querySelector("[data-stream]");
const now = document.getElementById("now");
const form = document.querySelector("[data-bets]");
const strip = document.getElementById("saved-bets");
const dialog = document.getElementById("saved-dialog");
const list = document.getElementById("saved-list");
const saving = document.getElementById("save-form");
const what = document.getElementById("save-what");
const every = document.getElementById("every");
const KEPT = `lammer bets ${root?.dataset.reader}`;
const RUNNING = `lammer every ${root?.dataset.reader} ${root?.dataset.table}`;

// ---- Saved bets

function sets() {
  try {
    const found = JSON.parse(recall(KEPT) || "[]");
    return found.filter(({ id, name, bets }) => id && name && bets.every(({ bet, cents }) => bet && cents > 0));
  } catch {
    return [];
  }
}

const area = (bet) => document.getElementById(`bet-${bet}`);
const titleOf = ({ bet, title }) => area(bet)?.querySelector(".name").textContent.trim().replace(/^\S\s+/, "") || title;
const inWords = (bets) => bets.map((saved) => `${titleOf(saved)} ${written(saved.cents)}`).join(", ");

// What lies in the box that is shown.
function lying() {
  return [...now.querySelectorAll(".area[data-stake]")]
    .map((button) => ({
      bet: button.value,
      title: button.querySelector(".name > span").textContent.trim(),
      cents: Number(button.dataset.stake),
    }))
    .filter(({ cents }) => cents > 0);
}

// The buttons are drawn anew only when they are others: a finger may be on one.
let drawn = "";
function draw() {
  const here = sets().filter(({ bets }) => bets.every(({ bet }) => area(bet)));
  const text = JSON.stringify([here, Boolean(now.querySelector(".area"))]);
  if (text === drawn) return;
  drawn = text;
  const keys = strip.dataset.keys.split(" ");
  strip.replaceChildren(
    ...here.map(({ id, name, bets }, place) => {
      const button = document.createElement("button");
      button.id = `saved-${id}`;
      button.name = "saved";
      button.value = bets.map(({ bet, cents }) => `${bet}:${(cents / 100).toFixed(2)}`).join(" ");
      button.setAttribute("formaction", strip.dataset.address);
      button.title = inWords(bets);
      if (keys[place]) {
        button.setAttribute("aria-keyshortcuts", keys[place]);
        const key = document.createElement("kbd");
        key.textContent = keys[place];
        button.append(key, " ");
      }
      const total = document.createElement("b");
      total.textContent = written(bets.reduce((sum, { cents }) => sum + cents, 0));
      button.append(name, " ", total);
      return button;
    }),
  );
}

// The bets that lay there when the box was opened: what it shows is what it saves, though the round go on meanwhile.
let offered = [];

function listSets() {
  const kept = sets();
  list.replaceChildren(
    ...kept.map((set) => {
      const line = document.createElement("li");
      const name = document.createElement("b");
      name.textContent = set.name;
      const inside = document.createElement("span");
      const elsewhere = set.bets.some(({ bet }) => !area(bet)) ? ` (${list.dataset.elsewhere})` : "";
      inside.textContent = inWords(set.bets) + elsewhere;
      const forget = document.createElement("button");
      forget.type = "button";
      forget.textContent = list.dataset.forget;
      forget.setAttribute("aria-label", `${list.dataset.forget}: ${set.name}`);
      forget.addEventListener("click", () => {
        keep(KEPT, JSON.stringify(sets().filter(({ id }) => id !== set.id)));
        listSets();
        draw();
        dialog.querySelector("form:last-of-type button").focus();
      });
      line.append(name, " ", inside, " ", forget);
      return line;
    }),
  );
  const full = kept.length >= MOST;
  what.textContent = full ? what.dataset.full.replace("{most}", MOST) : inWords(offered) || what.dataset.none;
  for (const part of saving.elements) part.disabled = full || !offered.length;
}

function startSaving() {
  offered = lying();
  listSets();
  dialog.showModal();
  if (!saving.elements.name.disabled) saving.elements.name.focus();
}

// What cannot be saved leaves the box open, and it says why.
saving?.addEventListener("submit", (event) => {
  const name = saving.elements.name.value.trim();
  const id = newKey().slice(0, 8);
  if (name) keep(KEPT, JSON.stringify([...sets(), { id, name, bets: offered }]));
  if (!sets().some((kept) => kept.id === id)) {
    event.preventDefault();
    what.textContent = `${inWords(offered)}. ${name ? what.dataset.unkept : what.dataset.unnamed}`;
    return;
  }
  saving.reset();
  draw();
});

// ---- The same again, every round

let running = null;

function turn(on) {
  every.setAttribute("aria-checked", String(on));
  const word = every.querySelector("b");
  word.textContent = on ? word.dataset.on : word.dataset.off;
  keep(RUNNING, on ? "on" : null, () => sessionStorage);
}

const status = () => now.querySelector(".status").dataset;

function start() {
  const { seat, corrected, round, phase } = status();
  const has = lying().length > 0 || phase !== "betting";
  running = { seat, corrected, done: has ? round : "", asked: false };
  turn(true);
  follow();
}

// Stop, and say why beside the switch; it stays said until somebody does something.
function stop(why) {
  running = null;
  turn(false);
  if (!why) return;
  const text = every.dataset.stopped.replace("{why}", why);
  every.dispatchEvent(new CustomEvent("told", { bubbles: true, detail: text }));
}

function follow() {
  if (!running || !now.querySelector(".status")) return;
  const { seat, corrected, round, phase } = status();
  if (seat !== running.seat) return stop(every.dataset.left);
  if (Number(corrected) > Number(running.corrected)) return stop(every.dataset.corrected);
  if (phase === "void" || phase === "concluded") return stop(every.dataset.void);
  if (phase !== "betting" || round === running.done || running.asked) return;
  running.done = round;
  running.asked = true;
  form.requestSubmit(document.getElementById("rebet"));
}

// What became of what was pressed: of the bets made again, a refusal ends it, and so does an answer that is lost.
form?.addEventListener("answered", ({ detail: { id, problem, lost } }) => {
  if (id !== "rebet" || !running?.asked) return;
  running.asked = false;
  if (lost) stop(every.dataset.unanswered);
  else if (problem) stop([problem.detail, problem.next].filter(Boolean).join(" "));
});

if (form && every && strip && dialog) {
  draw();
  now.addEventListener("swapped", () => {
    draw();
    follow();
  });
  document.getElementById("save-bets").addEventListener("click", startSaving);
  every.addEventListener("click", () => (running ? stop("") : start()));
  // A page that was left and comes back bets no more until somebody says so again.
  const left = () => recall(RUNNING, () => sessionStorage) && stop(every.dataset.left);
  addEventListener("pageshow", left);
}
