// Passkeys: the browser asks its authenticator, and what that says goes into the page's own form.
const button = document.getElementById("passkey");
const failed = document.getElementById("passkey-failed");

if (button && globalThis.PublicKeyCredential) {
  button.hidden = false;
  button.addEventListener("click", ask);
}

async function ask() {
  failed.hidden = true;
  button.disabled = true;
  try {
    const publicKey = read(JSON.parse(button.dataset.options));
    const made = await navigator.credentials[button.dataset.does]({ publicKey });
    button.form.querySelector("[name=passkey]").value = JSON.stringify(written(made));
    button.form.submit();
  } catch {
    failed.hidden = false;
    button.disabled = false;
  }
}

// What is bytes to the browser is base64url in JSON.
function read(options) {
  const named = (each) => ({ ...each, id: bytes(each.id) });
  options.challenge = bytes(options.challenge);
  if (options.user) options.user.id = bytes(options.user.id);
  options.allowCredentials = options.allowCredentials?.map(named);
  options.excludeCredentials = options.excludeCredentials?.map(named);
  return options;
}

function written(made) {
  const response = {};
  for (const part of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (made.response[part]) response[part] = text(made.response[part]);
  }
  return { id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: {} };
}

function bytes(given) {
  const plain = atob(given.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

function text(buffer) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
