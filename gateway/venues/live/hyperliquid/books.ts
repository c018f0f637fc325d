/**
 * Hyperliquid's books, requested for estimates and viewers, and never for an order. A request weighs 2 of the 1,200 a
 * minute, comes last (a viewer's behind those for estimates), and is dropped soon: an estimate is given without it.
 *
 * The venue sends twenty levels of a side. If an order needs more, the same side is requested in steps that reach its
 * limit.
 */
import { type DecimalString, dec } from '../../../domain/decimal.ts';
import type { BookPreview } from '../../../domain/expected-fill.ts';
import { keptAnswers } from '../../../domain/kept-answers.ts';
import type { VenueBook } from '../../../domain/order-book.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { ExpectedOrder } from '../../../engine/ports/venue.ts';
import {
  continued,
  isCrossed,
  previewOf,
  shownBook,
  sideFor,
  type TakenBook,
  wantsMore,
} from '../kit/book-preview.ts';
import type { VenueClock } from '../kit/venue-clock.ts';
import type { Client } from './client.ts';
import type { Asset, Listing } from './listing.ts';
import * as wire from './wire.ts';

/** Time for which a book is shared: several tickets, and one being typed in, want an estimate of the same book. */
const FRESH_MS = 1_000;
/** Age by the venue's date from which a book is not the present one. */
const OLD_MS = 10_000;
const LEVELS = 20;
/** Most markets that are kept; with more, all are forgotten. */
const MOST_KEPT = 200;
/** Steps that the venue groups by, finest first: significant figures, and a factor that it takes with five. */
const STEPS = [
  { nSigFigs: 5 },
  { nSigFigs: 5, mantissa: 2 },
  { nSigFigs: 5, mantissa: 5 },
  { nSigFigs: 4 },
  { nSigFigs: 3 },
  { nSigFigs: 2 },
] as const;
type Step = (typeof STEPS)[number];

export class Books {
  readonly #client: Pick<Client, 'info'>;
  readonly #venueClock: Pick<VenueClock, 'now' | 'state'>;
  readonly #listing: () => Listing;
  /** By coin and step. */
  readonly #told: (key: string, ask: () => Promise<TakenBook | null>) => Promise<TakenBook | null>;

  constructor(deps: {
    readonly client: Pick<Client, 'info'>;
    readonly clock: Clock;
    readonly venueClock: Pick<VenueClock, 'now' | 'state'>;
    readonly listing: () => Listing;
  }) {
    this.#client = deps.client;
    this.#venueClock = deps.venueClock;
    this.#listing = deps.listing;
    this.#told = keptAnswers(() => deps.clock.uptime(), FRESH_MS, MOST_KEPT);
  }

  /** null: its book is not known now. */
  async preview(order: ExpectedOrder): Promise<BookPreview | null> {
    const asset = this.#listing().bySymbol(order.symbol);
    if (asset === undefined) return null;
    const book = await this.#read(asset, null);
    if (book === null) return null;
    const { units } = asset.listed;
    const fine = sideFor(book, order.side);
    const preview = previewOf(order, fine, units);
    const [best] = fine.levels;
    if (best === undefined || !wantsMore(order, preview)) return preview;
    const coarse = await this.#read(asset, stepFor(best.price, units.priceToVenue(order.limitPrice)));
    if (coarse === null) return preview;
    return previewOf(order, continued(fine, sideFor(coarse, order.side), order.side), units);
  }

  /** Best levels as the venue sends them now, never from a kept book; null: it is not known. */
  async shown(symbol: string, levels: number): Promise<VenueBook | null> {
    const asset = this.#listing().bySymbol(symbol);
    const book = asset === undefined ? null : await this.#ask('look', asset.coin, null);
    return asset === undefined || book === null ? null : shownBook(book, levels, asset.listed.units);
  }

  #read({ coin }: Asset, step: Step | null): Promise<TakenBook | null> {
    return this.#told(`${coin} ${JSON.stringify(step)}`, () => this.#ask('preview', coin, step));
  }

  async #ask(lane: 'preview' | 'look', coin: string, step: Step | null): Promise<TakenBook | null> {
    const told = await this.#client.info(lane, { type: 'l2Book', coin, ...step }, wire.book);
    if (!told.ok || told.value === null || told.value.coin !== coin) return null;
    const { levels, time } = told.value;
    if (this.#venueClock.state === 'known' && this.#venueClock.now() - time > OLD_MS) return null;
    const [bids, asks] = levels.map((side) => ({
      levels: side.map(({ px, sz }) => ({ price: px, quantity: sz })),
      isCut: side.length >= LEVELS,
    }));
    if (bids === undefined || asks === undefined) return null;
    const book = { bids, asks };
    return isCrossed(book) ? null : book;
  }
}

/** The finest step of which twenty reach from the best price to the limit; else the coarsest. */
function stepFor(best: DecimalString, limit: DecimalString): Step {
  const distance = dec(best).minus(limit).abs();
  const isFarEnough = (step: Step) => {
    const unit = dec(10).pow(dec(best).e - step.nSigFigs + 1);
    return unit
      .mul('mantissa' in step ? step.mantissa : 1)
      .mul(LEVELS - 1)
      .gte(distance);
  };
  return STEPS.find(isFarEnough) ?? STEPS[STEPS.length - 1] ?? { nSigFigs: 2 };
}
