// The keys of a player's table: each presses what somebody could press with the mouse, and is written on it as
// `aria-keyshortcuts`. Nothing is pressed while somebody types, nor while a paragraph lies over the table.
const now = document.getElementById("now");
const TYPED = "input:not([type=radio]), textarea, select, [contenteditable]";

addEventListener("keydown", (event) => {
  if (!now || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (event.target.closest?.(TYPED) || document.querySelector("dialog[open]")) return;
  const key = event.key.toUpperCase();
  if (!/^[A-Z1-9]$/.test(key)) return;
  const place = document.querySelector(`[aria-keyshortcuts="${key}"]`);
  if (!place) return;
  event.preventDefault();
  place.click();
});
