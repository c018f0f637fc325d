/** Balances and positions of an account: read from an answer, or kept from the stream. */
import { type Decimal, dec, sum, text } from '../../../domain/decimal.ts';
import type { VenueBalances, VenuePosition } from '../../../engine/ports/venue.ts';
import { entryNotional } from '../kit/entry-notional.ts';
import { type Listing, WHOLE } from './listing.ts';
import type { WireAccount, WirePosition } from './wire.ts';

export interface Reading {
  readonly balances: VenueBalances;
  readonly positions: readonly VenuePosition[];
}

interface Stats {
  readonly equity: string;
  readonly free: string;
  /** By market, in the venue's units. */
  readonly marks: ReadonlyMap<number, string>;
}

export function readingOf(listing: Listing, account: WireAccount): Reading {
  const { total_asset_value: equity, available_balance: free } = account;
  return {
    balances: balancesOf(equity, free, account.positions),
    positions: account.positions.flatMap((one) => positionOf(listing, one) ?? []),
  };
}

/**
 * `collateral` of the venue leaves out the margin of isolated positions, so the balance is the account's whole value
 * less unrealised results.
 */
function balancesOf(equity: string, free: string, positions: readonly WirePosition[]): VenueBalances {
  const unrealized: Decimal = sum(positions.filter(isOpen).map((one) => dec(one.unrealized_pnl)));
  return {
    asset: 'USDC',
    balance: text(dec(equity).minus(unrealized)),
    equity,
    marginUsed: text(dec(equity).minus(free)),
    freeMargin: free,
  };
}

function isOpen({ position }: WirePosition): boolean {
  return !dec(position).isZero();
}

/** null: no position, or of a market that is not listed here. */
function positionOf(listing: Listing, one: WirePosition): VenuePosition | null {
  const asset = listing.byIndex(one.market_id);
  // An index that was given to another market names nothing that is known here.
  if (asset === undefined || !isOpen(one) || asset.listed.key !== `${one.market_id}:${one.symbol}`)
    return null;
  const { units } = asset.listed;
  const size = dec(one.position).abs();
  const fraction = fractionOf(one);
  const isIsolated = one.margin_mode === 1;
  const own = dec(one.position_value).abs().mul(fraction);
  const allocated = dec(one.allocated_margin ?? '0');
  return {
    symbol: asset.instrument.id,
    quantity: units.quantityToOurs(text(one.sign < 0 ? size.neg() : size)),
    entryPrice: units.priceToOurs(one.avg_entry_price),
    entryNotional: text(costOf(one, size)),
    leverage: fraction.isZero() ? 1 : Math.max(1, Math.round(1 / fraction.toNumber())),
    marginMode: isIsolated ? 'isolated' : 'cross',
    // The venue keeps the margin paid in apart from its later result.
    marginUsed: text((isIsolated ? allocated.plus(one.unrealized_pnl) : own).toDecimalPlaces(6)),
    unrealizedPnl: one.unrealized_pnl,
    liquidationPrice:
      one.liquidation_price === null || dec(one.liquidation_price).isZero()
        ? null
        : units.priceToOurs(one.liquidation_price),
  };
}

/** Initial margin fraction: percent in most answers, and 1 % is the least; a fraction in some. */
function fractionOf({ initial_margin_fraction }: WirePosition): Decimal {
  const told = dec(initial_margin_fraction);
  return told.lt(1) ? told : told.mul(100).div(WHOLE);
}

/** A position as it is at a mark in the venue's units. */
function atMark(one: WirePosition, mark: string): WirePosition {
  const size = dec(one.position).abs();
  const value = size.mul(mark);
  const signed = (amount: Decimal) => (one.sign < 0 ? amount.neg() : amount);
  return {
    ...one,
    position_value: text(value),
    unrealized_pnl: text(signed(value.minus(costOf(one, size))).toDecimalPlaces(6)),
  };
}

const costOf = ({ sign, position_value, unrealized_pnl, avg_entry_price }: WirePosition, size: Decimal) =>
  entryNotional(
    { size, price: avg_entry_price, isShort: sign < 0 },
    { value: position_value, pnl: unrealized_pnl },
  );

/** Account state from the stream, valid until a message is missing. */
export class AccountBooks {
  /** Rises with every event that may have changed balances; and with those that may have changed positions. */
  version = 0;
  #fillVersion = 0;
  #positions: Map<number, WirePosition> | null = null;
  #stats: Stats | null = null;
  /** True: the last answer has agreed with the stream. A first message may be old. */
  #isConfirmed = false;
  /** Versions at which positions and balances last arrived. */
  #positionsAt = -1;
  #statsAt = -1;
  /** The last reading, until the next message: every accepted order asks for it. */
  #last: { readonly listing: Listing; readonly reading: Reading } | null = null;

  /** Something happened on the account: former values may not hold any more. */
  touch(isFill = false): void {
    this.version += 1;
    if (isFill) this.#fillVersion = this.version;
  }

  /** The stream was interrupted: nothing is known until it has sent everything again. */
  forget(): void {
    this.#positions = null;
    this.#stats = null;
    this.touch(true);
  }

  /** All positions, as the stream begins. They count once `confirm` has agreed. */
  begin(positions: readonly WirePosition[]): void {
    this.#positions = new Map(positions.map((one) => [one.market_id, one]));
    this.#positionsAt = this.version;
    this.#isConfirmed = false;
    this.#last = null;
  }

  /**
   * Compares the stream's values with a later answer of the venue. They do not count while it contradicts them: a message may
   * be missing, or an older one have come last.
   * @param asked version at which the venue was asked: what has changed since, the answer may not know
   */
  confirm(answer: readonly WirePosition[], asked: number): void {
    if (this.#positions === null) return;
    const held = (positions: Iterable<WirePosition>) =>
      [...positions]
        .filter(isOpen)
        .map(({ market_id, sign, position }) => `${market_id}:${sign}:${position}`)
        .sort()
        .join();
    const agrees = held(answer) === held(this.#positions.values());
    if (agrees || asked === this.version) this.#isConfirmed = agrees;
  }

  /** Positions that have changed. */
  change(positions: readonly WirePosition[]): void {
    for (const one of positions) this.#positions?.set(one.market_id, one);
    this.#positionsAt = this.version;
    this.#last = null;
  }

  /**
   * The equity follows the marks, and positions arrive when they change: they are valued by the marks of the equity, so
   * that no move of the price counts twice.
   * @param markOf latest mark in the venue's units; null: none
   */
  takeStats(equity: string, free: string, markOf: (market: number, symbol: string) => string | null): void {
    const marks = new Map<number, string>();
    for (const { market_id, symbol } of this.#positions?.values() ?? []) {
      const mark = markOf(market_id, symbol);
      if (mark !== null) marks.set(market_id, mark);
    }
    this.#stats = { equity, free, marks };
    this.#statsAt = this.version;
    this.#last = null;
  }

  /** null: not all values have arrived since something happened. */
  reading(listing: Listing): Reading | null {
    const positions = this.#positions;
    const stats = this.#stats;
    if (positions === null || stats === null || !this.#isConfirmed) return null;
    if (this.#positionsAt < this.#fillVersion || this.#statsAt < this.version) return null;
    if (this.#last?.listing === listing) return this.#last.reading;
    const all = [...positions.values()].map((one) => {
      const mark = stats.marks.get(one.market_id);
      return mark === undefined ? one : atMark(one, mark);
    });
    const reading = {
      balances: balancesOf(stats.equity, stats.free, all),
      positions: all.flatMap((one) => positionOf(listing, one) ?? []),
    };
    this.#last = { listing, reading };
    return reading;
  }
}
