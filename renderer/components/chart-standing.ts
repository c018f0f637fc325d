/** Removed charts and their series, which go with the chart: the library throws when one of them is used. */
const removed = new WeakSet<object>();

export function hasGone(part: object): void {
  removed.add(part);
}

/**
 * Whether a chart or series from an earlier render still exists. React may run effects again before it renders the
 * state that follows its removal.
 */
export function stands<Part extends object>(part: Part | null): part is Part {
  return part !== null && !removed.has(part);
}
