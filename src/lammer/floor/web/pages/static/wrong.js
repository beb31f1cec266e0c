// "Something is wrong" by keyboard: type a word of what happened and press Enter; Escape goes back to the table.
import "./fresh.js";
import "./pit_call.js";

const find = document.getElementById("find");
if (find) {
  find.focus();
  find.addEventListener("input", narrow);
  find.addEventListener("keydown", (event) => {
    // Enter also ends the writing of a Chinese word.
    if (event.isComposing) return;
    if (event.key === "Enter") found()?.click();
    if (event.key === "ArrowDown") shown()[0]?.focus();
  });
}

const shown = () => [...document.querySelectorAll(".happened li:not([hidden]) a")];

// What is listed for each typed word, in its own words or in everyday ones. Where nothing fits, that is said and
// everything is listed; Enter then chooses nothing.
function narrow() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  const lines = [...document.querySelectorAll(".happened li")];
  const fits = lines.map((line) => words.every((word) => textOf(line).includes(word)));
  const none = !fits.includes(true);
  lines.forEach((line, place) => (line.hidden = !none && !fits[place]));
  for (const group of document.querySelectorAll(".happened section")) {
    group.hidden = !group.querySelector("li:not([hidden])");
  }
  document.getElementById("found-none").hidden = !none;
}

const textOf = (line) => `${line.textContent} ${line.dataset.words}`.toLowerCase();
const found = () => (document.getElementById("found-none").hidden ? shown()[0] : null);

document.addEventListener("keydown", (event) => {
  const call = document.querySelector("#pit-call summary");
  const isTyping = event.target.matches?.("input, select, textarea");
  const plain = !(event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing);
  if (plain && !isTyping && event.key.toLowerCase() === call?.querySelector("kbd").textContent.toLowerCase()) {
    event.preventDefault();
    call.click();
  }
  if (event.key === "Escape" && !event.isComposing) leave(event.target);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !event.target.matches?.(".happened a")) return;
  event.preventDefault();
  const links = shown();
  (links[links.indexOf(event.target) + step] || find).focus();
});

// What somebody has typed is not lost to one Escape: the first leaves the field, the next the page.
function leave(target) {
  const typed = target !== find && target.matches?.("input, textarea") && target.value !== target.defaultValue;
  if (typed) target.blur();
  else document.getElementById("back")?.click();
}

// Who has chosen what happened goes on typing: the first field has the focus.
document.querySelector(".rule form :is(input:not([type=hidden]), select, textarea)")?.focus({ preventScroll: true });
