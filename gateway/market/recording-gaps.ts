/**
 * Gaps in the recording of a simulated connector: the time before the recording began, and whenever the gateway was off
 * or asleep for a whole minute or more. The candles that the venue imagines for a gap are led through the prices on
 * both sides, so these prices are kept for as long as there are candles; with them the same minutes are imagined for a
 * candle of any length.
 *
 * In the store: `candles-gaps:<connector>`, the list of gaps, and `candles-gap:<connector>:<from>`, the prices of each
 * gap.
 */
import type { DecimalString } from '../domain/decimal.ts';
import type { Store } from '../engine/ports/store.ts';

export interface Gap {
  /** First minute that was not recorded, epoch ms; null: the gap is the time before the recording began. */
  readonly from: number | null;
  /** First minute that was recorded again. */
  readonly to: number;
}

export type PricesById = Readonly<Record<string, DecimalString>>;

/** Marks by instrument ID at both ends of a gap. */
export interface GapPrices {
  /** null: nothing was recorded before the gap. */
  readonly before: PricesById | null;
  readonly after: PricesById;
}

type Setting = { readonly key: string; readonly value: string };

/** Gaps whose prices stay in memory: enough for the charts in view. */
const KEPT_PRICES = 32;

export class RecordingGaps {
  readonly #connector: string;
  readonly #store: Pick<Store, 'setting'>;
  readonly #prices = new Map<string, GapPrices>();
  /** Gaps, oldest first. */
  #gaps: readonly Gap[];
  #unsaved: readonly Setting[] = [];

  private constructor(connector: string, store: Pick<Store, 'setting'>, gaps: readonly Gap[]) {
    this.#connector = connector;
    this.#store = store;
    this.#gaps = gaps;
  }

  static async open(connector: string, store: Pick<Store, 'setting'>): Promise<RecordingGaps> {
    const listed = await store.setting(listKey(connector));
    const rows: readonly (readonly [number | null, number])[] = listed === null ? [] : JSON.parse(listed);
    return new RecordingGaps(
      connector,
      store,
      rows.map(([from, to]) => ({ from, to })),
    );
  }

  get latest(): Gap | null {
    return this.#gaps.at(-1) ?? null;
  }

  /** Gaps that share a moment with [from, to), oldest first. */
  within(from: number, to: number): readonly Gap[] {
    return this.#gaps.filter((gap) => gap.to > from && (gap.from ?? Number.NEGATIVE_INFINITY) < to);
  }

  add(gap: Gap, prices: GapPrices): void {
    this.#gaps = [...this.#gaps, gap].sort((a, b) => a.to - b.to);
    this.#keep(gap, prices);
    const list = this.#gaps.map(({ from, to }) => [from, to]);
    const key = this.#key(gap);
    this.#unsaved = [
      ...this.#unsaved.filter((setting) => setting.key !== listKey(this.#connector)),
      { key, value: JSON.stringify(prices) },
      { key: listKey(this.#connector), value: JSON.stringify(list) },
    ];
  }

  async prices(gap: Gap): Promise<GapPrices | null> {
    const key = this.#key(gap);
    const known = this.#prices.get(key);
    if (known !== undefined) return known;
    const unsaved = this.#unsaved.find((setting) => setting.key === key)?.value;
    const stored = unsaved ?? (await this.#store.setting(key));
    if (stored === null) return null;
    const prices: GapPrices = JSON.parse(stored);
    this.#keep(gap, prices);
    return prices;
  }

  /** Settings that the store does not have yet, to be committed together with other data. */
  get unsaved(): readonly Setting[] {
    return this.#unsaved;
  }

  saved(settings: readonly Setting[]): void {
    this.#unsaved = this.#unsaved.filter((setting) => !settings.includes(setting));
  }

  #keep(gap: Gap, prices: GapPrices): void {
    this.#prices.set(this.#key(gap), prices);
    for (const oldest of this.#prices.keys()) {
      if (this.#prices.size <= KEPT_PRICES) break;
      this.#prices.delete(oldest);
    }
  }

  #key({ from }: Gap): string {
    return `candles-gap:${this.#connector}:${from ?? 'before'}`;
  }
}

function listKey(connector: string): string {
  return `candles-gaps:${connector}`;
}
