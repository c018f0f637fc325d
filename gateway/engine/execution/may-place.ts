/** The mandate of whoever placed an execution, asked when it is accepted or fires. */
import { rebalanceSlippage } from '../../domain/auto-rebalance.ts';
import { dec } from '../../domain/decimal.ts';
import { limitCloseSlippage } from '../../domain/limit-close-slippage.ts';
import type { MandateKind } from '../../domain/mandate.ts';
import type { Position, TradeLeg } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { Asked } from '../core/asked.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, FINE } from '../core/errors.ts';
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
type Placing = Pick<ReserveExecution, 'account' | 'basketKey' | 'request' | 'instead'>;

/**
 * null: no mandate binds it, or it takes nothing of one. RESOURCE_BUSY (`details.reason` PAUSED_BY_USER) where a request would
 * replace what the user paused; what fires leaves that as it is (`resting/triggers/arm-setup.ts`).
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
  const asked = askOfPlacing(deps, bound, placing, intention);
  if (asked === null) return ok(null);
  const admitted = warden.admit(bound, asked);
  if (!admitted.ok) return admitted;
  // The end of an approval is committed with whatever it becomes.
  return asked.effect === 'OPENS' || admitted.value.approved !== null ? admitted : ok(null);
}

/** Ask to the mandate for an order, the same for its preview and its placing; null: it asks for nothing. */
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
  // What closes by itself was accepted when it was made: protection is not refused when it is needed. A rebalance is none.
  if (!opens && request === undefined && kind !== 'rebalance') return null;
  const brought = broughtBy(intention.setup);
  // What a reversal carries over is for the opposite basket.
  const grown = isReversal
    ? deps.state.positions.ofBasket(account.id, basketKeyOf(deps, intention.legs))
    : position;
  // What fires is judged again as it arms its brackets, by what protects the position then.
  const loosens = request === undefined ? [] : loosenedBy(deps, intention);
  return {
    account,
    kind,
    effect: opens ? 'OPENS' : 'REDUCES',
    trades: opens ? [{ legs, totalUsd, slippage }] : [],
    takesOut: out.length === 0 ? undefined : { legs: out, totalUsd, slippage },
    // What a reversal carries over was there already.
    brings: isReversal || request === undefined ? NO_KINDS : brought,
    actsOn: actedOn(grown, kind, brought.length > 0),
    loosens: loosens.length > 0 ? loosens : undefined,
    // An order that fires was judged when it was accepted.
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
 * A close that fires, within the slippage that the mandate of whoever placed it allows now: a close must not be lost. A
 * stop-loss keeps its own.
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

/** Protection that is lost by an order, in words. */
function loosenedBy(deps: Pick<EngineDeps, 'state' | 'market'>, intention: Intention): readonly string[] {
  const { brackets = null, position, setup } = intention;
  const replaced = brackets?.kind === 'reversal' ? [] : loosenedByOrder(deps, position, setup);
  return [...loosenedAtOnce(deps, intention), ...replaced];
}

/** Protection that is lost before anything that the order opens has filled, in words. */
export function loosenedAtOnce(
  deps: Pick<EngineDeps, 'market' | 'state'>,
  intention: Intention,
): readonly string[] {
  const { brackets = null, position, legs } = intention;
  if (position === null) return [];
  return [
    ...(brackets?.kind === 'reversal' ? loosenedByReversal(brackets) : []),
    ...(touchesHedge(intention) ? loosenedByTrade(deps, position, legs) : []),
  ];
}

/** Counts what an order takes of a hedge that is too little to be asked about. */
export function peel(deps: Pick<EngineDeps, 'market' | 'state'>, intention: Intention): void {
  const { position, legs } = intention;
  if (position !== null && touchesHedge(intention)) countPeeled(deps, position, legs);
}

function touchesHedge({ position, intent, legs }: Intention): boolean {
  return position !== null && intent !== 'REVERSE' && takenFrom(position, legs).length > 0;
}

/** Whether what is taken out of a position is no more than the holder's share. */
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

/** Legs of both sides: one that trades without the others leaves the position less hedged. */
export function isHedged(legs: readonly Pick<TradeLeg, 'side'>[]): boolean {
  return legs.some(({ side }) => side !== legs[0]?.side);
}

/** Base units that legs take out of a position. Whoever takes out asks in base units. */
export function takenFrom(position: Position, legs: Intention['legs']): Intention['legs'] {
  return legs.filter(({ symbol, side, amount }) =>
    position.legs.some((leg) => leg.symbol === symbol && leg.side !== side && dec(amount).gt(0)),
  );
}

/** Legs of a trade that could make a position larger: those against what it holds take out of it. */
function openingLegs(legs: readonly TradeLeg[], position: Position | null): readonly TradeLeg[] {
  if (position === null) return legs;
  return legs.filter(
    ({ symbol, side }) => !position.legs.some((leg) => leg.symbol === symbol && leg.side !== side),
  );
}
