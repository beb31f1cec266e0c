// Works the commitment of a shoe out again in the reader's own browser.
const revealed = document.getElementById("revealed");
const checked = document.getElementById("checked");

if (revealed && checked && globalThis.crypto?.subtle) {
  const bytes = new TextEncoder().encode(revealed.textContent);
  const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))];
  const found = digest.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  checked.textContent = found === revealed.dataset.commitment ? checked.dataset.good : checked.dataset.bad;
}
