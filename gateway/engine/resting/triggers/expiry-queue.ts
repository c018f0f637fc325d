/** Expiries of triggers, earliest first: a binary heap. The caller must detect outdated entries. */

export interface Expiry {
  readonly at: number;
  readonly id: string;
}

export class ExpiryQueue {
  readonly #heap: Expiry[] = [];

  /** The earliest time; null: the queue is empty. */
  get nextAt(): number | null {
    return this.#heap[0]?.at ?? null;
  }

  add(expiry: Expiry): void {
    const heap = this.#heap;
    let place = heap.push(expiry) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= expiry.at) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = expiry;
  }

  /** Removes and returns the expiries due at `now`, earliest first. */
  due(now: number): readonly Expiry[] {
    const due: Expiry[] = [];
    for (let first = this.#heap[0]; first !== undefined && first.at <= now; first = this.#heap[0]) {
      due.push(first);
      this.#dropFirst();
    }
    return due;
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      let least = left;
      if (right !== undefined && right.at < left.at) {
        least = right;
        child += 1;
      }
      if (least.at >= last.at) break;
      heap[place] = least;
      place = child;
    }
    heap[place] = last;
  }
}
