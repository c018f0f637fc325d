/**
 * The ratio at which the slippage of an order lets its basket be entered at worst; of a single leg, its price. For the eyes,
 * like every ratio here.
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

/** What an order waits for, as far as it says where the basket is entered. */
export interface Waits {
  /** Of the basket's usual subject; of a TWAP its limit, a weighted ratio. */
  readonly levels: readonly number[];
  readonly direction: 'MORE_THAN' | 'LESS_THAN';
  /** What is met already fires at once. */
  readonly isImmediate: boolean;
}

/**
 * `NOW`: at the marks of the moment; `IF_NOW`: the same of an order whose level says nothing of the ratio; `SLICE`: the same of
 * the next slice of a TWAP, `LIMIT`: of one that is sent at its limit.
 */
export type WorstAt = 'NOW' | 'IF_NOW' | 'LEVEL' | 'RUNG' | 'SLICE' | 'LIMIT';

export interface WorstEntry {
  readonly value: number;
  readonly at: WorstAt;
}

/**
 * With each leg at the worst price that it may have: that of a long is above its mark, that of a short below.
 * @param waits of what enters at a level: null: it does not wait, or for something else than the ratio
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
  // A single short is worse the lower its price is; every basket else the higher its ratio is.
  const dearest = worst < now ? Math.min : Math.max;
  const isMet = (level: number) => (waits.direction === 'MORE_THAN' ? now > level : now < level);
  const entries = waits.levels.map((level) =>
    waits.isImmediate && isMet(level) ? dearest(level, now) : level,
  );
  return { value: (dearest(...entries) * worst) / now, at: kind === 'LADDER' ? 'RUNG' : 'LEVEL' };
}

/**
 * The subject where the weighted ratio is at a TWAP's limit, the worst that a slice is sent at; null: there is no limit, or the
 * subject does not follow the weighted ratio, as the price ratio of unlike sides.
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
  // From where both are now: sides that are alike but for rounding then make no difference.
  return now * (limit / weighted) ** (1 / share);
}

function valueAt(subject: ChartSubject, basket: Basket, plan: Plan | null): number | null {
  const prices = new Map(plan?.legs.map(({ symbol, limitPrice }) => [symbol, Number(limitPrice)]));
  return subjectValue(subject, inOrder(basket), (id) => prices.get(id) ?? null);
}

/** Of the ticket as typed. */
export function ticketWaits(ticket: TicketDraft, basket: Basket): Waits | null {
  const { watch, ladder } = ticket;
  if (ticket.kind === 'TRIGGER')
    return triggerWaits(watchInput(watch, basket.legs).condition, watch.allowImmediate, basket);
  // What only reduces takes no limit.
  if (ticket.kind === 'TWAP') return ticket.reduceOnly ? null : limitWaits(weightedLimit(ticket, basket));
  if (ticket.kind !== 'LADDER') return null;
  return ladderWaits(ladder, ladderSubject(ladder, basket), basket);
}

/** Of the order as it is sent. */
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
  // The rungs lie between the first and the last.
  const levels = [start, end].map(Number).filter((level) => level > 0);
  return levels.length < 2 ? null : { levels, direction, isImmediate: allowImmediate };
}
