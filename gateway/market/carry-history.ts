/**
 * Yearly funding of a basket by recorded rates, hour by hour (`domain/funding-history.ts`), computed at each request.
 * Twenty legs over 30 days are 14,400 rates: legs are read one after the other and summed piece by piece, so that
 * orders do not wait for a tooltip.
 */
import { type Decimal, type DecimalString, ZERO } from '../domain/decimal.ts';
import {
  commonHours,
  HOUR_MS,
  type HourlyCarry,
  hourlyCarry,
  meanCarry,
  netCarry,
  sharesOf,
  yearly,
} from '../domain/funding-history.ts';
import type { FundingRate, Side } from '../domain/model.ts';
import type { FundingRecorder } from './funding-recorder.ts';
import { othersHaveTheirTurn } from './turns.ts';

/** Maximum number of rates, over all legs, that are processed in one go: about a millisecond of work. */
const PIECE = 1_000;

export interface CarryRequest {
  readonly connector: string;
  readonly legs: readonly {
    /** Instrument ID. */
    readonly symbol: string;
    readonly side: Side;
    /** Only the proportions of the legs' weights count. */
    readonly weight: DecimalString;
    readonly now: FundingRate | undefined;
  }[];
  /** End of the last hour that counts, epoch ms. */
  readonly to: number;
  /** Lengths in hours, which all end with `to`. */
  readonly windows: readonly number[];
}

/** A figure is null without a basis: no present rate, or no hour at which all legs have one. */
export interface Carry {
  readonly now: Decimal | null;
  /** Mean of the last hours, one for each requested window. */
  readonly means: readonly (Decimal | null)[];
}

export interface CarryHistory {
  readonly net: Carry;
  /** Each leg as if it were the whole basket, over the hours of the basket. */
  readonly legs: readonly (Carry & { readonly share: Decimal })[];
  /** Number of hours behind each mean. */
  readonly counts: readonly number[];
  /** The net of each hour at which all legs have a rate, by the hour's end, oldest first. */
  readonly hours: readonly { readonly at: number; readonly net: Decimal }[];
}

export async function carryHistory(
  recorded: Pick<FundingRecorder, 'points'>,
  { connector, legs, to, windows }: CarryRequest,
): Promise<CarryHistory> {
  const from = to - Math.max(...windows) * HOUR_MS;
  const shares = sharesOf(legs.map(({ weight }) => weight));
  const rates: HourlyCarry[] = [];
  for (const { symbol, side } of legs) {
    rates.push(hourlyCarry(await recorded.points(connector, symbol, from, to), side));
    await othersHaveTheirTurn();
  }
  const common = commonHours(rates, from, to);
  const within = windows.map((hours) => common.filter((at) => at > to - hours * HOUR_MS));
  const carries: Carry[] = [];
  for (const [leg, { side, now }] of legs.entries()) {
    const own = rates[leg] ?? new Map();
    carries.push({
      now: now === undefined ? null : yearly([now.rate, now.intervalHours], side),
      means: within.map((hours) => meanCarry(own, hours)),
    });
    await othersHaveTheirTurn();
  }
  return {
    net: {
      now: netCarry(
        carries.map(({ now }) => now),
        shares,
      ),
      means: windows.map((_, window) =>
        netCarry(
          carries.map(({ means }) => means[window]),
          shares,
        ),
      ),
    },
    legs: carries.map((carry, leg) => ({ ...carry, share: shares[leg] ?? ZERO })),
    counts: within.map(({ length }) => length),
    hours: await netOfHours(rates, shares, common),
  };
}

async function netOfHours(
  rates: readonly HourlyCarry[],
  shares: readonly Decimal[],
  hours: readonly number[],
): Promise<CarryHistory['hours']> {
  const made: { readonly at: number; readonly net: Decimal }[] = [];
  const length = Math.ceil(PIECE / rates.length);
  for (const at of hours) {
    const net = netCarry(
      rates.map((leg) => leg.get(at)),
      shares,
    );
    if (net !== null) made.push({ at, net });
    if (made.length % length === 0) await othersHaveTheirTurn();
  }
  return made;
}
