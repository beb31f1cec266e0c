// Several tables on one page: a plain bet is sent without leaving it, and a refusal is said beside its table.
import "./clocks.js";
import { newKey } from "./key.js";
import { refresh, sentence } from "./live.js";

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-plain-bets]")) return;
  event.preventDefault();
  // The second click of two is no second bet.
  if (form.hasAttribute("aria-busy")) return;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  body.set("key", newKey());
  const spot = form.querySelector("[role=alert]");
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body,
      credentials: "same-origin",
      signal: AbortSignal.timeout(15_000),
      headers: { Accept: "text/html, application/problem+json", "X-Lammer": "now" },
    });
    spot.textContent = answer.ok ? "" : sentence(await answer.json());
  } catch {
    document.getElementById("stale").hidden = false;
  }
  form.removeAttribute("aria-busy");
  refresh();
});
