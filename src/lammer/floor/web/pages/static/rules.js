// Finds words on the page of a rulebook while one types: what does not have them is put aside.
const field = document.getElementById("find");
const found = document.getElementById("found");
const places = [...document.querySelectorAll(".paragraphs > div, .bets tbody tr, .wrongs tbody tr, .reading")];
const texts = places.map((place) => place.textContent.toLowerCase());

function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  places.forEach((place, number) => {
    const has = words.every((word) => texts[number].includes(word));
    place.hidden = !has;
    if (has) count += 1;
  });
  found.textContent = words.length ? found.dataset.say.replace("{count}", count) : "";
}

field.addEventListener("input", find);
if (field.value) find();
document.getElementById("find-form").addEventListener("submit", (event) => {
  event.preventDefault();
  find();
  places.find((place) => !place.hidden)?.scrollIntoView({ block: "center" });
});
