/** Limits the number of reads in flight. The others wait for their turn, first come first served. */
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
      // The slot goes to the next waiting read, so that no newcomer takes it.
      if (next === undefined) free += 1;
      else next();
    }
  };
}
