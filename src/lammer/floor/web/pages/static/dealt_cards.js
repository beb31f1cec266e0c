// The card field: cards go to the table one after the other, in the order they were typed or scanned, with or
// without a space between them. A refusal stops the rest; what was typed before Insurance came on offer waits.
import { newKey } from "./key.js";
import { refresh, sentence } from "./live.js";

const form = document.querySelector("form[data-cards]");
const notice = document.getElementById("cards-wait");
const CARD = /(?:10|[A2-9TJQK])[SHDC♠♥♦♣]/gi;
const PATIENCE = 15_000;
const TOGETHER = new RegExp(`^(?:${CARD.source})+$`, "i");
const queue = [];
let waiting = [];
let sending = false;
let unsure = null;

const cardsIn = (text) =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .flatMap((word) => (TOGETHER.test(word) ? word.match(CARD) : [word]));

function letWait(cards) {
  waiting = cards;
  notice.hidden = !cards.length;
  notice.querySelector("b").textContent = cards.join(" ").toUpperCase();
}

// Deal what stands in the field or, where that is empty, what waits; false where there is neither.
export function dealTyped() {
  const field = form.elements.card;
  const cards = cardsIn(field.value);
  field.value = "";
  const due = cards.length ? cards : waiting;
  if (!due.length) return false;
  const offered = Boolean(document.querySelector(".lammer-out"));
  letWait([]);
  queue.push(...due.map((card, place) => ({ card, behind: place > 0 || !offered })));
  send();
  return true;
}

// Forget what waits; false where nothing does.
export function dropWaiting() {
  if (!waiting.length) return false;
  letWait([]);
  unsure = null;
  return true;
}

async function send() {
  if (sending) return;
  sending = true;
  while (queue.length) {
    const typed = queue.shift();
    const problem = await ask(typed);
    const waits = problem?.code === "insurance_comes_first";
    const left = [typed, ...queue].map(({ card }) => card);
    if (problem) queue.length = 0;
    if (waits) letWait(left);
    if (problem?.unanswered) putBack(left);
    const said = problem && !waits && !problem.unanswered;
    form.querySelector("[role=alert]").textContent = said ? `${typed.card}: ${sentence(problem)}` : "";
    refresh();
  }
  sending = false;
}

// The line broke: what was not dealt for certain stands in the field again, before what was typed meanwhile.
function putBack(cards) {
  const field = form.elements.card;
  field.value = [...cards, field.value].join(" ").trim();
  document.getElementById("stale").hidden = false;
}

// Null when the table took the card, else the problem. A card nobody knows the fate of keeps its key, and so does
// one that waits: sent again, it is dealt once.
async function ask({ card, behind }) {
  unsure = unsure?.card === card ? unsure : { card, key: newKey() };
  const body = new URLSearchParams(new FormData(form));
  body.set("card", card);
  body.set("key", unsure.key);
  if (behind) body.set("behind", "yes");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      signal: AbortSignal.timeout(PATIENCE),
      headers: { Accept: "application/json" },
    });
    const problem = answer.ok ? null : await answer.json();
    if (problem?.code !== "insurance_comes_first") unsure = null;
    return problem;
  } catch {
    return { unanswered: true };
  }
}
