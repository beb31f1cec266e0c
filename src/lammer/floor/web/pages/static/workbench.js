// The workbench without leaving the page: line numbers, problems beside their lines, figures as one types,
// and drafts that are saved in this browser alone.
const form = document.getElementById("bench");
const text = document.getElementById("text");
const lines = document.getElementById("lines");
const stale = document.getElementById("stale");
const drafts = document.getElementById("drafts");
const failed = document.getElementById("failed");
const WAIT = 350;
const DRAFTS = "lammer-workbench";
const UNSAVED = "lammer-workbench-unsaved";
let timer;
let asked = 0;

function number() {
  const wrong = new Set([...document.querySelectorAll(".faults [data-line]")].map((each) => Number(each.dataset.line)));
  lines.replaceChildren(
    ...text.value.split("\n").map((_, place) => {
      const line = document.createElement("span");
      line.textContent = `${place + 1}\n`;
      line.className = wrong.has(place + 1) ? "wrong" : "";
      return line;
    }),
  );
  lines.scrollTop = text.scrollTop;
}

async function work() {
  const mine = ++asked;
  const figures = document.getElementById("figures");
  figures.setAttribute("aria-busy", "true");
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch("/workbench", {
      method: "POST", body, headers: { Accept: "text/html" }, signal: AbortSignal.timeout(15_000),
    });
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked) return;
    const fresh = made.getElementById("figures");
    const problem = made.querySelector(".problem");
    stale.hidden = true;
    if (problem || !fresh || !answer.ok) {
      fail(problem ? problem.textContent.trim().replace(/\s+/g, " ") : failed.dataset.silent);
    } else {
      failed.textContent = "";
      figures.replaceWith(fresh);
      document.getElementById("summary").replaceChildren(...made.getElementById("summary").childNodes);
      offer(made);
    }
    number();
  } catch {
    if (mine === asked) fail(failed.dataset.silent);
  }
  if (mine === asked) document.getElementById("figures").removeAttribute("aria-busy");
}

// Beside the text, and the figures that are still there are marked as of another one.
function fail(why) {
  const figures = document.getElementById("figures");
  document.getElementById("summary").replaceChildren();
  figures.classList.add("old");
  failed.textContent = figures.textContent.trim() ? `${why} ${failed.dataset.old}` : why;
}

// What is typed outlives a reload and another language, in this tab alone.
function keep() {
  try { sessionStorage.setItem(UNSAVED + location.search, text.value); } catch { /* The browser keeps nothing. */ }
}

function restore() {
  if ("sent" in form.dataset) {
    history.replaceState(null, "", "/workbench");
    keep();
    return;
  }
  let unsaved = null;
  try { unsaved = sessionStorage.getItem(UNSAVED + location.search); } catch { /* The browser keeps nothing. */ }
  if (unsaved === null || unsaved === text.value) return;
  text.value = unsaved;
  work();
}

// The lines whose odds can be asked for are those of the text as it is now; the chosen one stays.
function offer(made) {
  const chosen = form.elements.of.value;
  const fresh = made.querySelector("select[name=of]");
  if (!fresh.options.length || document.activeElement === form.elements.of) return;
  form.elements.of.replaceChildren(...fresh.children);
  if ([...form.elements.of.options].some((each) => each.value === chosen)) form.elements.of.value = chosen;
}

function kept() {
  try { return JSON.parse(localStorage.getItem(DRAFTS)) || {}; } catch { return {}; }
}

function list() {
  const [none] = drafts.options;
  drafts.replaceChildren(none, ...Object.keys(kept()).sort().map((name) => new Option(name, name)));
}

form.addEventListener("input", (event) => {
  if (event.target === drafts) return;
  if (event.target === text) {
    keep();
    number();
  }
  clearTimeout(timer);
  timer = setTimeout(work, WAIT);
});
form.addEventListener("submit", async (event) => {
  if (event.submitter && event.submitter.hasAttribute("formaction")) return;
  event.preventDefault();
  clearTimeout(timer);
  await work();
  document.getElementById("figures").focus({ preventScroll: innerWidth >= 1000 });
});
text.addEventListener("scroll", () => (lines.scrollTop = text.scrollTop));
document.getElementById("save").addEventListener("click", () => {
  const [, name] = text.value.match(/^\s*game\s*=\s*["']([^"']+)/m) || [null, "rulebook"];
  localStorage.setItem(DRAFTS, JSON.stringify({ ...kept(), [name]: text.value }));
  list();
  drafts.value = name;
});
drafts.addEventListener("change", () => {
  const draft = kept()[drafts.value];
  if (draft === undefined) return;
  replace(draft);
});
document.getElementById("anew").addEventListener("click", () => replace(text.defaultValue));

function replace(whole) {
  text.value = whole;
  keep();
  number();
  work();
}

list();
restore();
number();
