/** A bounded number of places, with a queue for callers that find none. */
export interface Places {
  /**
   * Calls `run` as soon as there is a place, at once if there is one now. The returned function gives the place back,
   * or leaves the queue; later calls of it do nothing.
   */
  enter(run: () => void): () => void;
}

export function createPlaces(count: number): Places {
  const queue = new Set<() => void>();
  let free = count;

  function giveBack(): void {
    const [next] = queue;
    if (next === undefined) free += 1;
    else {
      queue.delete(next);
      next();
    }
  }

  return {
    enter(run) {
      let state: 'waiting' | 'inside' | 'gone' = 'waiting';
      const goIn = () => {
        state = 'inside';
        run();
      };
      const leave = () => {
        const before = state;
        state = 'gone';
        if (before === 'waiting') queue.delete(goIn);
        // A turn later, so that a long queue of requests that fail at once does not grow the stack.
        else if (before === 'inside') setImmediate(giveBack);
      };
      if (free > 0) {
        free -= 1;
        goIn();
      } else queue.add(goIn);
      return leave;
    },
  };
}
