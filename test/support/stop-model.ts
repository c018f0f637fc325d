/**
 * An independent model of what a stop-loss is worth: the result of a position where its stop-loss closes it, along several
 * ways that the market may take. It knows the metrics from their description, computes in plain numbers, and finds the price
 * at which a stop fires by trying.
 */
import type { Json } from './json.ts';

/** Leg of a position with plain numbers; the mark is the present one. */
interface Leg {
  readonly sign: 1 | -1;
  readonly quantity: number;
  readonly entry: number;
  readonly mark: number;
}

/** Ways in which the legs lose: all of them, or one of them alone. */
const WAYS = [
  () => true,
  (leg: Leg, legs: readonly Leg[]) => leg === legs[0],
  (leg: Leg, legs: readonly Leg[]) => leg === legs.at(-1),
] as const;
/** The market gains this much for the position before it turns, as a fraction of each price. */
const RISES = [0, 0.2, 0.8];
const NEVER_FIRES = Number.NEGATIVE_INFINITY;

function legsOf(position: Json): readonly Leg[] {
  return position.legs
    .filter(({ quantity }: Json) => Number(quantity) > 0)
    .map((leg: Json): Leg => {
      const { side, quantity, entryPrice, markPrice } = leg;
      const sign = side === 'BUY' ? 1 : -1;
      return {
        sign,
        quantity: Number(quantity),
        entry: Number(entryPrice) * Number(quantity),
        mark: Number(markPrice),
      };
    });
}

/** Entry notional of a position, USD. */
export function entryOf({ legs }: Json): number {
  return legs.reduce(
    (sum: number, { entryPrice, quantity }: Json) => sum + Number(entryPrice) * Number(quantity),
    0,
  );
}

/** Prices after each leg of `way` has moved by `gain` in favour of the position; a loss is negative. */
function moved(legs: readonly Leg[], way: (typeof WAYS)[number], gain: number): readonly number[] {
  return legs.map((leg) => leg.mark * (way(leg, legs) ? 1 + leg.sign * gain : 1));
}

function pnl(legs: readonly Leg[], prices: readonly number[]): number {
  return legs.reduce(
    (sum, { sign, quantity, entry }, at) => sum + sign * (quantity * (prices[at] ?? 0) - entry),
    0,
  );
}

/** Value of a metric, turned so that it rises when the holder gains. */
function metric(type: string, legs: readonly Leg[], prices: readonly number[]): number {
  const entry = legs.reduce((sum, leg) => sum + leg.entry, 0);
  const result = pnl(legs, prices);
  const [first = 0, second = 1] = prices;
  switch (type) {
    case 'PERCENTAGE':
      return (100 * result) / entry;
    case 'DOLLAR':
      return result;
    case 'POSITION_VALUE':
      return entry + result;
    case 'PRICE':
      return (legs[0]?.sign ?? 1) * first;
    case 'PRICE_RATIO':
      return legs[0]?.sign === 1 ? first / second : second / first;
    case 'WEIGHTED_RATIO':
      return legs.reduce(
        (product, leg, at) => product * (prices[at] ?? 0) ** ((leg.sign * leg.entry) / entry),
        1,
      );
    default:
      throw new Error(`the model does not know ${type}`);
  }
}

/** Product of the marks, each to the power of its leg's share of the entry, of a short leg its inverse. */
export function weightRatioOf(position: Json): number {
  const legs = legsOf(position);
  return metric(
    'WEIGHTED_RATIO',
    legs,
    legs.map(({ mark }) => mark),
  );
}

/** The level of a stop after the metric has been at `best`, turned like the metric. */
function levelAfter(stop: Json, legs: readonly Leg[], best: number): number {
  const isShortPrice = stop.type === 'PRICE' && legs[0]?.sign === -1;
  const turn = isShortPrice ? -1 : 1;
  const level = turn * Number(stop.level);
  if (stop.trailing === null) return level;
  const { delta, activation } = stop.trailingNow;
  const hasBegun = stop.peak !== null || activation === null || best >= turn * Number(activation);
  return hasBegun ? Math.max(level, best - Number(delta)) : level;
}

/**
 * The stop as it would stand after the position has grown from `was` to `is`, had nobody touched it: a value and what it trails
 * by grow with what is added, and a level that trails keeps its distance from the metric.
 */
export function stoodAt(stop: Json, was: Json, is: Json): Json {
  const [before, after] = [legsOf(was), legsOf(is)];
  if (stop.type === 'POSITION_VALUE') return grownBy(stop, entryOf(is) / entryOf(was));
  const now = (legs: readonly Leg[]) =>
    metric(
      stop.type,
      legs,
      after.map(({ mark }) => mark),
    );
  if (stop.type === 'WEIGHTED_RATIO') return grownBy(stop, now(after) / now(before));
  const turn = stop.type === 'PRICE' && after[0]?.sign === -1 ? -1 : 1;
  const isPnl = stop.type === 'PERCENTAGE' || stop.type === 'DOLLAR';
  const own = isPnl ? -Number(stop.value) : turn * Number(stop.value);
  const jump = now(after) - now(before);
  const level = turn * Number(stop.level);
  const trails = stop.trailing !== null && level > own;
  return trails ? { ...stop, level: String(turn * Math.max(own, level + jump)) } : stop;
}

function grownBy(stop: Json, factor: number): Json {
  const times = (one: string | null) => (one === null ? null : String(Number(one) * factor));
  const { trailingNow: old } = stop;
  const trailingNow = old && { delta: times(old.delta), activation: times(old.activation) };
  return { ...stop, level: times(stop.level), trailingNow };
}

/** Results in USD where the stop closes the position, one for each way of the market. Without a stop there is no bound. */
export function resultsAtStop(stop: Json | null, position: Json): readonly number[] {
  const legs = legsOf(position);
  return WAYS.flatMap((way) =>
    RISES.map((rise) => {
      const far = distance(stop, legs, way, rise);
      return far === Number.POSITIVE_INFINITY ? NEVER_FIRES : pnl(legs, moved(legs, way, -far));
    }),
  );
}

/** Fraction of its price that each leg loses until the stop fires, once they have gained `rise`. */
function distance(stop: Json | null, legs: readonly Leg[], way: (typeof WAYS)[number], rise: number): number {
  if (stop === null || stop.status === 'PAUSED') return Number.POSITIVE_INFINITY;
  const best = metric(stop.type, legs, moved(legs, way, rise));
  const level = levelAfter(stop, legs, best);
  const fires = (loss: number) => metric(stop.type, legs, moved(legs, way, -loss)) < level;
  let [low, high] = [-rise, 20];
  if (!fires(high)) return Number.POSITIVE_INFINITY;
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    if (fires(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * True: the market has further to go until the stop fires than before, all legs losing alike.
 * @param over as a fraction of the prices, more than which counts
 */
export function isFurther(
  was: Json,
  is: Json,
  over = 1e-6,
  { givenBack, alone }: Bound = AS_BEFORE,
): boolean {
  const marks = legsOf(is).map(({ mark }) => mark);
  const far = (position: Json) => {
    const legs = legsOf(position).map((leg, at) => ({ ...leg, mark: marks[at] ?? leg.mark }));
    // The level of now knows what trailing has seen.
    return distance({ ...position.stopLoss, trailing: null }, legs, WAYS[0], 0);
  };
  // The market may have moved after the change, and a position of other weights and size by another share.
  const drift = Math.max(...legsOf(was).map(({ mark }, at) => Math.abs((marks[at] ?? mark) / mark - 1)));
  const [old, next] = [was, is].map(weightsOf);
  const shifted = (next ?? []).reduce((sum, weight, at) => sum + Math.abs(weight - (old?.[at] ?? 0)), 0);
  return far(is) > Math.max(far(was) * givenBack, alone) + over + drift * (shifted + givenBack - 1) * 1.2;
}

/** Shares of the legs in the position's gross notional. */
function weightsOf(position: Json): readonly number[] {
  const notionals = legsOf(position).map(({ quantity, mark }) => quantity * mark);
  const gross = notionals.reduce((sum, one) => sum + one, 0);
  return notionals.map((one) => one / gross);
}

/** Bounds of how far the market may have to go to a stop-loss after a change by others than the user. */
export interface Bound {
  /** Factor of the distance before: additions had brought the market nearer to a stop-loss in USD, and are taken out again. */
  readonly givenBack: number;
  /** Distance that it would have if others had never added anything, as a fraction of the prices. */
  readonly alone: number;
}
export const AS_BEFORE: Bound = { givenBack: 1, alone: 0 };

/** The part of a position that no others than its user brought, with its stop-loss as it was then. */
export class UsersPart {
  #part: { readonly stop: Json; readonly legs: readonly Leg[] } | null = null;

  /** Takes in a change by others. */
  change(was: Json | undefined, is: Json | undefined): Bound {
    if (was?.stopLoss == null || is?.stopLoss == null || !isSameStop(was, is)) return this.#forget();
    const [before, after] = [legsOf(was), legsOf(is)];
    const part = this.#part ?? { stop: was.stopLoss, legs: before };
    if (before.length !== after.length) return this.#forget();
    const now = (leg: Leg, at: number) => ({ ...leg, mark: after[at]?.mark ?? leg.mark });
    const legs = part.legs.map(now);
    const alone = distance({ ...part.stop, trailing: null }, legs, WAYS[0], 0);
    const isCut = part.legs.some((leg, at) => leg.quantity > (after[at]?.quantity ?? 0));
    // A cut of the part takes out what others had added, too: it may stand as the part stood alone, and no further off.
    if (isCut) {
      this.#part = null;
      return { givenBack: 1, alone };
    }
    const isWhole = legs.every(({ quantity }, at) => quantity === after[at]?.quantity);
    this.#part = isWhole ? null : part;
    const size = grossOf(after) / grossOf(before.map(now));
    const share = 1 - grossOf(legs) / grossOf(before.map(now));
    return {
      givenBack: was.stopLoss.type === 'DOLLAR' ? 1 / (1 - Math.min(share, Math.max(0, 1 - size))) : 1,
      alone,
    };
  }

  #forget(): Bound {
    this.#part = null;
    return AS_BEFORE;
  }
}

const grossOf = (legs: readonly Leg[]): number =>
  legs.reduce((sum, { quantity, mark }) => sum + quantity * mark, 0);

function isSameStop(was: Json | undefined, is: Json | undefined): boolean {
  return was !== undefined && was.id === is?.id && was.stopLoss?.triggerId === is?.stopLoss?.triggerId;
}

/** The ways on which `after` lets the position lose more than `before`; rounding is none. */
export function worseThan(before: readonly number[], after: readonly number[]): boolean {
  return before.some((result, at) => {
    const now = after[at] ?? NEVER_FIRES;
    return now < result - 1e-6 * Math.max(1, Math.abs(result));
  });
}
