// A key nobody else has, so that a request that is sent twice counts once; randomUUID is only there over HTTPS.
export const newKey = () =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(16).padStart(8, "0")).join("");
