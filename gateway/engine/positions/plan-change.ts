/** Plans of closing, adjusting or reversing a position at current prices. Records and claims nothing. */
import type { AccountAfter } from '../../domain/account-after.ts';
import { placedBy } from '../../domain/authority.ts';
import type { ReversalBrackets } from '../../domain/bracket-fate.ts';
import { CLOSE_SLIPPAGE } from '../../domain/close-slippage.ts';
import { type DecimalString, dec, sum, text, textRounded } from '../../domain/decimal.ts';
import {
  type BookPreview,
  type ExpectedFill,
  type ExpectedPlan,
  expectedPlan,
  inTurn,
} from '../../domain/expected-fill.ts';
import type { Position, PositionLeg, Principal, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { type PositionWorth, positionWorth } from '../../domain/position-value.ts';
import type { Protection } from '../../domain/protection.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { BasketPlan, LegProblem } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, noop, type Refusable } from '../core/errors.ts';
import { mayOpen } from '../core/may-open.ts';
import { afterOpening, afterTrades, tradesOf, viewFor } from '../execution/account-after.ts';
import { feeRatesOf, type VenueView } from '../execution/ask-venue.ts';
import { expectedOf, expectedOfOpening, ordersOf, previewsOf } from '../execution/expected.ts';
import { planWithView } from '../execution/prepare.ts';
import { protectionAfter, tradedBy, withAdded, withoutClosed } from '../execution/protection-after.ts';
import type { Intention } from '../execution/start-execution.ts';
import type { ExpectedOrder } from '../ports/venue.ts';
import { type AdjustPosition, adjustIntention, closeIntention, openPositionOf } from './change-position.ts';
import { closingProblem } from './closing-problem.ts';
import { limitNow } from './limit-now.ts';
import { planOpposite } from './plan-opposite.ts';
import { bracketsOfReversal, dropsUsersPause, isWhole } from './reverse-position.ts';

export interface PlannedClose {
  readonly symbol: string;
  readonly ticker: string;
  readonly side: TradeLeg['side'];
  readonly quantity: string;
  readonly remaining: string;
  readonly markPrice: string | null;
  readonly expectedPrice: string | null;
  readonly limitPrice: string | null;
  readonly notional: string;
  readonly fee: string;
  readonly realizedPnl: string;
  readonly expected: ExpectedFill | null;
  readonly problem: LegProblem | null;
}

/** A leg before its order book is known. */
interface SizedClose {
  readonly held: PositionLeg;
  readonly order: {
    readonly side: TradeLeg['side'];
    readonly quantity: string;
    readonly limitPrice: string | null;
  };
  readonly ticker: string;
  readonly markPrice: string | null;
  /** Best price of the other side; null: no price is known. */
  readonly touch: string | null;
  readonly problem: LegProblem | null;
}

interface SizedClosing {
  readonly position: Position;
  readonly worth: PositionWorth;
  readonly isWhole: boolean;
  readonly legs: readonly SizedClose[];
  readonly takerRate: string;
}

export interface ClosePlan {
  readonly position: Position;
  /** Value of the position at the marks of the plan. */
  readonly worth: PositionWorth;
  /** True: the whole position is closed, and its brackets end with it. */
  readonly isWhole: boolean;
  readonly legs: readonly PlannedClose[];
  readonly grossNotional: string;
  readonly totalFee: string;
  readonly realizedPnl: string;
  readonly netPnl: string;
  readonly expectedCost: string | null;
  readonly expectedSlippage: string | null;
  /** Account after the fills; null: unknown. */
  readonly after: AccountAfter | null;
  /** Protection of the remaining position. */
  readonly protection: readonly Protection[];
}

type Closing = Omit<ClosePlan, 'after' | 'protection'>;

interface Opening {
  readonly plan: BasketPlan;
  readonly expected: ExpectedPlan;
  readonly after: AccountAfter | null;
}

/** Either an addition or a reduction. */
export interface AdjustPlan {
  readonly worth: PositionWorth;
  readonly open: Opening | null;
  readonly close: ClosePlan | null;
  /** Protection of the position after the adjustment. */
  readonly protection: readonly Protection[];
}

export interface ReversePlan {
  readonly close: ClosePlan;
  readonly open: BasketPlan;
  readonly expected: ExpectedPlan;
  /** Account after both; null: unknown. */
  readonly after: AccountAfter | null;
  readonly brackets: ReversalBrackets;
  /** Protection of the opposite position by the brackets that move to it. */
  readonly protection: readonly Protection[];
}

interface AskedClose {
  readonly positionId: string;
  readonly fraction: string;
  readonly slippage: DecimalString | null;
}

const PLACES = 12;

/** NOOP_ERROR if the position is closed. */
export async function planClose(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  asked: AskedClose,
): Promise<Result<ClosePlan, EngineError>> {
  const sized = await sizedClose(deps, account, asked);
  return sized.ok ? ok(await closePlanNow(deps, principal, account, sized.value)) : sized;
}

async function closePlanNow(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  sized: SizedClosing,
): Promise<ClosePlan> {
  const [previews, view] = await Promise.all([
    previewsOf(deps, account, closingOrders(sized)),
    viewFor(deps, account),
  ]);
  const closing = closePlanOf(sized, previews);
  const { position, legs } = closing;
  return {
    ...closing,
    after: afterClosing(deps, account, view, closing),
    protection: protectionAfter(deps, account.connector, position, withoutClosed(position, legs), {
      staysNear: deps.warden.shares.keepsStopNear(placedBy(principal), position),
    }),
  };
}

function afterClosing(
  deps: EngineDeps,
  account: TradeAccount,
  view: VenueView | null,
  { position, legs }: Closing,
): AccountAfter | null {
  if (view === null) return null;
  const stays = new Map(legs.map(({ symbol, remaining }) => [symbol, remaining]));
  const basket = position.legs.filter((leg) => (stays.get(leg.symbol) ?? leg.quantity) !== '0');
  return afterTrades(deps, account, view, closingTrades(legs), basket);
}

function closingTrades(legs: readonly PlannedClose[]) {
  return legs.map(({ symbol, side, quantity, expectedPrice: price }) => ({ symbol, side, quantity, price }));
}

/** NOOP_ERROR if the position is closed, or needs no change. */
export async function planAdjust(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  adjust: AdjustPosition,
): Promise<Result<AdjustPlan, EngineError>> {
  const found = await openPositionOf(deps, { account, idempotency: null }, adjust.positionId);
  if (!found.ok) return found;
  const asked = adjustIntention(deps, found.value, adjust);
  if (!asked.ok) return asked;
  if (adjust.intent === 'REDUCE') {
    const sized = sizedLegs(deps, account, asked.value);
    const close = await closePlanNow(deps, principal, account, sized);
    return ok({ worth: sized.worth, open: null, close, protection: close.protection });
  }
  const placed = placedBy(principal);
  const basket = { legs: asked.value.legs, totalUsd: null, slippage: asked.value.slippage };
  const planned = await planWithView(deps, { account, basket, placed });
  if (!planned.ok) return fail({ code: 'CONFIGURATION_ERROR', message: planned.error.error, details: {} });
  const { plan, view } = planned.value;
  const worth = worthNow(deps, found.value);
  const allowed = mayOpen(deps, account, placed);
  const refusal = { code: 'RISK_LIMIT', legIndex: null, symbol: null } as const;
  const open: BasketPlan = allowed.ok
    ? plan
    : { ...plan, problems: [{ ...refusal, message: allowed.error.message }, ...plan.problems] };
  const expected = await expectedOf(deps, account, open);
  // Legs without an addition stay in the basket.
  const held = found.value.legs.filter(({ quantity }) => quantity !== '0');
  const after = afterOpening(deps, account, view, open, expected, held);
  const whole = withAdded(deps, account.connector, found.value, tradedBy(open));
  const staysNear = deps.warden.shares.keepsStopNear(placed, found.value);
  const protection = protectionAfter(deps, account.connector, found.value, whole, { staysNear });
  return ok({ worth, open: { plan: open, expected, after }, close: null, protection });
}

async function sizedClose(
  deps: EngineDeps,
  account: TradeAccount,
  { positionId, fraction, slippage }: AskedClose,
): Promise<Result<SizedClosing, EngineError>> {
  const found = await openPositionOf(deps, { account, idempotency: null }, positionId);
  if (!found.ok) return found;
  const asked = closeIntention(deps, found.value, { fraction, slippage, clientId: null });
  return asked.ok ? ok(sizedLegs(deps, account, asked.value)) : asked;
}

function sizedLegs(
  deps: Pick<EngineDeps, 'market' | 'venues' | 'state'>,
  account: TradeAccount,
  { position, legs, slippage, intent }: Intention & { readonly position: Position },
): SizedClosing {
  return {
    position,
    worth: worthNow(deps, position),
    isWhole: intent === 'CLOSE',
    legs: legs.map((leg) => {
      const now = limitNow(deps, position.connector, leg.symbol, leg.side, dec(slippage).toFixed());
      const problem = closingProblem(deps, account, leg, intent === 'CLOSE', now);
      return sizedLeg(position, leg, now, problem);
    }),
    takerRate: feeRatesOf(deps, account).taker,
  };
}

function sizedLeg(
  position: Position,
  { symbol, side, amount: quantity }: TradeLeg,
  { instrument, quote, limit }: ReturnType<typeof limitNow>,
  problem: LegProblem | null,
): SizedClose {
  const held = position.legs.find((one) => one.symbol === symbol);
  if (held === undefined) throw new Error(`${symbol} is no leg of ${position.id}`);
  return {
    held,
    order: { side, quantity, limitPrice: limit },
    ticker: instrument?.symbol ?? symbol,
    markPrice: quote?.mark ?? null,
    touch: quote === undefined ? null : side === 'SELL' ? quote.bid : quote.ask,
    problem,
  };
}

function worthNow({ market }: Pick<EngineDeps, 'market'>, position: Position): PositionWorth {
  return positionWorth(position, (symbol) => market.quote(position.connector, symbol)?.mark);
}

function closingOrders({ legs }: SizedClosing): readonly ExpectedOrder[] {
  return legs.map(({ held: { symbol }, order: { side, quantity, limitPrice: limit } }) => ({
    ...{ symbol, side, quantity, limitPrice: limit ?? '0' },
  }));
}

/** @param previews by leg; null: no book is known, so only the best price of the other side is available */
function closePlanOf(
  { position, worth, isWhole, legs: sized, takerRate }: SizedClosing,
  previews: readonly (BookPreview | null)[],
): Closing {
  const fills = expectedPlan(
    sized.map(({ order: { side }, markPrice }) => ({ side, price: markPrice ?? '0' })),
    previews,
  ).legs;
  const legs = sized.map((leg, index) => plannedLeg(leg, fills[index] ?? null, takerRate));
  // A leg without a trade has no expected price.
  const sent = sized.flatMap(({ order: { side, quantity }, markPrice }, index) =>
    quantity === '0' ? [] : [{ side, price: markPrice ?? '0', preview: previews[index] }],
  );
  const together = expectedPlan(
    sent,
    sent.map(({ preview }) => preview),
  );
  const total = (of: (leg: PlannedClose) => string) => sum(legs.map((leg) => dec(of(leg))));
  const [fee, realized] = [total((leg) => leg.fee), total((leg) => leg.realizedPnl)];
  return {
    ...{ position, worth, isWhole, legs },
    grossNotional: text(total((leg) => leg.notional)),
    totalFee: text(fee),
    realizedPnl: text(realized),
    netPnl: text(realized.minus(fee)),
    expectedCost: together.cost,
    expectedSlippage: together.slippage,
  };
}

function plannedLeg(
  { held, order, ticker, markPrice, touch, problem }: SizedClose,
  expected: ExpectedFill | null,
  takerRate: string,
): PlannedClose {
  const { quantity } = order;
  const price = expected?.averagePrice ?? touch;
  const notional = dec(price ?? held.entryPrice).mul(quantity);
  return {
    ...{ symbol: held.symbol, ticker, ...order },
    remaining: text(dec(held.quantity).minus(quantity)),
    ...{ markPrice, expectedPrice: price },
    notional: textRounded(notional, PLACES),
    fee: textRounded(notional.mul(takerRate), PLACES),
    realizedPnl: price === null ? '0' : gainOf(held, quantity, text(notional)),
    ...{ expected, problem },
  };
}

/** Gain of the closed share. Its cost is the same share of the leg's exact cost. */
function gainOf(leg: PositionLeg, quantity: string, proceeds: string): string {
  const cost = leg.quantity === '0' ? dec(0) : dec(leg.entryNotional).mul(quantity).div(leg.quantity);
  const gain = leg.side === 'BUY' ? dec(proceeds).minus(cost) : cost.minus(proceeds);
  return textRounded(gain, PLACES);
}

export async function planReverse(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  asked: Omit<AskedClose, 'fraction'> & { readonly brackets: 'CARRY' | 'DROP' },
): Refusable<ReversePlan> {
  const sized = await sizedClose(deps, account, { ...asked, fraction: '1' });
  if (!sized.ok) return sized;
  const { position, legs } = sized.value;
  if (legs.every(({ order }) => order.quantity === '0')) return noop('Nothing is open');
  const whole = isWhole(position);
  if (!whole.ok) return whole;
  const untold = closePlanOf(sized.value, []);
  const opposite = await planOpposite(deps, principal, account, untold, asked.slippage ?? CLOSE_SLIPPAGE);
  if (!opposite.ok) return opposite;
  const { plan: open, view } = opposite.value;
  const opening = ordersOf(open);
  const closing = closingOrders(sized.value);
  const laterOf = (symbol: string) => opening.find((one) => one.symbol === symbol)?.quantity ?? '0';
  // Both halves trade on the same side of the same book.
  const both = await previewsOf(
    deps,
    account,
    closing.map((one) => ({ ...one, quantity: text(dec(one.quantity).plus(laterOf(one.symbol))) })),
  );
  const halves = new Map(
    closing.map(({ symbol, quantity }, index) => {
      const preview = both[index] ?? null;
      return [symbol, preview === null ? null : inTurn(preview, quantity)];
    }),
  );
  const of =
    (half: 0 | 1) =>
    ({ symbol }: ExpectedOrder) =>
      halves.get(symbol)?.[half] ?? null;
  const close = closePlanOf(sized.value, closing.map(of(0)));
  const expected = expectedOfOpening(open, opening.map(of(1)));
  const trades = tradesOf(open, expected);
  const brackets = bracketsOfReversal(deps, position, asked.brackets, placedBy(principal));
  const free = dropsUsersPause(deps, principal, brackets);
  if (!free.ok) return free;
  return ok({
    close: { ...close, after: afterClosing(deps, account, view, close), protection: [] },
    open,
    expected,
    after: trades && afterTrades(deps, account, view, [...closingTrades(close.legs), ...trades], trades),
    brackets,
    protection: protectionAfter(
      deps,
      account.connector,
      null,
      withAdded(deps, account.connector, null, tradedBy(open)),
      {
        brackets: {
          replaced: [],
          set: brackets.carried.map(({ from, to }) => ({ kind: from.bracketType, bracket: to })),
        },
      },
    ),
  });
}
