/** Between two pieces of long work: what is waiting on the event loop runs first. */
export function othersHaveTheirTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
