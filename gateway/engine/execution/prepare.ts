/**
 * Preparation of a basket: current facts (prices, leverage, margin, the venue's positions), the plan, and the verdict.
 * Sending requires a `PreparedBasket`. Only this file makes one, so that no unprepared basket can be sent.
 */
import { hash } from 'node:crypto';
import type { Placed } from '../../domain/authority.ts';
import { unexplained } from '../../domain/closing-orders.ts';
import { dec, sum, text } from '../../domain/decimal.ts';
import { legName } from '../../domain/execution.ts';
import type { Execution, Order, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { signedQuantity } from '../../domain/position.ts';
import { noWorseThan, onTick } from '../../domain/price-rules.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import {
  type BasketPlan,
  type BasketRequest,
  type LegFacts,
  type LegProblem,
  planBasket,
  type SizedLeg,
} from '../../domain/sizing.ts';
import { netOfLots } from '../../domain/unassigned.ts';
import type { EngineDeps } from '../core/deps.ts';
import { askVenue, feeRatesOf, leverageAt, type NotAnswered, type VenueView } from './ask-venue.ts';
import type { BasketJob } from './basket-job.ts';

/** Lifetime of an order: a venue refuses it afterwards, so an unanswered order can execute only within this time. */
export const ORDER_LIFETIME_MS = 5_000;

const prepared: unique symbol = Symbol('prepared');

/** A basket that has just passed every check. */
export interface PreparedBasket {
  readonly [prepared]: true;
  readonly orders: readonly Order[];
  /** Legs from which the orders were sized, in the same order. */
  readonly legs: readonly SizedLeg[];
}

interface PreparationFailure extends NotAnswered {
  readonly orders: readonly Order[];
}

interface PlanRequest {
  readonly account: TradeAccount;
  readonly basket: BasketRequest;
  readonly placed: Placed;
  /** Instruments whose legs shrink in an execution that also opens (a rebalance). */
  readonly shrinking?: ReadonlySet<string>;
}

/** Client order id of one attempt: 128 bits, the same after a restart, never the same for another attempt. */
export function clientOrderIdOf(executionId: string, legIndex: number, attempt: number): string {
  const digest = hash('sha256', `${executionId}:${legIndex}:${attempt}`, 'hex');
  return `0x${digest.slice(0, 32)}`;
}

type PlanDeps = Pick<EngineDeps, 'market' | 'state' | 'venues' | 'clock' | 'limits'>;

/** Current plan of a basket. Fails if the venue cannot be asked. Instruments must exist. */
export async function plan(deps: PlanDeps, request: PlanRequest): Promise<Result<BasketPlan, NotAnswered>> {
  const planned = await planWithView(deps, request);
  return planned.ok ? ok(planned.value.plan) : planned;
}

/** Plan with the venue's view of the account on which it is based. */
export async function planWithView(
  deps: PlanDeps,
  request: PlanRequest,
): Promise<Result<{ readonly plan: BasketPlan; readonly view: VenueView }, NotAnswered>> {
  const { account, basket } = request;
  const [view, dayProblem] = await Promise.all([askVenue(deps, account), deps.limits.dayProblem(account)]);
  if (!view.ok) return view;
  const { balances } = view.value;
  const facts: LegFacts[] = [];
  for (const leg of basket.legs) {
    const venueNet = view.value.net.get(leg.symbol) ?? '0';
    const shrinks = request.shrinking?.has(leg.symbol) === true;
    if (shrinks && !isAsHeld(deps, account, leg.symbol, venueNet)) {
      return fail({
        error: `The venue holds another quantity of ${leg.symbol} than the baskets do: settle what was traded outside Tandem first`,
        errorCode: 'UNDER_REVIEW',
      });
    }
    const legFacts = factsOf(deps, account, leg, view.value, shrinks);
    if (legFacts === undefined) {
      return fail({
        error: `${leg.symbol} is not an instrument of ${account.connector}`,
        errorCode: 'NOT_TRADABLE',
      });
    }
    facts.push(legFacts);
  }
  const planned = planBasket(basket, facts, {
    freeMargin: balances.freeMargin,
    takerRate: feeRatesOf(deps, account).taker,
  });
  const limit = deps.limits.planProblem(account, request.placed, planned) ?? dayProblem;
  // The limit comes first, because the trader can act on it.
  const first = limit === null ? [] : [{ ...limit, legIndex: null, symbol: null }];
  return ok({ plan: { ...planned, problems: [...first, ...planned.problems] }, view: view.value });
}

/** True: the venue's position matches the baskets. No lot offsets them, and no difference is unexplained. */
function isAsHeld(
  { state }: Pick<EngineDeps, 'state'>,
  account: TradeAccount,
  symbol: string,
  venue: string,
): boolean {
  const legs = state.positions
    .of(account.id)
    .flatMap((position) => position.legs.filter((leg) => leg.symbol === symbol));
  const lots = state.unassigned.of(account.id, symbol);
  const baskets = text(sum(legs.map(signedQuantity)));
  const flights = state.flights.of(account.id, symbol);
  const against = netOfLots(lots).mul(baskets);
  return !against.lt(0) && unexplained({ venue, baskets, lots, flights }).isZero();
}

function factsOf(
  deps: Pick<EngineDeps, 'market' | 'state'>,
  account: TradeAccount,
  leg: TradeLeg,
  { net, positions }: VenueView,
  reduces: boolean,
): LegFacts | undefined {
  const instrument = deps.market.instrument(account.connector, leg.symbol);
  if (instrument === undefined) return undefined;
  return {
    instrument,
    quote: deps.market.quote(account.connector, leg.symbol),
    stale: deps.market.isStale(account.connector, leg.symbol),
    funding: deps.market.funding(account.connector, leg.symbol),
    leverage: leverageAt(deps, account, leg.symbol, positions),
    venueNet: net.get(leg.symbol) ?? '0',
    reduces,
  };
}

/** Sizes the orders of an opening execution and gives them their first attempt, or returns why none may be sent. */
export async function prepare(
  deps: Pick<EngineDeps, 'market' | 'state' | 'venues' | 'clock' | 'limits' | 'warden'>,
  { execution, account, totalUsd }: BasketJob,
): Promise<Result<PreparedBasket, PreparationFailure>> {
  const basket = { legs: execution.orders, totalUsd, slippage: execution.slippage };
  const planned = await plan(deps, {
    account,
    basket,
    placed: execution,
    shrinking: shrinkingLegs(deps, execution),
  });
  const now = deps.clock.now();
  if (!planned.ok) {
    const { error, errorCode } = planned.error;
    const legCode = errorCode === 'CREDENTIALS_MISSING' ? 'CREDENTIALS_MISSING' : null;
    return fail({
      error: `${error}. No orders were placed.`,
      errorCode,
      orders: execution.orders.map((order) => ({
        ...order,
        status: 'CANCELLED',
        error: legCode === null ? null : error,
        errorCode: legCode,
        updatedAt: now,
      })),
    });
  }
  const agreed = withinWorstPrices(deps, execution, planned.value);
  if (agreed.problems.length > 0) return fail(refusal(execution, agreed, now));
  return ok({
    [prepared]: true,
    legs: agreed.legs,
    orders: execution.orders.map((order) => {
      const leg = agreed.legs[order.legIndex];
      if (leg === undefined) throw new Error(`no plan for leg ${order.legIndex} of ${execution.id}`);
      const { quantity, reduceOnly, price: sizedPrice } = leg;
      return nextAttempt(
        { ...order, quantity, sizedPrice, reduceOnly },
        agreedLimit(deps, execution, leg),
        now,
      );
    }),
  });
}

/**
 * Plan with no limit worse than the agreed price. If the market has passed that price, the whole basket is not sent: an
 * order at the agreed price would leave its leg unfilled and the basket one-sided.
 */
function withinWorstPrices(
  { market }: Pick<EngineDeps, 'market'>,
  { connector, orders }: Execution,
  planned: BasketPlan,
): BasketPlan {
  if (!orders.some(({ worstPrice }) => worstPrice !== null)) return planned;
  const problems: BasketPlan['problems'][number][] = [];
  const legs = planned.legs.map((leg) => {
    const { legIndex, problem } = leg;
    const { symbol, side } = leg.leg;
    const agreed = orders[legIndex]?.worstPrice ?? null;
    const quote = market.quote(connector, symbol);
    const instrument = market.instrument(connector, symbol);
    if (agreed === null || problem !== null || quote === undefined || instrument === undefined) return leg;
    const worst = text(onTick(dec(agreed), side, instrument));
    const isBuy = side === 'BUY';
    const isWorse = isBuy ? dec(leg.limitPrice).gt(worst) : dec(leg.limitPrice).lt(worst);
    const limitPrice = isWorse ? worst : leg.limitPrice;
    const reaches = isBuy ? dec(limitPrice).gte(quote.ask) : dec(limitPrice).lte(quote.bid);
    if (reaches) return { ...leg, limitPrice };
    const passed: LegProblem = {
      code: 'SLIPPAGE_EXCEEDED',
      message: `${legName({ legIndex, symbol, side })}: the market (${isBuy ? quote.ask : quote.bid}) is past the worst price that was agreed to (${worst})`,
    };
    problems.push({ ...passed, legIndex, symbol });
    return { ...leg, problem: passed };
  });
  return { ...planned, legs, problems: [...planned.problems, ...problems] };
}

/** Limit of a leg. An approved order gets no worse limit than the price shown to the approver. */
function agreedLimit(
  { warden, market }: Pick<EngineDeps, 'warden' | 'market'>,
  { id, connector }: Execution,
  { leg, price, limitPrice }: SizedLeg,
): string {
  const agreed = warden.reservations.shownPrices(id)?.get(leg.symbol);
  if (agreed === undefined) return limitPrice;
  const instrument = market.instrument(connector, leg.symbol);
  if (instrument === undefined) return limitPrice;
  return text(noWorseThan(dec(agreed), dec(limitPrice), leg.side, dec(price), instrument));
}

const NO_LEG: ReadonlySet<string> = new Set();

/** Legs that a rebalance reduces; the other legs it increases. */
function shrinkingLegs(
  { state }: Pick<EngineDeps, 'state'>,
  { origin, positionId, orders }: Execution,
): ReadonlySet<string> {
  const position = origin === 'REBALANCE' ? state.positions.get(positionId ?? '') : undefined;
  if (position === undefined) return NO_LEG;
  const shrinks = orders.filter(({ symbol, side }) =>
    position.legs.some((leg) => leg.symbol === symbol && leg.side !== side),
  );
  return new Set(shrinks.map(({ symbol }) => symbol));
}

/** The order with its next attempt's client order id, limit and expiry. To be committed before sending. */
export function nextAttempt(order: Order, limitPrice: string, now: number): Order {
  const attempt = order.attempt + 1;
  return {
    ...order,
    limitPrice,
    attempt,
    clientOrderId: clientOrderIdOf(order.executionId, order.legIndex, attempt),
    expiresAt: now + ORDER_LIFETIME_MS,
    error: null,
    errorCode: null,
    updatedAt: now,
  };
}

function refusal(execution: Execution, basket: BasketPlan, now: number): PreparationFailure {
  const whole = basket.problems.find((problem) => problem.legIndex === null);
  const orders = execution.orders.map((order): Order => {
    const problem = basket.legs[order.legIndex]?.problem ?? whole ?? null;
    return {
      ...order,
      status: problem === null ? 'CANCELLED' : 'REJECTED',
      quantity: basket.legs[order.legIndex]?.quantity ?? null,
      error: problem?.message ?? null,
      errorCode: problem?.code ?? null,
      updatedAt: now,
    };
  });
  return {
    error: `${basket.problems.map((problem) => problem.message).join('; ')}. No orders were placed.`,
    errorCode: basket.problems[0]?.code ?? 'VALIDATION_ERROR',
    orders,
  };
}
