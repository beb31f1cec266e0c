// Keeps the lobby current: asked again every few seconds while somebody looks at it.
import { put } from "./live.js";

const part = document.querySelector("[data-poll]");
const stale = document.getElementById("stale");

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch(part.dataset.poll, { headers: { Accept: "text/html" }, credentials: "same-origin" });
      if (answer.redirected || answer.status === 401) return location.reload();
      if (!answer.ok) throw new Error(answer.status);
      put(part, await answer.text());
      stale.hidden = true;
    } catch {
      stale.hidden = false;
    }
  }
  setTimeout(look, 3000);
}

if (part) setTimeout(look, 3000);
