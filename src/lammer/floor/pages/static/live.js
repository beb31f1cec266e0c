// Keeps the live regions of a page current: one stream for the table, and each region fetched again when
// something happened. Typed input is never inside a live region, so nothing a person types is lost.
const region = document.querySelector("[data-stream]");
const stale = document.getElementById("stale");
const HTML = { Accept: "text/html" };

let wanted = false;
let fetching = false;

export async function refresh() {
  wanted = true;
  if (fetching) return;
  fetching = true;
  while (wanted) {
    wanted = false;
    try {
      await Promise.all([...document.querySelectorAll("[data-live]")].map(swap));
      if (stale) stale.hidden = true;
    } catch {
      if (stale) stale.hidden = false;
    }
  }
  fetching = false;
}

async function swap(part) {
  const answer = await fetch(part.dataset.live, { headers: HTML, credentials: "same-origin" });
  if (answer.redirected || answer.status === 401) return location.reload();
  if (!answer.ok) throw new Error(answer.status);
  const text = await answer.text();
  if (part.dataset.shown === text) return;
  const focus = document.activeElement && part.contains(document.activeElement) ? document.activeElement.id : "";
  part.innerHTML = text;
  part.dataset.shown = text;
  if (focus) document.getElementById(focus)?.focus();
  part.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
}

export function follow(path) {
  let source;
  const open = () => {
    source = new EventSource(path);
    source.onopen = refresh;
    source.onerror = () => {
      if (stale) stale.hidden = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 1000);
    };
    // Every event has a name of its own; the browser hands named events only to those who ask for them.
    for (const name of (region.dataset.events || "").split(" ")) if (name) source.addEventListener(name, refresh);
  };
  open();
  addEventListener("pagehide", () => source.close());
}

if (region) follow(region.dataset.stream);

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
      headers: { Accept: "application/json" },
    });
    const told = answer.ok ? null : await answer.json();
    if (spot) spot.textContent = told ? sentence(told) : "";
  } catch {
    if (stale) stale.hidden = false;
  }
  refresh();
});

export function sentence(told) {
  const cite = told.citation ? ` (${told.citation.rulebook}, ${told.citation.paragraph})` : "";
  return `${told.detail}${cite} ${told.next || ""}`;
}
