// The pay list: what is ticked, and whether it is open, stay as they are while the felt is swapped around them.
// Ticks are this tab's own, by table and line; a line that changes is a line anew.
const STORE = "lammer.ticks";
const MOST_KEPT = 400;
const table = document.querySelector("[data-table]")?.dataset.table;
const ticked = new Set(read());
let folded = null;

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) || "[]");
  } catch {
    return [];
  }
}

const list = () => document.getElementById("pay-list");
const nameOf = (box) => `${table} ${box.dataset.tick}`;

// The first line of the round on the table that is not ticked; none once the next round was opened.
export function nextLine() {
  return list()?.dataset.state.endsWith(".now") ? list().querySelector(".tick:not(:checked)") : null;
}

// Tick it; false where there is nothing left to tick.
export function tickNextLine() {
  const box = nextLine();
  if (!box) return false;
  list().open = true;
  box.click();
  box.scrollIntoView({ block: "nearest" });
  return true;
}

// After a swap: ticks as they were, and open or folded as its reader left it.
export function restorePayList() {
  for (const box of document.querySelectorAll(".tick")) box.checked = ticked.has(nameOf(box));
  if (folded && folded.state === list()?.dataset.state) list().open = folded.open;
}

document.addEventListener("change", (event) => {
  if (!event.target.matches?.(".tick")) return;
  const name = nameOf(event.target);
  ticked.delete(name);
  if (event.target.checked) ticked.add(name);
  try {
    sessionStorage.setItem(STORE, JSON.stringify([...ticked].slice(-MOST_KEPT)));
  } catch {
    // A browser that keeps nothing still shows the ticks until the page is left.
  }
});

document.addEventListener("click", (event) => {
  const summary = event.target.closest?.("#pay-list > summary");
  if (!summary) return;
  folded = { state: list().dataset.state, open: !list().open };
  if (folded.open) setTimeout(() => list().scrollIntoView({ block: "nearest" }));
});
