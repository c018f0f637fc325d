/**
 * Worst ratio at which the slippage of an order lets its basket be entered, or the price of a single leg. For display
 * only, like every ratio here.
 */
import { type Basket, inOrder } from '../../features/basket/basket.ts';
import { conditionLine } from '../../features/ratio-chart/levels.ts';
import {
  type ChartSubject,
  pnlShare,
  sameSubject,
  subjectValue,
  usualSubject,
} from '../../features/ratio-chart/subject.ts';
import { watchInput } from '../../features/watch-fields/watch.ts';
import { type Plan, planValue } from './chart-lines.ts';
import { ladderSubject, type Order, type TicketDraft, weightedLimit } from './ticket.ts';

/** Levels that an order waits for, as far as they determine the basket's entry. */
export interface Waits {
  /** Values of the basket's usual subject. For a TWAP its limit, a weighted ratio. */
  readonly levels: readonly number[];
  readonly direction: 'MORE_THAN' | 'LESS_THAN';
  /** True: a condition that is already met fires at once. */
  readonly isImmediate: boolean;
}

/**
 * `NOW`: at the current marks; `IF_NOW`: the same for an order whose level does not determine the ratio; `SLICE`: the
 * same for the next slice of a TWAP; `LIMIT`: for a slice that is sent at its limit.
 */
export type WorstAt = 'NOW' | 'IF_NOW' | 'LEVEL' | 'RUNG' | 'SLICE' | 'LIMIT';

export interface WorstEntry {
  readonly value: number;
  readonly at: WorstAt;
}

/**
 * Each leg has its worst allowed price: above the mark for a long, below it for a short.
 * @param waits levels of the entry: null: the order is not pending, or waits for something else than the ratio
 * @returns null while the prices are not known
 */
export function worstEntry(
  basket: Basket,
  plan: Plan | null,
  kind: TicketDraft['kind'],
  waits: Waits | null,
): WorstEntry | null {
  const subject = usualSubject(basket);
  const now = planValue(subject, basket, plan);
  const worst = valueAt(subject, basket, plan);
  if (now === null || worst === null) return null;
  if (kind === 'MARKET') return { value: worst, at: 'NOW' };
  if (kind === 'TWAP') {
    const level = limitLevel(subject, basket, plan, waits?.levels[0]);
    return level === null ? { value: worst, at: 'SLICE' } : { value: (level * worst) / now, at: 'LIMIT' };
  }
  if (waits === null || waits.levels.length === 0) return { value: worst, at: 'IF_NOW' };
  // A single short has its worst entry at the lowest price; every other basket at the highest ratio.
  const dearest = worst < now ? Math.min : Math.max;
  const isMet = (level: number) => (waits.direction === 'MORE_THAN' ? now > level : now < level);
  const entries = waits.levels.map((level) =>
    waits.isImmediate && isMet(level) ? dearest(level, now) : level,
  );
  return { value: (dearest(...entries) * worst) / now, at: kind === 'LADDER' ? 'RUNG' : 'LEVEL' };
}

/**
 * Value of the subject with the weighted ratio at a TWAP's limit, the worst at which a slice is sent; null: no limit,
 * or the subject does not follow the weighted ratio, like the price ratio of unlike sides.
 */
function limitLevel(
  subject: ChartSubject,
  basket: Basket,
  plan: Plan | null,
  limit: number | undefined,
): number | null {
  const share = pnlShare(subject, basket.legs);
  const now = planValue(subject, basket, plan);
  const weighted = planValue({ metric: 'WEIGHTED_RATIO' }, basket, plan);
  if (limit === undefined || share === null || now === null || weighted === null) return null;
  // Relative to current values, so that rounding between equal sides makes no difference.
  return now * (limit / weighted) ** (1 / share);
}

function valueAt(subject: ChartSubject, basket: Basket, plan: Plan | null): number | null {
  const prices = new Map(plan?.legs.map(({ symbol, limitPrice }) => [symbol, Number(limitPrice)]));
  return subjectValue(subject, inOrder(basket), (id) => prices.get(id) ?? null);
}

/** Levels that the ticket waits for as typed. */
export function ticketWaits(ticket: TicketDraft, basket: Basket): Waits | null {
  const { watch, ladder } = ticket;
  if (ticket.kind === 'TRIGGER')
    return triggerWaits(watchInput(watch, basket.legs).condition, watch.allowImmediate, basket);
  // Reduce-only orders take no limit.
  if (ticket.kind === 'TWAP') return ticket.reduceOnly ? null : limitWaits(weightedLimit(ticket, basket));
  if (ticket.kind !== 'LADDER') return null;
  return ladderWaits(ladder, ladderSubject(ladder, basket), basket);
}

/** Levels that the sent order waits for. */
export function orderWaits({ route, body }: Order, basket: Basket): Waits | null {
  if (route === 'POST /triggers/open') return triggerWaits(body.condition, body.allowImmediate, basket);
  if (route === 'POST /schedules') return limitWaits(body.limitRatio);
  if (route !== 'POST /ladders') return null;
  const { metric, symbol = '' } = body;
  return ladderWaits(body, metric === 'PRICE' ? { metric, symbol } : { metric }, basket);
}

export const ORDER_KIND: Readonly<Record<Order['route'], TicketDraft['kind']>> = {
  'POST /trade/open': 'MARKET',
  'POST /triggers/open': 'TRIGGER',
  'POST /schedules': 'TWAP',
  'POST /ladders': 'LADDER',
};

/** An opening TWAP holds its slices back while the weighted ratio is above its limit. */
function limitWaits(limit: string | undefined): Waits | null {
  const level = Number(limit ?? '');
  return level > 0 ? { levels: [level], direction: 'LESS_THAN', isImmediate: true } : null;
}

function triggerWaits(
  condition: Parameters<typeof conditionLine>[0] & Pick<Waits, 'direction'>,
  isImmediate: boolean,
  basket: Basket,
): Waits | null {
  const level = conditionLine(condition, usualSubject(basket));
  if (level === null) return null;
  return { levels: [Number(level)], direction: condition.direction, isImmediate };
}

function ladderWaits(
  {
    start,
    end,
    direction,
    allowImmediate,
  }: Pick<TicketDraft['ladder'], 'start' | 'end' | 'direction' | 'allowImmediate'>,
  subject: ChartSubject,
  basket: Basket,
): Waits | null {
  if (!sameSubject(subject, usualSubject(basket))) return null;
  // All rungs lie between the first and the last.
  const levels = [start, end].map(Number).filter((level) => level > 0);
  return levels.length < 2 ? null : { levels, direction, isImmediate: allowImmediate };
}
