/** Mandate check of an execution, at its acceptance or when it fires. */
import { rebalanceSlippage } from '../../domain/auto-rebalance.ts';
import { dec } from '../../domain/decimal.ts';
import { limitCloseSlippage } from '../../domain/limit-close-slippage.ts';
import type { BrokenLimit, MandateKind } from '../../domain/mandate.ts';
import type { Position, TradeLeg } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Asked, Loss } from '../core/asked.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, FINE } from '../core/errors.ts';
import { agentLimit } from '../core/mandate-answers.ts';
import type { Admission } from '../core/reservations.ts';
import { replacesUsersPause } from '../core/users-pause.ts';
import type { Warden } from '../core/warden.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';
import { actedOn, broughtBy, profitSlippage } from './acted-on.ts';
import { reducesPosition } from './basket-job.ts';
import { basketKeyOf } from './basket-key.ts';
import type { Intention, ReserveExecution } from './intention.ts';
import { countPeeled, loosenedByOrder, loosenedByReversal, loosenedByTrade } from './loosening.ts';
import { kindOf } from './mandate-kind.ts';

const NO_LEGS: Intention['legs'] = [];
const NO_KINDS: readonly MandateKind[] = [];

type Deps = Pick<EngineDeps, 'warden' | 'state' | 'market' | 'basketKey'>;
type Placing = Pick<ReserveExecution, 'account' | 'basketKey' | 'request' | 'instead' | 'acceptedAt'>;

/**
 * Reservation to take; null if no mandate binds the order or it needs none. RESOURCE_BUSY (`details.reason`
 * PAUSED_BY_USER) if a request would replace what the user paused; a fired order keeps it (`arm-setup.ts`).
 */
export function mayPlace(
  deps: Deps,
  placing: Placing & Pick<ReserveExecution, 'placed'>,
  intention: Intention,
): Result<Admission | null, EngineError> {
  const { warden } = deps;
  const { placed, request } = placing;
  const free =
    request === undefined ? FINE : replacesUsersPause(deps, placed, intention.position, intention.setup);
  const bound = warden.of(placed);
  if (!free.ok || bound === null) return free;
  const beyond = closedForOthers(deps, bound, placing, intention);
  if (beyond !== null) return agentLimit([beyond]);
  const asked = askOfPlacing(deps, bound, placing, intention);
  if (asked === null) return ok(null);
  const shared = request === undefined ? sharedMargin(deps, bound, asked) : null;
  if (shared !== null) return agentLimit([shared]);
  const admitted = warden.admit(bound, asked);
  if (!admitted.ok) return admitted;
  // The end of an approval is committed with the object that results from it.
  return asked.effect === 'OPENS' || admitted.value.approved !== null ? admitted : ok(null);
}

/**
 * Isolated margin of others that an order would share unasked. Nobody is asked when it fires or begins: its user may have
 * opened there since.
 */
export function sharedMargin(
  { warden }: Pick<EngineDeps, 'warden'>,
  bound: BoundMandate,
  asked: Pick<Asked, 'account' | 'effect' | 'trades'>,
): BrokenLimit | null {
  if (warden.shares.marginSharedBy(bound, asked).length === 0) return null;
  return { limit: 'manage', allowed: 'OWN', used: 'PART', asked: 'ALL' };
}

/**
 * Limit that a fired close of others' position breaks, which was accepted under wider limits; null: none. What the
 * holder placed before it had a mandate is its user's, and a stop-loss is never held back.
 */
function closedForOthers(
  { warden }: Pick<EngineDeps, 'warden'>,
  bound: BoundMandate,
  { account, acceptedAt = 0 }: Placing,
  { position, isStopLoss, intent }: Intention,
): BrokenLimit | null {
  const closes = intent === 'CLOSE' || intent === 'REDUCE';
  if (!closes || position === null || isStopLoss === true || acceptedAt < bound.since) return null;
  if (warden.shares.owned(bound, account, { position }) !== 'NONE') return null;
  const { accounts, manage } = bound.mandate;
  if (!accounts.includes(account.id))
    return { limit: 'accounts', allowed: null, used: null, asked: account.id };
  return manage === 'OWN' ? { limit: 'manage', allowed: 'OWN', used: null, asked: 'ALL' } : null;
}

/** Request to the mandate for an order, equal for preview and placement; null: the order needs no check. */
export function askOfPlacing(
  deps: Deps,
  bound: BoundMandate,
  { account, basketKey, request, instead }: Placing,
  intention: Intention,
): Asked | null {
  const { warden } = deps;
  const { position, intent, slippage, totalUsd = null } = intention;
  const kind = kindOf(intention);
  const isReversal = intent === 'REVERSE';
  const reduces = intent === 'CLOSE' || intent === 'REDUCE';
  // A reversal's orders have the sides of the basket that it opens.
  const legs = isReversal ? intention.legs : openingLegs(intention.legs, position);
  const opens = !reduces && legs.length > 0;
  const out =
    legs.length === intention.legs.length ? NO_LEGS : intention.legs.filter((leg) => !legs.includes(leg));
  // A fired order is judged again when it arms its brackets, against the protection at that time.
  const loosens =
    request === undefined ? loosenedBySlice(deps, bound, intention) : loosenedBy(deps, intention);
  // An automatic close was accepted at its creation: protection must not fail when needed. A rebalance is checked.
  if (!opens && request === undefined && kind !== 'rebalance' && loosens.length === 0) return null;
  const brought = broughtBy(intention.setup);
  // Brackets that a reversal moves are for the opposite basket.
  const grown = isReversal
    ? deps.state.positions.ofBasket(account.id, basketKeyOf(deps, intention.legs))
    : position;
  return {
    account,
    kind,
    effect: opens ? 'OPENS' : 'REDUCES',
    trades: opens ? [{ legs, totalUsd, slippage }] : [],
    takesOut: out.length === 0 ? undefined : { legs: out, totalUsd, slippage },
    // Brackets that a reversal moves existed already.
    brings: isReversal || request === undefined ? NO_KINDS : brought,
    actsOn: actedOn(grown, kind, brought.length > 0),
    loosens: loosens.length > 0 ? loosens : undefined,
    // A fired order was judged at its acceptance.
    closingSlippage:
      request === undefined ? undefined : reduces || isReversal ? slippage : profitSlippage(intention.setup),
    laterSlippage: request === undefined ? undefined : rebalanceSlippage(intention.setup?.autoRebalance),
    closesHedge: request !== undefined && (reduces || isReversal) && isHedged(intention.legs),
    isOwn: request === undefined || isWithinShare(warden, bound, intention),
    opensPosition: opens && deps.state.positions.ofBasket(account.id, basketKey) === undefined,
    rests: 0,
    request: request?.asked ?? null,
    isRequest: request !== undefined,
    without: instead === undefined ? undefined : { waiting: instead },
  };
}

/**
 * Limits the slippage of a fired close to that which the current mandate allows, so that the close is not refused. A
 * stop-loss keeps its own slippage.
 */
export function limitClosing(
  { warden }: Pick<EngineDeps, 'warden'>,
  { placed, request }: Pick<ReserveExecution, 'placed' | 'request'>,
  intention: Intention,
): Intention {
  if (request !== undefined || intention.isStopLoss === true || !reducesPosition(intention)) return intention;
  const bound = warden.of(placed);
  if (bound === null) return intention;
  return { ...intention, slippage: limitCloseSlippage(bound.mandate, intention.slippage) };
}

/** Hedge that a slice of a suspended holder would take away: what was accepted before its suspension waits. */
function loosenedBySlice(deps: Deps, { suspended }: BoundMandate, intention: Intention): readonly Loss[] {
  const { origin, position, legs } = intention;
  if (suspended === null || origin !== 'SCHEDULE' || position === null || !touchesHedge(intention)) return [];
  return loosenedByTrade(deps, position, legs);
}

/** Protection that an order removes. */
function loosenedBy(deps: Pick<EngineDeps, 'state' | 'market'>, intention: Intention): readonly Loss[] {
  const { brackets = null, position, setup } = intention;
  const replaced = brackets?.kind === 'reversal' ? [] : loosenedByOrder(deps, position, setup);
  return [...loosenedAtOnce(deps, intention), ...replaced];
}

/** Protection that an order removes before its opening legs fill. */
export function loosenedAtOnce(
  deps: Pick<EngineDeps, 'market' | 'state'>,
  intention: Intention,
): readonly Loss[] {
  const { brackets = null, position, legs } = intention;
  if (position === null) return [];
  return [
    ...(brackets?.kind === 'reversal' ? loosenedByReversal(deps, position, brackets) : []),
    ...(touchesHedge(intention) ? loosenedByTrade(deps, position, legs) : []),
  ];
}

/** Counts the part of a hedge that an order removes, if it is too small for an approval. */
export function peel(deps: Pick<EngineDeps, 'market' | 'state'>, intention: Intention): void {
  const { position, legs } = intention;
  if (position !== null && touchesHedge(intention)) countPeeled(deps, position, legs);
}

function touchesHedge({ position, intent, legs }: Intention): boolean {
  return position !== null && intent !== 'REVERSE' && takenFrom(position, legs).length > 0;
}

/** True: the reduction of a position is within the holder's share. */
export function isWithinShare(
  warden: Warden,
  bound: BoundMandate,
  { position, legs }: Pick<Intention, 'position' | 'legs'>,
): boolean {
  if (position === null) return true;
  const keys = warden.keysOf(bound);
  return takenFrom(position, legs).every(({ symbol, amount }) =>
    warden.holdings.shareOf(keys, position.id, symbol).gte(amount),
  );
}

/** True: legs on both sides. Trading one without the others leaves the position less hedged. */
export function isHedged(legs: readonly Pick<TradeLeg, 'side'>[]): boolean {
  return legs.some(({ side }) => side !== legs[0]?.side);
}

/** Reducing legs of a trade in a position, base units. Reductions are always requested in base units. */
export function takenFrom(position: Position, legs: Intention['legs']): Intention['legs'] {
  return legs.filter(({ symbol, side, amount }) =>
    position.legs.some((leg) => leg.symbol === symbol && leg.side !== side && dec(amount).gt(0)),
  );
}

/** Legs of a trade that could enlarge a position. Legs against its holdings reduce it. */
function openingLegs(legs: readonly TradeLeg[], position: Position | null): readonly TradeLeg[] {
  if (position === null) return legs;
  return legs.filter(
    ({ symbol, side }) => !position.legs.some((leg) => leg.symbol === symbol && leg.side !== side),
  );
}
