// Keeps the live regions of a page current: one stream for the table, and each region fetched again when
// something happened. Typed input is never inside a live region, so nothing a person types is lost.
const region = document.querySelector("[data-stream]");
const stale = document.getElementById("stale");
const HTML = { Accept: "text/html" };
const PATIENCE = 8000;
const FORM_PATIENCE = 15_000;

let wanted = false;
let fetching = false;
let latest = 0;
const heard = new Set();

// Fetch the live regions again. A region with data-when waits for one of those events, one with data-rest
// takes so many milliseconds; without a name, as when the stream opens anew, all of them are fetched.
export async function refresh(event) {
  heard.add(event && event.type in seen ? event.type : "");
  latest = Math.max(latest, Number(event?.lastEventId || 0));
  wanted = true;
  if (fetching) return;
  fetching = true;
  while (wanted) {
    wanted = false;
    const names = [...heard];
    heard.clear();
    await fetchRegions([...document.querySelectorAll("[data-live]")].filter((part) => concerns(part, names)));
  }
  fetching = false;
}

// Regions change together: a key pressed on what one of them says finds the buttons of another that fit it.
async function fetchRegions(parts) {
  try {
    for (const showRegion of await Promise.all(parts.map(fetchRegion))) showRegion();
    markStale(false);
  } catch {
    markStale(true);
  }
}

// The page says so while what it shows may be old.
function markStale(isStale) {
  if (stale) stale.hidden = !isStale;
}

const seen = Object.fromEntries((region?.dataset.events || "").split(" ").map((name) => [name, true]));

function concerns(part, names) {
  if (names.includes("")) return true;
  const when = part.dataset.when ? part.dataset.when.split(" ") : null;
  if (when && !names.some((name) => when.includes(name))) return false;
  // What an answer to a form has shown already, or is about to show, need not be asked for.
  if (part.dataset.awaiting || (latest && Number(part.dataset.version || 0) >= latest)) return false;
  if (!part.dataset.rest) return true;
  if (!part.dataset.later) {
    part.dataset.later = "yes";
    setTimeout(() => {
      delete part.dataset.later;
      fetchRegions([part]);
    }, Number(part.dataset.rest));
  }
  return false;
}

// Ask for a region; what comes back shows it.
async function fetchRegion(part) {
  // A line that died without a word must not look like a quiet table.
  const signal = AbortSignal.timeout(PATIENCE);
  const answer = await fetch(part.dataset.live, { headers: HTML, credentials: "same-origin", signal });
  if (answer.redirected || answer.status === 401) {
    location.reload();
    return () => {};
  }
  if (!answer.ok) throw new Error(answer.status);
  return read(part, answer);
}

// Read what a region was answered with; the house's clock comes with it, as the page's own clock sees it.
async function read(part, answer) {
  const moment = Number(answer.headers.get("X-Now") || 0);
  if (moment) part.dataset.offset = moment - performance.now();
  const text = await answer.text();
  return () => put(part, text, Number(answer.headers.get("X-Version") || 0));
}

// Show at once what a form's answer says of a region.
export async function show(part, answer) {
  (await read(part, answer))();
}

// Show a region's new text; one that is older than what is shown already, or one a hand is on, stays out.
export function put(part, text, version = 0) {
  if (version && version < Number(part.dataset.version || 0)) return;
  if (part === pressed) {
    if (!kept || !version || version >= kept[2]) kept = [part, text, version];
    return;
  }
  if (version) part.dataset.version = version;
  if (part.dataset.shown === text || part.dataset.held) return;
  const again = focused(part);
  part.innerHTML = text;
  part.dataset.shown = text;
  again()?.focus({ preventScroll: true });
  part.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}

// A press that a swap cuts in two is no click, and the bet would be lost: what comes meanwhile is shown when the
// finger is lifted, or a second later where nobody hears of that.
let pressed = null;
let kept = null;
let giveUp = 0;

function lift() {
  clearTimeout(giveUp);
  const [part, text, version] = kept || [];
  pressed = kept = null;
  if (part) put(part, text, version);
}

document.addEventListener("pointerdown", (event) => {
  lift();
  pressed = event.target.closest("[data-live]");
  giveUp = setTimeout(lift, 1000);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(lift));

// Finds what has the focus in a region once that was swapped: by its id, or as the same link in the same order.
function focused(part) {
  const it = document.activeElement;
  if (!it || !part.contains(it)) return () => null;
  if (it.id) return () => document.getElementById(it.id);
  const to = it.getAttribute("href");
  const alike = () => [...part.querySelectorAll(it.localName)].filter((each) => each.getAttribute("href") === to);
  const place = alike().indexOf(it);
  return () => alike()[place];
}

export function follow(path) {
  let source;
  const open = () => {
    source = new EventSource(path);
    source.onopen = refresh;
    source.onerror = () => {
      markStale(true);
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1000);
    };
    // Every event has a name of its own; the browser hands named events only to those who ask for them.
    for (const name of (region.dataset.events || "").split(" ")) if (name) source.addEventListener(name, refresh);
    // Gaming is stopped, or goes on: that is no event of the table, and every region may say something else.
    source.addEventListener("GamingStopped", refresh);
  };
  open();
  addEventListener("pagehide", () => source.close());
}

if (region) follow(region.dataset.stream);

// What no stream speaks of is asked for again while somebody looks: data-every says after how many seconds, and
// data-while for how long, as what the region has to hold.
async function again(part) {
  const over = part.dataset.while && !part.querySelector(part.dataset.while);
  if (document.visibilityState === "visible" && !over) await fetchRegions([part]);
  setTimeout(again, Number(part.dataset.every) * 1000, part);
}

for (const part of document.querySelectorAll("[data-every]")) {
  setTimeout(again, Number(part.dataset.every) * 1000, part);
}
// A screen that was asleep, or a line that was gone, says at once how things stand.
addEventListener("online", () => refresh());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());

// A form that says data-quiet is sent without leaving the page; its answer, if it is a problem, is said at the spot.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-quiet]")) return;
  event.preventDefault();
  const spot = form.querySelector("[role=alert]") || document.getElementById("spot");
  const body = new URLSearchParams(new FormData(form, event.submitter));
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      signal: AbortSignal.timeout(FORM_PATIENCE),
      headers: { Accept: "application/json" },
    });
    const said = await answer.json().catch(() => ({}));
    const problem = answer.ok ? null : said;
    // What two people decide waits for the second: it was asked for, and nothing is done yet.
    form.dataset.waits = said.waiting || "";
    if (spot) spot.textContent = problem ? sentence(problem) : "";
    form.dispatchEvent(new CustomEvent("answered", { bubbles: true, detail: problem }));
  } catch {
    markStale(true);
    form.dispatchEvent(new CustomEvent("unanswered", { bubbles: true }));
  }
  refresh();
});

export function sentence(problem) {
  const cite = problem.citation ? ` (${problem.citation.paragraph})` : "";
  return `${problem.detail}${cite} ${problem.next || ""}`;
}
