// What a browser keeps for somebody, as text under a name. A browser that keeps nothing is no fault: it forgets.
export function recall(name, store = () => localStorage) {
  try {
    return store().getItem(name);
  } catch {
    return null;
  }
}

export function keep(name, text, store = () => localStorage) {
  try {
    if (text === null) store().removeItem(name);
    else store().setItem(name, text);
  } catch {
    // Next time it is as if nobody had said anything.
  }
}
