/**
 * Signs of a mandate holder out of control: it is refused again and again, reopens what it has just closed, or trades
 * for the fees. Pure: rules over recent conduct, and the life of its standing as a table.
 */
import { type Decimal, type DecimalString, dec, sum, text } from './decimal.ts';
import { HOUR_MS } from './history-range.ts';
import { type TransitionTable, transition } from './transition.ts';

/** Thresholds of conduct at which a holder is suspended. null: never because of it. */
export interface RunawayRules {
  /** Refused requests within an hour. */
  readonly refusals: number | null;
  /** Reopenings of one basket within ten minutes, each within ten minutes of its close. */
  readonly reopenings: number | null;
  /** Fees paid within an hour, USD. */
  readonly feesUsd: DecimalString | null;
}

/** Standing of a holder: only `TRADES` may open anything. */
export type Standing = 'TRADES' | 'SUSPENDED';
export type StandingEvent = 'suspend' | 'resume';

/** A suspended holder keeps the first reason; only a session resumes it. */
export const STANDING_TRANSITIONS: TransitionTable<Standing, StandingEvent> = {
  TRADES: { suspend: 'SUSPENDED' },
  SUSPENDED: { resume: 'TRADES' },
};

/** A basket as far as its holder has opened and closed it. */
export type BasketTurn = 'NEVER' | 'HELD' | 'CLOSED' | 'HELD_AGAIN';
export type BasketTurnEvent = 'opened' | 'closed';

/** HELD_AGAIN is reached by each reopening, which is counted. */
export const BASKET_TURNS: TransitionTable<BasketTurn, BasketTurnEvent> = {
  NEVER: { opened: 'HELD' },
  HELD: { closed: 'CLOSED' },
  CLOSED: { opened: 'HELD_AGAIN' },
  HELD_AGAIN: { closed: 'CLOSED' },
};

const REOPENED_WITHIN_MS = 10 * 60_000;
/** Baskets of a holder that are remembered, the latest ones. */
const MOST_BASKETS = 500;

interface Turns {
  readonly turn: BasketTurn;
  readonly closedAt: number;
  readonly reopened: readonly number[];
}

/** Recent conduct of a holder. All times come from one clock, ms. */
export interface Conduct {
  readonly refused: readonly number[];
  /** `account basketKey` → its turns. */
  readonly baskets: ReadonlyMap<string, Turns>;
  readonly fees: readonly { readonly at: number; readonly usd: Decimal }[];
}

export const NO_CONDUCT: Conduct = { refused: [], baskets: new Map(), fees: [] };
const NO_TURNS: Turns = { turn: 'NEVER', closedAt: Number.NEGATIVE_INFINITY, reopened: [] };

export function withRefusal(conduct: Conduct, now: number): Conduct {
  return { ...conduct, refused: [...conduct.refused.filter((at) => at > now - HOUR_MS), now] };
}

export function withFees(conduct: Conduct, usd: Decimal, now: number): Conduct {
  if (usd.lte(0)) return conduct;
  return { ...conduct, fees: [...conduct.fees.filter(({ at }) => at > now - HOUR_MS), { at: now, usd }] };
}

/** @param basket `account basketKey` */
export function withTurn(conduct: Conduct, basket: string, event: BasketTurnEvent, now: number): Conduct {
  const before = conduct.baskets.get(basket) ?? NO_TURNS;
  const next = transition(BASKET_TURNS, before.turn, event);
  // Others may have opened or closed the basket in between. Such a turn is not the holder's.
  if (!next.ok) return conduct;
  const since = now - REOPENED_WITHIN_MS;
  const lately = before.reopened.filter((at) => at > since);
  const isReopened = next.value === 'HELD_AGAIN' && before.closedAt > since;
  const after: Turns = {
    turn: next.value,
    closedAt: event === 'closed' ? now : before.closedAt,
    reopened: isReopened ? [...lately, now] : lately,
  };
  const current = [...conduct.baskets].filter(
    ([key, { turn, closedAt }]) => key !== basket && (turn !== 'CLOSED' || closedAt > since),
  );
  return { ...conduct, baskets: new Map([...current.slice(1 - MOST_BASKETS), [basket, after]]) };
}

/** Reason to suspend the holder, in words for people; null: none. @param conducts of all holders that count as one */
export function runawayOf(
  rules: RunawayRules | undefined,
  conducts: readonly Conduct[],
  now: number,
): string | null {
  if (rules === undefined) return null;
  const refused = conducts.flatMap((one) => one.refused).filter((at) => at > now - HOUR_MS).length;
  if (rules.refusals !== null && refused >= rules.refusals)
    return `It was refused ${refused} times within an hour`;
  const baskets = new Set(conducts.flatMap(({ baskets: all }) => [...all.keys()]));
  for (const basket of baskets) {
    const times = conducts.flatMap((one) => one.baskets.get(basket)?.reopened ?? []);
    const reopened = times.filter((at) => at > now - REOPENED_WITHIN_MS).length;
    if (rules.reopenings !== null && reopened >= rules.reopenings)
      return `It opened what it had just closed ${reopened} times within 10 minutes`;
  }
  const paid = conducts.flatMap((one) => one.fees).filter(({ at }) => at > now - HOUR_MS);
  const fees = sum(paid.map(({ usd }) => usd));
  if (rules.feesUsd !== null && fees.gte(dec(rules.feesUsd)))
    return `It paid ${text(fees.toDecimalPlaces(2))} USD of fees within an hour`;
  return null;
}
