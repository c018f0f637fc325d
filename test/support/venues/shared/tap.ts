/** Everything that a client sent, and what it would have cost of the venue's limits. */

export interface Seen {
  readonly at: number;
  /** Kind of request, in the venue's words: `ws subscribe` and so on. */
  readonly kind: string;
  readonly weight: number;
  /** Path, headers and body of an HTTP request, or the text of a WebSocket message. */
  readonly text: string;
}

const MINUTE_MS = 60_000;

export class Tap {
  readonly seen: Seen[] = [];

  note(seen: Seen): void {
    this.seen.push(seen);
  }

  clear(): void {
    this.seen.length = 0;
  }

  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { kind } of this.seen) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  }

  /** Weight of the minute before `now`. */
  recentWeight(now: number): number {
    return this.#weightUntil(now);
  }

  /** Highest weight of any minute. */
  mostWeight(): number {
    return Math.max(
      0,
      ...this.seen.filter(({ weight }) => weight > 0).map(({ at }) => this.#weightUntil(at)),
    );
  }

  totalWeight(): number {
    return this.seen.reduce((sum, { weight }) => sum + weight, 0);
  }

  /** Texts that contain `part`, in any case: for what must never leave the gateway. */
  containing(part: string): string[] {
    const wanted = part.toLowerCase();
    return this.seen.map(({ text }) => text).filter((text) => text.toLowerCase().includes(wanted));
  }

  #weightUntil(now: number): number {
    let weight = 0;
    for (let at = this.seen.length - 1; at >= 0; at -= 1) {
      const seen = this.seen[at];
      if (seen === undefined || seen.at <= now - MINUTE_MS) break;
      if (seen.at <= now) weight += seen.weight;
    }
    return weight;
  }
}
