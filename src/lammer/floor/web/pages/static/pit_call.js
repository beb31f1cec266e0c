// Calls the pit from any page of whoever deals: opened by its key, the first reason has the focus; Escape closes it.
const call = document.getElementById("pit-call");

call?.addEventListener("toggle", () => call.open && call.querySelector(".pit-reasons button").focus());
call?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  close();
});
call?.addEventListener("answered", (event) => {
  if (!event.detail) close();
});

function close() {
  call.open = false;
  call.querySelector("summary").focus();
}
