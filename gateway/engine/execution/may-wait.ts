/** Mandate check of pending orders and their changes. It judges the whole amount that an order may open. */
import { placedBy } from '../../domain/authority.ts';
import { rebalanceSlippage } from '../../domain/auto-rebalance.ts';
import type { AskedBrackets } from '../../domain/bracket-fate.ts';
import type { JsonValue } from '../../domain/canonical-json.ts';
import { type DecimalString, dec } from '../../domain/decimal.ts';
import type { MandateKind } from '../../domain/mandate.ts';
import type { Position, Principal, TradeAccount } from '../../domain/model.ts';
import type { RebalanceTerms } from '../../domain/position-setup.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { Asked, AskedTrade, Loss } from '../core/asked.ts';
import { askedOf } from '../core/caller.ts';
import type { EngineDeps } from '../core/deps.ts';
import { busy, type Checked, type EngineError, FINE } from '../core/errors.ts';
import type { Without } from '../core/mandate-usage.ts';
import type { Admission } from '../core/reservations.ts';
import { pauserOf, replacesUsersPause } from '../core/users-pause.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { actedOn, type BroughtAlong, broughtBy, profitSlippage } from './acted-on.ts';
import { heldAsCallerSaw } from './held-as-shown.ts';
import { loosenedByTrade, mayChangeProtection } from './loosening.ts';
import { isHedged, isWithinShare } from './may-place.ts';

type Deps = Pick<EngineDeps, 'warden' | 'state'>;

export interface WaitingOrder {
  readonly account: TradeAccount;
  readonly kind: MandateKind;
  readonly trades: readonly AskedTrade[];
  readonly basketKey: string;
  /** Number of pending orders. */
  readonly rests: number;
  readonly asked: AskedRequest | null;
  /** Brackets and rebalancing that come with the order. Default none. */
  readonly setup?: BroughtAlong;
  /** Protection that the order removes. Default none. */
  readonly loosens?: readonly Loss[];
  /** False: somebody else placed it. Default true. */
  readonly isOwn?: boolean;
  /** Terms of the order before, if it is being changed. Default null. */
  readonly changes?: JsonValue;
  /** The order itself if it is being changed, so that it is not counted twice. */
  readonly without?: Without;
}

/**
 * null: no mandate binds the caller. RESOURCE_BUSY (`details.reason` PAUSED_BY_USER) if the order would replace what
 * the user paused. @param order not called if the caller is the user
 */
export function mayWait(
  { warden, state }: Deps,
  principal: Principal,
  order: () => WaitingOrder,
): Result<Admission | null, EngineError> {
  if (pauserOf({ warden }, principal) !== 'AGENT') return ok(null);
  const { account, kind, trades, basketKey, rests, asked, without, ...waiting } = order();
  const { setup = null, loosens = [], isOwn = true, changes = null } = waiting;
  const position = state.positions.ofBasket(account.id, basketKey);
  const free = replacesUsersPause({ warden, state }, placedBy(principal), position, setup);
  const bound = warden.ofPrincipal(principal);
  if (!free.ok || bound === null) return free;
  const brings = broughtBy(setup);
  return warden.admit(bound, {
    ...{ account, kind, trades, rests, brings, isOwn },
    effect: 'OPENS',
    actsOn: actedOn(position, kind, brings.length > 0),
    opensPosition: position === undefined,
    request: asked,
    isRequest: true,
    changes,
    loosens: loosens.length > 0 ? loosens : undefined,
    closingSlippage: profitSlippage(setup),
    ...(without === undefined ? {} : { without }),
  });
}

/**
 * Judges a caller's later close of a part of a position. null: there is no approval to commit.
 * @param closing legs to close, in base units
 */
export function mayCloseLater(
  deps: Pick<EngineDeps, 'warden' | 'state' | 'market'>,
  principal: Principal,
  account: TradeAccount,
  position: Position,
  closing: Pick<AskedTrade, 'legs' | 'slippage'>,
): Result<Admission | null, EngineError> {
  const same = heldAsCallerSaw(deps, principal, account);
  if (!same.ok) return same;
  const { warden } = deps;
  const bound = warden.ofPrincipal(principal);
  if (bound === null) return ok(null);
  const asked = closeLaterAsk(deps, bound, account, position, closing);
  const caller = askedOf(principal);
  // A close that keeps the hedge needs no approval. An approved close is still bound to what was shown.
  const request = asked.loosens === undefined && caller?.approved == null ? null : caller;
  const admitted = warden.admit(bound, { ...asked, request });
  return admitted.ok && admitted.value.approved === null ? ok(null) : admitted;
}

/** Request to the mandate for a pending close. */
export function closeLaterAsk(
  deps: Pick<EngineDeps, 'warden' | 'state' | 'market'>,
  bound: BoundMandate,
  account: TradeAccount,
  position: Position,
  { legs, slippage }: Pick<AskedTrade, 'legs' | 'slippage'>,
): Asked {
  const loosens = loosenedByTrade(deps, position, legs);
  return {
    ...{ account, kind: 'when', effect: 'REDUCES', trades: [] },
    takesOut: { legs, totalUsd: null, slippage },
    ...{ opensPosition: false, rests: 0, request: null, isRequest: true, closingSlippage: slippage },
    isOwn: isWithinShare(deps.warden, bound, { position, legs }),
    closesHedge: isHedged(legs),
    loosens: loosens.length > 0 ? loosens : undefined,
  };
}

/**
 * RESOURCE_BUSY for a holder with a mandate while the basket of the position is traded. Protection is judged by what is
 * held, and an order that is under way changes that.
 */
export function isAtRest(
  { warden, state }: Pick<EngineDeps, 'warden' | 'state'>,
  principal: Principal | undefined,
  position: Position | undefined,
): Checked {
  if (principal === undefined || position === undefined || warden.ofPrincipal(principal) === null)
    return FINE;
  const heldBy = state.claims.holderOf(position);
  return heldBy === undefined ? FINE : busy('An order of this position is under way: try again', { heldBy });
}

/** Checks a change of a position's take-profit and stop-loss. @param loosens protection that it removes */
export function mayProtect(
  deps: Deps,
  principal: Principal,
  account: TradeAccount,
  position: Position,
  change: AskedBrackets,
  loosens: readonly Loss[],
): Result<Admission | null, EngineError> {
  const settled = isAtRest(deps, principal, position);
  if (!settled.ok) return settled;
  const same = heldAsCallerSaw(deps, principal, account);
  if (!same.ok) return same;
  const acting = { account, kind: 'protect', isOwn: true, actsOn: { position }, loosens } as const;
  const closingSlippage = change.takeProfit?.slippage;
  return mayChangeProtection(deps, principal, { ...acting, closingSlippage });
}

/** Judges a caller's rebalancing of a position. Target weights keep the hedge with which it was opened. */
export function mayKeepWeights(
  deps: Deps,
  principal: Principal,
  account: TradeAccount,
  position: Position,
  terms: Pick<RebalanceTerms, 'mode' | 'action'>,
): Result<Admission | null, EngineError> {
  const settled = isAtRest(deps, principal, position);
  if (!settled.ok) return settled;
  const same = heldAsCallerSaw(deps, principal, account);
  if (!same.ok) return same;
  const bound = deps.warden.ofPrincipal(principal);
  if (bound === null) return ok(null);
  return deps.warden.admit(bound, {
    ...keepWeightsAsk(account, position, terms),
    request: askedOf(principal),
  });
}

/** Request to the mandate for the rebalancing of a position. */
export function keepWeightsAsk(
  account: TradeAccount,
  position: Position,
  { mode, action }: Pick<RebalanceTerms, 'mode' | 'action'>,
): Asked {
  return {
    ...{ account, kind: 'rebalance', effect: 'CHANGES', trades: [], opensPosition: false, rests: 0 },
    ...{ isOwn: true, actsOn: { position }, request: null, isRequest: true },
    loosens:
      action === 'TRADE' && mode !== 'TARGET_WEIGHTS' && isHedged(position.legs) ? [OTHER_HEDGE] : undefined,
    laterSlippage: rebalanceSlippage({ action }),
  };
}

const OTHER_HEDGE: Loss = {
  words: 'Rebalancing by live beta, which may leave more net exposure than the target weights',
};

/**
 * Checks that the caller may move margin of an isolated leg. The venue margins the account's whole quantity of the
 * instrument together, so a withdrawal takes margin from every owner.
 */
export function mayMoveMargin(
  deps: Deps,
  principal: Principal,
  account: TradeAccount,
  { symbol, amount }: { readonly symbol: string; readonly amount: DecimalString },
): Result<null, EngineError> {
  const same = heldAsCallerSaw(deps, principal, account);
  if (!same.ok) return same;
  const { warden } = deps;
  const bound = warden.ofPrincipal(principal);
  if (bound === null) return ok(null);
  const admitted = warden.admit(bound, {
    ...{ account, opensPosition: false, rests: 0, request: null, isRequest: true },
    ...marginAsk(symbol, amount),
  });
  return admitted.ok ? ok(null) : admitted;
}

/** Request to the mandate for a change of margin. */
export function marginAsk(
  symbol: string,
  amount: DecimalString,
): Pick<Asked, 'kind' | 'effect' | 'isOwn' | 'takesMargin' | 'trades' | 'actsOn'> {
  const takesMargin = dec(amount).isNegative();
  const legs = [{ symbol, side: 'BUY', mode: 'USD', amount: '0' }] as const;
  return {
    ...{ kind: 'margin', effect: takesMargin ? 'CHANGES' : 'TIGHTENS', isOwn: true, takesMargin },
    trades: [{ legs, totalUsd: null, slippage: '0' }],
    actsOn: takesMargin ? { symbol } : null,
  };
}

/** Takes the reservation and commits the object with it. If the commit fails, the reservation is released. */
export async function withReservation<T>(
  { warden }: Pick<Deps, 'warden'>,
  admission: Admission | null,
  waits: {
    readonly what: 'TRIGGER' | 'SCHEDULE';
    readonly orders: readonly { readonly id: string; readonly usd: DecimalString }[];
    readonly made: string;
    readonly tradeAccountId: string;
  },
  commit: (reserved: UnitOfWork) => Promise<Result<T, EngineError>>,
): Promise<Result<T, EngineError>> {
  if (admission === null) return commit({});
  const { what, orders, made, tradeAccountId } = waits;
  const waiting = orders.map((order) => ({ ...order, tradeAccountId }));
  let isKept = false;
  try {
    const done = await commit(warden.reservations.rest(admission, what, waiting, made));
    isKept = done.ok;
    return done;
  } finally {
    if (!isKept) warden.reservations.release(orders.map(({ id }) => id));
  }
}

/** Refusal for the caller. If an approval is needed, it waits until the approval request is on disk. */
export async function refusal({ warden }: Pick<Deps, 'warden'>, { error }: { readonly error: EngineError }) {
  return fail(await warden.told(error));
}
