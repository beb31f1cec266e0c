// A table that is asked to close in the middle of a round closes as soon as the round is over, unless somebody
// takes that back or leaves the page.
const form = document.getElementById("close-form");
const waits = document.getElementById("close-waits");
let isWaiting = false;

function wait(yes) {
  isWaiting = yes;
  waits.hidden = !yes;
}

form?.addEventListener("answered", (event) => {
  wait(event.detail?.code === "round_under_way");
  if (isWaiting) form.querySelector(".spot").textContent = "";
});
waits?.querySelector("button").addEventListener("click", () => wait(false));
document.addEventListener("swapped", () => isWaiting && document.querySelector("[data-between-rounds]") && form.requestSubmit());
