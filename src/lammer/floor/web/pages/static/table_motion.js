// Chips that travel from the rack to the bet. Only for show: what lies on the felt is what the house has answered.
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const MILLISECONDS = 280;

// A chip flies from one place of the page to another and is gone.
export function fly(chip, target) {
  if (CALM.matches || !chip || !target) return;
  const from = chip.getBoundingClientRect();
  const to = target.getBoundingClientRect();
  if (!from.width || !to.width) return;
  const disc = document.createElement("i");
  disc.className = `flying disc ${[...chip.classList].find((name) => /^w\d+$/.test(name)) || ""}`;
  disc.setAttribute("aria-hidden", "true");
  document.body.append(disc);
  const at = ({ left, top, width, height }) => `translate(${left + width / 2}px, ${top + height / 2}px)`;
  const flight = disc.animate([{ transform: `${at(from)} scale(1.6)` }, { transform: `${at(to)} scale(1)` }], {
    duration: MILLISECONDS,
    easing: "cubic-bezier(.2, .7, .3, 1)",
  });
  flight.finished.catch(() => {}).then(() => disc.remove());
}
