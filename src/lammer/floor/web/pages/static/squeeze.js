// Squeezing a card: it is bent up by dragging. Nothing of the card is known to this page while it lies face
// down; bent far enough it is opened at the table, for everybody, and its face comes up under the hand.
import { refresh } from "./live.js";

const FAR = 0.35;
const now = document.getElementById("now");
let held = null;

now?.addEventListener("pointerdown", (event) => {
  const button = event.target.closest(".squeezable");
  if (!button || held) return;
  held = { button, y: event.clientY, height: button.getBoundingClientRect().height, asked: false, moved: false };
  now.dataset.held = "yes";
  button.setPointerCapture(event.pointerId);
});

now?.addEventListener("pointermove", (event) => {
  if (!held) return;
  const bent = Math.min(1, Math.max(0, (held.y - event.clientY) / held.height));
  held.moved ||= bent > 0.05;
  held.button.style.setProperty("--bent", bent.toFixed(3));
  held.button.classList.toggle("bent", bent > 0);
  if (bent >= FAR && !held.asked) {
    held.asked = true;
    open(held.button);
  }
});

for (const name of ["pointerup", "pointercancel"]) now?.addEventListener(name, release);

function release() {
  if (!held) return;
  const { button, asked, moved } = held;
  held = null;
  delete now.dataset.held;
  if (!asked) {
    button.style.removeProperty("--bent");
    button.classList.remove("bent");
    // A drag that was let go too early opens nothing; a plain press still does.
    if (moved) button.addEventListener("click", (event) => event.preventDefault(), { once: true });
  } else {
    refresh();
  }
}

async function open(button) {
  const body = new URLSearchParams(new FormData(button.form, button));
  const answer = await fetch(button.getAttribute("formaction"), {
    method: "POST",
    body,
    credentials: "same-origin",
    headers: { Accept: "text/html, application/problem+json", "X-Lammer": "now" },
  });
  if (!answer.ok) return release();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const place = button.closest("[data-card]").dataset.card;
  const face = page.querySelector(`[data-card="${place}"] svg`);
  if (!face || !button.isConnected) return;
  const under = document.createElement("span");
  under.className = "face";
  under.append(face);
  button.prepend(under);
  // The click that ends the drag must not ask a second time.
  button.addEventListener("click", (event) => event.preventDefault(), { once: true });
}
