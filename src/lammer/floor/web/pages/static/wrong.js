// "Something is wrong" by keyboard: type a word of what happened and press Enter; Escape goes back to the table.
import "./fresh.js";

const find = document.getElementById("find");
if (find) {
  find.parentElement.hidden = false;
  find.focus();
  find.addEventListener("input", narrow);
  find.addEventListener("keydown", (event) => {
    if (event.key === "Enter") shown()[0]?.click();
    if (event.key === "ArrowDown") shown()[0]?.focus();
  });
}

const shown = () => [...document.querySelectorAll(".happened li:not([hidden]) a")];

function narrow() {
  const words = find.value.toLowerCase().split(/\s+/);
  for (const line of document.querySelectorAll(".happened li")) {
    const text = line.textContent.toLowerCase();
    line.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of document.querySelectorAll(".happened section")) {
    group.hidden = !group.querySelector("li:not([hidden])");
  }
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.isComposing) leave(event.target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.matches?.(".happened a")) return;
  event.preventDefault();
  const links = shown();
  (links[links.indexOf(event.target) + step] || find).focus();
});

// What somebody has typed is not lost to one Escape: the first leaves the field, the next the page.
function leave(target) {
  if (target !== find && target.matches?.("input, textarea") && target.value) target.blur();
  else document.getElementById("back")?.click();
}
