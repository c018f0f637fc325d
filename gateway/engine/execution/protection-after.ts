/** Protection of a position after a plan: remaining brackets at the new size, and brackets set by the order. */
import type { BracketLeg } from '../../domain/bracket.ts';
import {
  type AskedBrackets,
  askedBrackets,
  namedBrackets,
  type OpeningBrackets,
} from '../../domain/bracket-fate.ts';
import { resized, weighed } from '../../domain/bracket-size.ts';
import { dec, text } from '../../domain/decimal.ts';
import { type Protection, protectionOf } from '../../domain/protection.ts';
import type { BasketPlan } from '../../domain/sizing.ts';
import { armBracket } from '../../domain/trailing.ts';
import type { Bracket, BracketKind } from '../../domain/trigger.ts';
import type { ChangedLegs } from '../../domain/users-legs.ts';
import type { EngineDeps } from '../core/deps.ts';
import { marketFacts } from '../core/market-facts.ts';
import { checkBrackets, seenMetric, wholeLegs } from './bracket-checks.ts';

type Deps = Pick<EngineDeps, 'market' | 'state'>;

interface Held {
  readonly id: string;
  readonly legs: readonly BracketLeg[];
}

/** Changes of protection by a plan. */
interface ProtectionChange {
  /** null: the order brings no brackets. Default null. */
  readonly brackets?: Pick<OpeningBrackets, 'replaced' | 'set'> | null;
  /** Legs in their requested sizes, not in lots, which the order's brackets cover. Default: the legs after the plan. */
  readonly asked?: readonly BracketLeg[];
  /** True: the stop-loss does not move further from the market (`bracket-size.ts`). Default false. */
  readonly staysNear?: boolean;
}

/** @param held the position that the plan changes; null: it opens one */
export function protectionAfter(
  { market, state }: Deps,
  connector: string,
  held: Held | null,
  after: readonly BracketLeg[],
  { brackets = null, asked = after, staysNear = false }: ProtectionChange = {},
): readonly Protection[] {
  if (after.every(({ quantity }) => quantity === '0')) return [];
  const facts = marketFacts(market, connector);
  const replaced = new Set(brackets?.replaced.map(({ id }) => id));
  const stays = (held === null ? [] : state.positions.bracketsOf(held.id)).filter(
    ({ id }) => !replaced.has(id),
  );
  const before = held?.legs ?? [];
  return [
    ...stays.map(({ bracketType, armed, status }) => {
      const moved = resized(bracketType, armed, { before, after }, facts, staysNear);
      return shownAs(protectionOf(bracketType, moved, after, facts), status === 'PAUSED');
    }),
    ...(brackets?.set ?? []).map(({ kind, bracket }) => {
      const set = newProtection({ market }, connector, kind, bracket, { before: asked, after });
      return shownAs(set, bracket.pausedByUser === true);
    }),
  ];
}

/** A paused bracket fires nowhere until it is resumed. */
function shownAs(protection: Protection, isPaused: boolean): Protection {
  return isPaused ? { ...protection, firesAt: null, distancePct: null, resultUsd: null } : protection;
}

/** Protection by a bracket if it were set now. */
function newProtection(
  { market }: Pick<Deps, 'market'>,
  connector: string,
  kind: BracketKind,
  bracket: Bracket,
  legs: ChangedLegs,
): Protection {
  const facts = marketFacts(market, connector);
  const seen = seenMetric({ legs: legs.before }, bracket, facts);
  const armed = armBracket(kind, bracket, seen?.gain ?? 'MORE_THAN', seen?.value ?? null);
  return protectionOf(kind, weighed(kind, armed, legs, facts), legs.after, facts);
}

/** Protection of a position with changed brackets. A bracket left out stays, and null removes it. */
export function protectionIfSet(
  deps: Deps,
  connector: string,
  held: Held,
  asked: AskedBrackets,
): readonly Protection[] {
  const replaced = namedBrackets(asked, deps.state.positions.bracketsOf(held.id));
  const brackets = { replaced, set: askedBrackets(asked) };
  return protectionAfter(deps, connector, held, held.legs, { brackets });
}

/** `protectionIfSet`, with the reason for a refusal. */
export function protectionIf(
  deps: Deps,
  connector: string,
  held: Held,
  asked: AskedBrackets,
): { readonly protection: readonly Protection[]; readonly problem: string | null } {
  const checked = checkBrackets(deps, connector, asked, held.legs);
  const details = checked.ok ? [] : checked.error.details;
  const [first] = Array.isArray(details) ? details : [];
  return {
    protection: protectionIfSet(deps, connector, held, asked),
    problem: checked.ok ? null : (first?.message ?? checked.error.message),
  };
}

interface PlannedTrade {
  readonly symbol: string;
  readonly side: BracketLeg['side'];
  readonly quantity: string;
}

/** Legs of an opening plan. */
export function tradedBy({ legs }: BasketPlan): readonly PlannedTrade[] {
  return legs.map(({ leg: { symbol, side }, quantity }) => ({ symbol, side, quantity }));
}

/** Legs with the plan's additions at current marks. */
export function withAdded(
  { market }: Pick<Deps, 'market'>,
  connector: string,
  held: Held | null,
  trades: readonly PlannedTrade[],
): readonly BracketLeg[] {
  const added = trades.flatMap(({ symbol, side, quantity }) => {
    const mark = market.quote(connector, symbol)?.mark;
    return mark === undefined
      ? []
      : [{ symbol, side, quantity, entryNotional: text(dec(mark).mul(quantity)) }];
  });
  return wholeLegs(held, added);
}

/** Legs without the plan's reductions; the entry shrinks in proportion. */
export function withoutClosed(
  { legs }: Held,
  closed: readonly Pick<PlannedTrade, 'symbol' | 'quantity'>[],
): readonly BracketLeg[] {
  return legs.map((leg) => {
    const out = closed.find(({ symbol }) => symbol === leg.symbol)?.quantity ?? '0';
    const left = dec(leg.quantity).minus(out);
    if (out === '0' || left.lte(0)) return left.lte(0) ? { ...leg, quantity: '0', entryNotional: '0' } : leg;
    return {
      ...leg,
      quantity: text(left),
      entryNotional: text(dec(leg.entryNotional).mul(left).div(leg.quantity).toDecimalPlaces(12)),
    };
  });
}
