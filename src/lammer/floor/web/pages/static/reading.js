// Keeps a part of a page current while long work is under way: asked again every second until it is done.
const EVERY = 1000;

async function look(part) {
  try {
    const answer = await fetch(part.dataset.poll, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(8000) });
    if (answer.ok) {
      const focus = part.contains(document.activeElement) ? document.activeElement.id : "";
      part.innerHTML = await answer.text();
      if (focus) document.getElementById(focus)?.focus();
    }
    document.getElementById("stale").hidden = answer.ok;
  } catch {
    document.getElementById("stale").hidden = false;
  }
  follow(part);
}

export function follow(part) {
  if (part.querySelector("[data-running]")) setTimeout(() => look(part), EVERY);
}

document.querySelectorAll("[data-poll]").forEach(follow);
