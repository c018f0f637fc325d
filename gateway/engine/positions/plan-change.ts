/** What closing or reversing a position would do at the prices of the moment. Nothing is recorded or claimed. */
import { placedBy } from '../../domain/authority.ts';
import type { ReversalBrackets } from '../../domain/bracket-fate.ts';
import { type DecimalString, dec, sum, text, textRounded } from '../../domain/decimal.ts';
import type { ExpectedPlan } from '../../domain/expected-fill.ts';
import type { Position, PositionLeg, Principal, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { limitPrice } from '../../domain/price-rules.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { type BasketPlan, type LegProblem, planBasket } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import { type EngineError, noop, type Refusable } from '../core/errors.ts';
import { mayOpen } from '../core/may-open.ts';
import { askVenue, feeRatesOf } from '../execution/ask-venue.ts';
import { expectedOf } from '../execution/open-basket.ts';
import { closeIntention, openPositionOf } from './change-position.ts';
import { bracketsOfReversal } from './reverse-position.ts';

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
  readonly problem: LegProblem | null;
}

export interface ClosePlan {
  readonly position: Position;
  /** The whole position: its brackets end with it. */
  readonly isWhole: boolean;
  readonly legs: readonly PlannedClose[];
  readonly grossNotional: string;
  readonly totalFee: string;
  readonly realizedPnl: string;
  readonly netPnl: string;
}

export interface ReversePlan {
  readonly close: ClosePlan;
  readonly open: BasketPlan;
  readonly expected: ExpectedPlan;
  readonly brackets: ReversalBrackets;
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
  account: TradeAccount,
  { positionId, fraction, slippage }: AskedClose,
): Promise<Result<ClosePlan, EngineError>> {
  const found = await openPositionOf(deps, { account, idempotency: null }, positionId);
  if (!found.ok) return found;
  const asked = closeIntention(deps, found.value, { fraction, slippage, clientId: null });
  if (!asked.ok) return asked;
  const rate = feeRatesOf(deps, account).taker;
  const legs = asked.value.legs.map((leg) =>
    plannedLeg(deps, found.value, leg, dec(asked.value.slippage).toFixed(), rate),
  );
  const total = (of: (leg: PlannedClose) => string) => sum(legs.map((leg) => dec(of(leg))));
  const [fee, realized] = [total((leg) => leg.fee), total((leg) => leg.realizedPnl)];
  return ok({
    position: found.value,
    isWhole: asked.value.intent === 'CLOSE',
    legs,
    grossNotional: text(total((leg) => leg.notional)),
    totalFee: text(fee),
    realizedPnl: text(realized),
    netPnl: text(realized.minus(fee)),
  });
}

function plannedLeg(
  { market }: Pick<EngineDeps, 'market'>,
  position: Position,
  { symbol, side, amount: quantity }: TradeLeg,
  slippage: string,
  takerRate: string,
): PlannedClose {
  const { connector, legs } = position;
  const leg = legs.find((one) => one.symbol === symbol);
  if (leg === undefined) throw new Error(`${symbol} is no leg of ${position.id}`);
  const instrument = market.instrument(connector, symbol);
  const quote = market.isStale(connector, symbol) ? undefined : market.quote(connector, symbol);
  const expected = quote === undefined ? null : side === 'SELL' ? quote.bid : quote.ask;
  const notional = dec(expected ?? leg.entryPrice).mul(quantity);
  return {
    symbol,
    ticker: instrument?.symbol ?? symbol,
    side,
    quantity,
    remaining: text(dec(leg.quantity).minus(quantity)),
    markPrice: quote?.mark ?? null,
    expectedPrice: expected,
    limitPrice:
      quote === undefined || instrument === undefined
        ? null
        : text(limitPrice(dec(quote.mark), side, dec(slippage), instrument, quote.index)),
    notional: text(notional),
    fee: textRounded(notional.mul(takerRate), PLACES),
    realizedPnl: expected === null ? '0' : gainOf(leg, quantity, text(notional)),
    problem: problemOf(quantity, quote !== undefined, instrument?.stepSize),
  };
}

/** Of the share that is closed: its cost is that share of the leg's exact cost. */
function gainOf(leg: PositionLeg, quantity: string, proceeds: string): string {
  const cost = leg.quantity === '0' ? dec(0) : dec(leg.entryNotional).mul(quantity).div(leg.quantity);
  const gain = leg.side === 'BUY' ? dec(proceeds).minus(cost) : cost.minus(proceeds);
  return textRounded(gain, PLACES);
}

function problemOf(quantity: string, hasPrice: boolean, stepSize: string | undefined): LegProblem | null {
  if (!hasPrice) return { code: 'PRICE_STALE', message: 'No current price' };
  if (quantity !== '0') return null;
  return {
    code: 'ZERO_QUANTITY',
    message: `The share is below one quantity step of ${stepSize ?? '?'}: nothing of this leg is closed`,
  };
}

export async function planReverse(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  asked: Omit<AskedClose, 'fraction'> & { readonly brackets: 'CARRY' | 'DROP' },
): Refusable<ReversePlan> {
  const close = await planClose(deps, account, { ...asked, fraction: '1' });
  if (!close.ok) return close;
  const { position, legs } = close.value;
  if (legs.every(({ quantity }) => quantity === '0')) return noop('Nothing is open');
  const open = await planOpposite(deps, principal, account, close.value, asked.slippage ?? '0.01');
  if (!open.ok) return open;
  return ok({
    close: close.value,
    open: open.value,
    expected: await expectedOf(deps, account, open.value),
    brackets: bracketsOfReversal(deps, position, asked.brackets),
  });
}

/** The opposite basket as if the close had filled: what the close sets free is free, and what it held is not held. */
async function planOpposite(
  deps: EngineDeps,
  principal: Principal,
  account: TradeAccount,
  { legs, totalFee }: ClosePlan,
  slippage: string,
): Promise<Result<BasketPlan, EngineError>> {
  const view = await askVenue(deps, account);
  if (!view.ok) return fail({ code: 'CONFIGURATION_ERROR', message: view.error.error, details: {} });
  const { market, state } = deps;
  const turned = legs.filter(({ quantity }) => quantity !== '0');
  let free = dec(view.value.balances.freeMargin).minus(totalFee);
  const facts = turned.flatMap(({ symbol, side, quantity, notional }) => {
    const instrument = market.instrument(account.connector, symbol);
    if (instrument === undefined) return [];
    const leverage = state.leverage.inForce(account.id, instrument);
    free = free.plus(dec(notional).div(leverage.leverage));
    const net = dec(view.value.net.get(symbol) ?? '0');
    return [
      {
        instrument,
        quote: market.quote(account.connector, symbol),
        stale: market.isStale(account.connector, symbol),
        funding: market.funding(account.connector, symbol),
        leverage: state.leverage.get(account.id, symbol),
        venueNet: text(side === 'BUY' ? net.plus(quantity) : net.minus(quantity)),
        reduces: false,
      },
    ];
  });
  const request = {
    legs: turned.map(
      ({ symbol, side, quantity }): TradeLeg => ({ symbol, side, mode: 'BASE', amount: quantity }),
    ),
    totalUsd: null,
    slippage,
  };
  const takerRate = feeRatesOf(deps, account).taker;
  const planned = planBasket(request, facts, { freeMargin: text(free), takerRate });
  const placed = placedBy(principal);
  const allowed = mayOpen(deps, account, placed);
  const limit = allowed.ok
    ? deps.limits.planProblem(account, placed, planned)
    : ({ code: 'RISK_LIMIT', message: allowed.error.message } as const);
  if (limit === null) return ok(planned);
  return ok({ ...planned, problems: [{ ...limit, legIndex: null, symbol: null }, ...planned.problems] });
}
