// A form sent twice by a slip of the hand, or again because no answer came, counts once: it keeps its key until
// it is answered or says something else. Once it is done it says so, and what was typed is gone.
import { newKey } from "./key.js";

document.addEventListener(
  "submit",
  (event) => {
    if (event.target.matches("[data-fresh]")) keyed(event.target, event.submitter);
  },
  true,
);

function keyed(form, submitter) {
  let field = form.querySelector("[name=key]");
  if (!field) {
    field = document.createElement("input");
    field.type = "hidden";
    field.name = "key";
    form.append(field);
  }
  const asked = new FormData(form, submitter);
  asked.delete("key");
  const says = String(new URLSearchParams(asked));
  if (form.dataset.unanswered === says) return;
  form.dataset.unanswered = says;
  field.value = newKey();
}

document.addEventListener("answered", (event) => {
  const form = event.target;
  delete form.dataset.unanswered;
  const done = document.getElementById("done");
  if (done) done.hidden = Boolean(event.detail);
  const said = done?.querySelector("[data-asked]");
  if (said) said.textContent = form.dataset.waits ? said.dataset.asked : said.dataset.taken;
  if (event.detail || !form.matches("[data-fresh]")) return;
  for (const name of ["stake", "amount", "reason", "what", "card", "order"]) {
    if (form.elements[name]) form.elements[name].value = "";
  }
});
