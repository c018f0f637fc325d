/** Protection of a position as it would be after a plan: what stays, at the new size, and what the order sets. */
import type { BracketLeg } from '../../domain/bracket.ts';
import { type AskedBrackets, askedBrackets, type OpeningBrackets } from '../../domain/bracket-fate.ts';
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
  /** null: it brings no brackets. Default null. */
  readonly brackets?: Pick<OpeningBrackets, 'replaced' | 'set'> | null;
  /** Legs in the sizes that were asked for, not in lots: the brackets that it brings are for these. Default those after it. */
  readonly asked?: readonly BracketLeg[];
  /** It moves the stop-loss no further from the market (`bracket-size.ts`). Default false. */
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
    ...stays.map(({ bracketType, armed }) =>
      protectionOf(
        bracketType,
        resized(bracketType, armed, { before, after }, facts, staysNear),
        after,
        facts,
      ),
    ),
    ...(brackets?.set ?? []).map(({ kind, bracket }) =>
      newProtection({ market }, connector, kind, bracket, { before: asked, after }),
    ),
  ];
}

/** Protection by a bracket that would be set now. */
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

/** Protection of a position if its brackets were set so: one that is left out stays, null removes it. */
export function protectionIfSet(
  deps: Deps,
  connector: string,
  held: Held,
  asked: AskedBrackets,
): readonly Protection[] {
  const kinds = new Set<BracketKind>([
    ...(asked.takeProfit === undefined ? [] : (['TAKE_PROFIT'] as const)),
    ...(asked.stopLoss === undefined ? [] : (['STOP_LOSS'] as const)),
  ]);
  const replaced = deps.state.positions
    .bracketsOf(held.id)
    .filter(({ bracketType }) => kinds.has(bracketType));
  const brackets = { replaced, set: askedBrackets(asked) };
  return protectionAfter(deps, connector, held, held.legs, { brackets });
}

/** As `protectionIfSet`, with why it would be refused. */
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

/** Legs of a plan that opens. */
export function tradedBy({ legs }: BasketPlan): readonly PlannedTrade[] {
  return legs.map(({ leg: { symbol, side }, quantity }) => ({ symbol, side, quantity }));
}

/** Legs with what a plan adds, at the marks of now. */
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

/** Legs without what a plan takes out; the entry shrinks in proportion. */
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
