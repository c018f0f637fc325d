/** Reads of which only so many are under way at once; the others wait for their turn, first come first served. */
export function fewAtOnce(most: number): <Value>(read: () => Promise<Value>) => Promise<Value> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (read) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await read();
    } finally {
      const next = waiting.shift();
      // Its place is handed on, so that none who comes meanwhile takes it.
      if (next === undefined) free += 1;
      else next();
    }
  };
}
