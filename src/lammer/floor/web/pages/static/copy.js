// A button beside each text that is shown once: it puts the text where it can be pasted from. Without a script
// the text is there all the same and is selected as a whole. The clipboard is only there over HTTPS.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const status = button.nextElementSibling;
  if (await put(source)) status.textContent = status.dataset.copied;
}

async function put(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return document.execCommand("copy");
  }
}
