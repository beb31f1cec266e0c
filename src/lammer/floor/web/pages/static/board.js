// A board nobody stands beside: besides following the stream it asks again from time to time, so that a line
// that died without a word is noticed and said.
import { refresh } from "./live.js";

const EVERY = 10_000;
setInterval(refresh, EVERY);
addEventListener("online", refresh);
document.addEventListener("visibilitychange", () => document.hidden || refresh());
