/** Awaited between two pieces of long work, so that other work waiting on the event loop runs first. */
export function othersHaveTheirTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
