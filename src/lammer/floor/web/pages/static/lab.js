// What-if without leaving the page: the figures are worked out by the house again while one types.
const form = document.getElementById("what-if");
const spot = document.getElementById("spot");
const stale = document.getElementById("stale");
const WAIT = 250;
let timer;
let asked = 0;

async function work() {
  const mine = ++asked;
  const query = new URLSearchParams(new FormData(form)).toString();
  document.getElementById("figures").setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`/lab?${query}`, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(15_000) });
    if (answer.redirected) return location.reload();
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked) return;
    const problem = made.querySelector(".problem");
    spot.textContent = problem ? problem.textContent.replace(/\s+/g, " ").trim() : "";
    if (answer.ok) {
      show(made.getElementById("figures"));
      history.replaceState(null, "", `/lab?${query}`);
    }
    stale.hidden = true;
  } catch {
    if (mine === asked) stale.hidden = false;
  }
  if (mine === asked) document.getElementById("figures").removeAttribute("aria-busy");
}

// Figures that were unfolded stay so, and the reader stays where they were.
function show(fresh) {
  const old = document.getElementById("figures");
  const open = [...old.querySelectorAll("details")].map((each) => each.open);
  [...fresh.querySelectorAll("details")].forEach((each, place) => (each.open = open[place]));
  old.replaceWith(fresh);
}

// Asked for by the button, what it comes to is brought into view; the name alone changes no figure.
form.addEventListener("submit", async (event) => {
  if (!form.checkValidity() || new URL(location).searchParams.get("book") !== form.elements.book.value) return;
  event.preventDefault();
  clearTimeout(timer);
  await work();
  if (spot.textContent) return;
  const figures = document.getElementById("figures");
  figures.scrollIntoView();
  figures.focus({ preventScroll: true });
});

form.addEventListener("input", (event) => {
  clearTimeout(timer);
  if (event.target.name === "book") return form.requestSubmit();
  if (form.checkValidity()) timer = setTimeout(work, WAIT);
  else spot.textContent = event.target.validationMessage;
});
