// Counts down what is open at each table of a list, by the house's clock as each part of the page last heard it.
import "./live.js";

const parts = [...document.querySelectorAll("[data-moment]")];
for (const part of parts) part.dataset.offset = Number(part.dataset.moment) - performance.now();

function tick() {
  for (const part of parts) {
    for (const clock of part.querySelectorAll("[data-closes]")) {
      const left = Number(clock.dataset.closes) - (performance.now() + Number(part.dataset.offset));
      clock.textContent = left > 0 ? `${Math.ceil(left / 1000)} s` : "…";
      clock.classList.toggle("soon", left < 4000);
    }
  }
}

document.addEventListener("swapped", tick);
tick();
setInterval(tick, 250);
