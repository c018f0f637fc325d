/**
 * Lighter knows an order by a number of 48 bits, the engine by an id of 128. The number is the first 48 bits of the id,
 * or the next ones if another order has them. The numbers of orders are stored before the orders leave, so that trades
 * of a later run find their order.
 */
import type { VenueHost } from '../../venue-plug.ts';

const ID = /^0x[0-9a-f]{32}$/;
/** Positions in the 32 digits at which a number of twelve may begin. */
const STARTS = [0, 12, 20] as const;
const DIGITS = 12;
/** Numbers that are remembered; older ones are read again. */
const MOST_REMEMBERED = 20_000;

export interface Assigned {
  readonly index: number;
  /** False: the id had its number before, so the order may have been sent. */
  readonly isNew: boolean;
}

export class ClientIds {
  readonly #store: VenueHost['store'];
  readonly #prefix: string;
  /** null: the number belongs to no order of ours. */
  readonly #names = new Map<number, string | null>();

  /** @param prefix names connector and account */
  constructor(store: VenueHost['store'], prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /**
   * Assigns numbers to orders about to leave, and stores them before it resolves. An id without a number is one that
   * the venue cannot take. null: they could not be stored, so nothing may leave.
   */
  async assign(ids: readonly string[]): Promise<ReadonlyMap<string, Assigned> | null> {
    const assigned = new Map<string, Assigned>();
    const mine = new Map<number, string>();
    for (const id of ids) {
      for (const index of candidates(id)) {
        const owner = mine.get(index) ?? (await this.nameOf(index));
        if (owner !== null && owner !== id) continue;
        if (owner === null) mine.set(index, id);
        assigned.set(id, { index, isNew: owner === null });
        break;
      }
    }
    if (mine.size === 0) return assigned;
    const settings = [...mine].map(([index, id]) => ({ key: this.#key(index), value: id }));
    const kept = await this.#store.commit({ settings });
    if (!kept.ok) return null;
    for (const [index, id] of mine) this.#remember(index, id);
    return assigned;
  }

  /** The number of an order that was sent, now or in an earlier run; null: none of this id was. */
  async indexOf(id: string): Promise<number | null> {
    for (const index of candidates(id)) if ((await this.nameOf(index)) === id) return index;
    return null;
  }

  /** The id of a number, if remembered; null: no order of ours; undefined: it has to be looked up. */
  known(index: number): string | null | undefined {
    return index === 0 ? null : this.#names.get(index);
  }

  /** null: no order of ours. */
  async nameOf(index: number): Promise<string | null> {
    const known = this.known(index);
    if (known !== undefined) return known;
    const name = await this.#store.setting(this.#key(index));
    // It may have been given out while the disk was read.
    const now = this.#names.get(index);
    if (now !== undefined && now !== null) return now;
    this.#remember(index, name);
    return name;
  }

  #key(index: number): string {
    return `${this.#prefix}:${index}`;
  }

  #remember(index: number, name: string | null): void {
    this.#names.delete(index);
    this.#names.set(index, name);
    const oldest = this.#names.size > MOST_REMEMBERED ? this.#names.keys().next() : null;
    if (oldest?.done === false) this.#names.delete(oldest.value);
  }
}

function candidates(id: string): readonly number[] {
  const lower = id.toLowerCase();
  if (!ID.test(lower)) return [];
  const digits = lower.slice(2);
  const all = STARTS.map((start) => Number.parseInt(digits.slice(start, start + DIGITS), 16));
  // 0 says that an order has no number.
  return all.filter((index) => index > 0);
}
