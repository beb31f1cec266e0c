// What-if without leaving the page: the figures are worked out by the house again while one types.
const form = document.getElementById("what-if");
const spot = document.getElementById("spot");
const WAIT = 250;
let timer;
let asked = 0;

async function work() {
  const mine = ++asked;
  const query = new URLSearchParams(new FormData(form)).toString();
  try {
    const answer = await fetch(`/lab?${query}`, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(15_000) });
    const made = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked) return;
    const problem = made.querySelector(".problem");
    spot.textContent = problem ? problem.textContent.replace(/\s+/g, " ").trim() : "";
    if (answer.ok) {
      document.getElementById("figures").replaceWith(made.getElementById("figures"));
      history.replaceState(null, "", `/lab?${query}`);
    }
  } catch {
    document.getElementById("stale").hidden = false;
  }
}

form.addEventListener("input", (event) => {
  clearTimeout(timer);
  if (event.target.name === "book") return form.requestSubmit();
  if (form.checkValidity()) timer = setTimeout(work, WAIT);
});
