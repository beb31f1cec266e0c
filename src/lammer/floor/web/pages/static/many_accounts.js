// A list of people read from a file is put where it would be pasted, so that it is seen and sent like any other;
// and the links that were made are printed.
for (const input of document.querySelectorAll("[data-into]")) {
  input.addEventListener("change", async () => {
    const file = input.files[0];
    if (file) document.getElementById(input.dataset.into).value = await file.text();
  });
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
