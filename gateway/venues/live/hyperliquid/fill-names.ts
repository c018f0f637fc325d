/**
 * Trade ids of an account's fills. A fill whose own id (`tid`) stays unreadable is booked under an id made of its content.
 * It keeps that id when its own becomes readable, so that no fill is booked twice.
 */
import { read } from '../kit/wire.ts';
import { bookedFills, type WireFill } from './wire.ts';

/** Number of fills that are remembered, to find their id if it is unreadable the next time. */
const MOST_TOLD = 20_000;
const MOST_STORED = 1_000;

/** `startPosition` differs between fills of one order that are otherwise the same. */
function contentOf({ oid, time, px, sz, startPosition }: WireFill): string {
  return `${oid}:${time}:${px}:${sz}:${startPosition ?? ''}`;
}

export class FillNames {
  /** Contents of the fills that were booked under them. */
  readonly #booked: Set<string>;
  /** Own ids of fills, by content. */
  readonly #told = new Map<string, string>();
  readonly #store: (stored: string) => Promise<boolean>;

  /** @param store writes the next `stored`; false: failed */
  constructor(stored: string | null, store: (stored: string) => Promise<boolean>) {
    const names = stored === null ? null : read(bookedFills, stored);
    this.#booked = new Set(names?.ok === true ? names.value : []);
    this.#store = store;
  }

  /** Id under which the fill is booked. */
  nameOf(fill: WireFill): string {
    const content = contentOf(fill);
    if (fill.tid === null) return this.#told.get(content) ?? content;
    const isSame = (booked: string) =>
      fill.startPosition === null ? booked.startsWith(content) : booked === content;
    const booked = [...this.#booked].find(isSame);
    if (booked !== undefined) return booked;
    this.#told.set(content, fill.tid);
    const oldest = this.#told.size > MOST_TOLD ? this.#told.keys().next() : null;
    if (oldest?.done === false) this.#told.delete(oldest.value);
    return fill.tid;
  }

  /** Call before reporting fills without an id. @return false: they must not be reported, because it was not stored */
  async book(fills: readonly WireFill[]): Promise<boolean> {
    const before = this.#booked.size;
    for (const fill of fills) {
      const name = this.nameOf(fill);
      if (name === contentOf(fill)) this.#booked.add(name);
    }
    return this.#booked.size === before || this.#store(JSON.stringify([...this.#booked].slice(-MOST_STORED)));
  }
}
