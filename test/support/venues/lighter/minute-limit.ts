/** Limits the requests of one kind in any minute, as the venue does. */

const MINUTE_MS = 60_000;

export class MinuteLimit {
  /** null: any number. */
  most: number | null;
  #taken: number[] = [];

  constructor(most: number | null = null) {
    this.most = most;
  }

  /** False: there were too many; this one does not count. */
  take(now: number): boolean {
    this.#taken = this.#taken.filter((at) => at > now - MINUTE_MS);
    if (this.most !== null && this.#taken.length >= this.most) return false;
    this.#taken.push(now);
    return true;
  }
}
