// The pit has many tables and one page: it is fetched again every few seconds while somebody looks at it.
import { refresh } from "/static/live.js";
import "/static/fresh.js";

const every = Math.min(...[...document.querySelectorAll("[data-every]")].map((part) => Number(part.dataset.every)));
const look = () => document.visibilityState === "visible" && refresh();
if (Number.isFinite(every)) setInterval(look, every * 1000);
document.addEventListener("visibilitychange", look);
