/**
 * Mandate check of a running execution: when it becomes ACTIVE, before each sending, and before each further attempt.
 * The mandate is the current one, not that at acceptance. Nothing is awaited between its answer and the action.
 */
import { type Decimal, dec, sum, text } from '../../domain/decimal.ts';
import type { BrokenLimit } from '../../domain/mandate.ts';
import type { Execution, Order, TradeAccount } from '../../domain/model.ts';
import { isTerminalOrder, remainingQuantity } from '../../domain/order.ts';
import type { LegProblem, SizedLeg } from '../../domain/sizing.ts';
import { filledUsd, worstUsd } from '../../domain/worst-price.ts';
import type { EngineDeps } from '../core/deps.ts';
import { limitText } from '../core/mandate-answers.ts';
import type { BoundMandate } from '../ports/mandate-book.ts';
import { actedOn, broughtBy } from './acted-on.ts';
import { kindOf } from './mandate-kind.ts';
import { sharedMargin } from './may-place.ts';

type Deps = Pick<EngineDeps, 'warden' | 'state' | 'market' | 'clock'>;

/** Orders that could make a position larger. */
function opening(deps: Pick<EngineDeps, 'state'>, execution: Execution, orders: readonly Order[]) {
  const position = deps.state.positions.get(execution.positionId ?? '');
  return orders.filter(
    ({ reduceOnly, symbol, side }) =>
      !reduceOnly &&
      position?.legs.some((leg) => leg.symbol === symbol && leg.side !== side && leg.quantity !== '0') !==
        true,
  );
}

/**
 * Judges sized orders by their cost at their limits, and raises the reservation to it if it was less.
 * @param legs legs from which the orders were sized, with the leverage of the venue's positions
 * @returns the execution for the commit of ACTIVE, or the reason why no order may be sent
 */
export function activation(
  deps: Deps,
  account: TradeAccount,
  execution: Execution,
  orders: readonly Order[],
  legs: readonly Pick<SizedLeg, 'leverage'>[],
): { readonly refused: LegProblem } | { readonly execution: Execution } {
  const bound = deps.warden.of(execution);
  if (bound === null) return { execution };
  const worse = worseThanShown(deps, execution, orders);
  if (worse !== null) return { refused: worse };
  const left = opening(deps, execution, orders).filter((order) => !isTerminalOrder(order));
  if (left.length === 0) return { execution };
  const worst = sum(
    left.map((order) => worstUsd(remainingQuantity(order), order.limitPrice, markOf(deps, order, account))),
  );
  let leverage = 0;
  for (const { legIndex } of left) leverage = Math.max(leverage, legs[legIndex]?.leverage ?? 0);
  const broken =
    brokenBy(deps, bound, account, execution, left, worst, leverage) ??
    sharesUnasked(deps, bound, account, execution, left);
  if (broken !== null) return { refused: problemOf(broken) };
  deps.warden.reservations.keepLeverage(execution.id, leverage);
  const { reserved } = execution;
  if (reserved !== null && dec(reserved.usd).gte(worst)) return { execution };
  return { execution: deps.warden.reservations.raise(execution, text(worst)) };
}

/** Reason why orders about to be sent may not be; null if they may. */
export function heldByMandate(
  deps: Deps,
  account: TradeAccount,
  execution: Execution,
  orders: readonly Order[],
): LegProblem | null {
  const bound = deps.warden.of(execution);
  const { reserved } = execution;
  if (bound === null || reserved === null) return null;
  const broken = brokenBy(
    deps,
    bound,
    account,
    execution,
    opening(deps, execution, orders),
    dec(reserved.usd),
  );
  return broken === null ? null : problemOf(broken);
}

/** True: an execution may retry with orders at new limits, within its reservation. */
export function mayTryAgain(
  deps: Deps,
  account: TradeAccount,
  execution: Execution,
  orders: readonly { readonly order: Order; readonly limitPrice: string }[],
): boolean {
  const bound = deps.warden.of(execution);
  if (bound === null) return true;
  const all = execution.orders.filter(({ reduceOnly }) => !reduceOnly).map(filledUsd);
  const again = orders.map(({ order, limitPrice }) => remainingQuantity(order).mul(limitPrice));
  const worst = sum([...all, ...again]);
  const { reserved } = execution;
  if (reserved !== null && worst.gt(reserved.usd)) return false;
  return (
    brokenBy(deps, bound, account, execution, opening(deps, execution, execution.orders), worst) === null
  );
}

function brokenBy(
  { warden, state }: Deps,
  bound: BoundMandate,
  account: TradeAccount,
  execution: Execution,
  orders: readonly Order[],
  worst: Decimal,
  leverage = warden.reservations.leverageOf(execution.id),
): readonly BrokenLimit[] | null {
  // The first leg carries the whole worst case: limits in USD need only the sum.
  const legs = orders.map(({ symbol, side }, index) => {
    return { symbol, side, mode: 'USD', amount: index === 0 ? text(worst) : '0' } as const;
  });
  const kind = kindOf(execution);
  const brings = broughtBy(state.setups.get(execution.id)).length > 0;
  const judged = warden.judge(bound, {
    account,
    kind,
    effect: 'OPENS',
    trades: [{ legs, totalUsd: null, slippage: '0' }],
    isOwn: true,
    actsOn: actedOn(state.positions.ofBasket(account.id, execution.basketKey), kind, brings),
    opensPosition: execution.intent === 'OPEN' && execution.status === 'IDLE',
    rests: 0,
    leverage,
    request: null,
    isRequest: false,
    without: { execution },
  });
  return judged.verdict === 'refused' ? judged.broken : null;
}

/** Isolated margin of others that an opening shares without an approval; null: none. */
function sharesUnasked(
  deps: Deps,
  bound: BoundMandate,
  account: TradeAccount,
  { id }: Execution,
  orders: readonly Order[],
): readonly BrokenLimit[] | null {
  if (deps.warden.reservations.shownPrices(id) !== undefined) return null;
  const legs = orders.map(({ symbol, side }) => ({ symbol, side, mode: 'USD', amount: '0' }) as const);
  const trades = [{ legs, totalUsd: null, slippage: '0' }];
  const shared = sharedMargin(deps, bound, { account, effect: 'OPENS', trades });
  return shared === null ? null : [shared];
}

/** Refuses an approved order at a worse price than the one shown to the approver. */
function worseThanShown({ warden }: Deps, { id }: Execution, orders: readonly Order[]): LegProblem | null {
  const shown = warden.reservations.shownPrices(id);
  if (shown === undefined) return null;
  const worse = orders.find(({ symbol, side, limitPrice }) => {
    const price = shown.get(symbol);
    if (price === undefined || limitPrice === null) return false;
    return side === 'BUY' ? dec(limitPrice).gt(price) : dec(limitPrice).lt(price);
  });
  if (worse === undefined) return null;
  return {
    code: 'RISK_LIMIT',
    message: `${worse.symbol}: the price moved beyond ${shown.get(worse.symbol) ?? ''}, the worst that was approved`,
  };
}

function markOf({ market }: Deps, { symbol }: Order, { connector }: TradeAccount): string | null {
  return market.quote(connector, symbol)?.mark ?? null;
}

function problemOf(broken: readonly BrokenLimit[]): LegProblem {
  return {
    code: 'RISK_LIMIT',
    message: `The mandate does not allow it. ${broken.map(limitText).join('; ')}`,
  };
}
