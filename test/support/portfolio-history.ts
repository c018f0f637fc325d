/**
 * An account with days of trading behind it, written into the store: some days win, some lose. Positions are the folds of
 * their fills, and each fill is of an execution, as if all of it had been traded.
 */
import { deriveBasketKey } from '../../gateway/contract/basket-key.ts';
import { dec, text } from '../../gateway/domain/decimal.ts';
import type { Execution, Fill, Position, Side } from '../../gateway/domain/model.ts';
import { executionId, idStem, orderId } from '../../gateway/domain/order.ts';
import { applyFills, newPosition } from '../../gateway/domain/position.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import type { SeededGateway } from './seeded-gateway.ts';
import { execution, fill, nextId } from './store-records.ts';
import type { Trader } from './trader.ts';
import { unwrap } from './unwrap.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FEE_RATE = '0.00045';
const LEGS = [
  { symbol: 'BTC-PERP', side: 'BUY', targetWeight: '0.5' },
  { symbol: 'ETH-PERP', side: 'SELL', targetWeight: '0.5' },
] as const;
const [BTC, ETH] = LEGS;
const QUANTITIES = { 'BTC-PERP': '0.05', 'ETH-PERP': '1.25' } as const;
/** Days between those on which the account trades outside Tandem alone. */
const OUTSIDE_EVERY = 5;

interface Traded {
  readonly symbol: keyof typeof QUANTITIES;
  readonly side: Side;
  readonly price: string;
}

interface Days {
  readonly positions: readonly Position[];
  readonly newExecutions: readonly Execution[];
  readonly fills: readonly Fill[];
}

/** Until yesterday: a BTC / ETH basket a day, opened and closed; on every fifth day BTC is traded outside Tandem instead. */
export async function seedDays(gateway: SeededGateway, bot: Trader, days: number): Promise<void> {
  const owner = (await gateway.store.accounts()).find(({ id }) => id === bot.accountId);
  if (owner === undefined) throw new Error('The account is not there');
  const account = { userId: owner.userId, tradeAccountId: bot.accountId, connector: owner.connector };
  const first = Math.floor(systemClock.now() / DAY_MS) * DAY_MS - days * DAY_MS;
  const all = Array.from({ length: days }, (_, day) => {
    const at = first + day * DAY_MS + HOUR_MS;
    return day % OUTSIDE_EVERY === 4 ? tradedOutside(account, day, at) : tradedBasket(account, day, at);
  });
  await gateway.seed({
    positions: all.flatMap(({ positions }) => positions),
    newExecutions: all.flatMap(({ newExecutions }) => newExecutions),
    fills: all.flatMap(({ fills }) => fills),
  });
}

type Account = Pick<Position, 'userId' | 'tradeAccountId' | 'connector'>;

/** Result of the day before fees, USD. */
const gainOf = (day: number) => Math.round(Math.sin(day * 1.7) * 180 + Math.cos(day / 9) * 120 + 25);
const btcOf = (day: number) => Math.round(97_000 + 6_000 * Math.sin(day / 21));
const ethOf = (day: number) => Math.round(3_500 + 260 * Math.sin(day / 17));

function fillsOf(account: Account, traded: readonly Traded[], timestamp: number): readonly Fill[] {
  return traded.map(({ symbol, side, price }) => {
    const notional = dec(price).mul(QUANTITIES[symbol]);
    return fill({
      tradeAccountId: account.tradeAccountId,
      connector: account.connector,
      symbol,
      side,
      price,
      quantity: QUANTITIES[symbol],
      notional: text(notional),
      fee: text(notional.mul(FEE_RATE)),
      timestamp,
    });
  });
}

/** The result of a day comes from BTC by three parts and from ETH by two. */
function tradedBasket(account: Account, day: number, openedAt: number): Days {
  const closedAt = openedAt + 6 * HOUR_MS;
  const basketKey = deriveBasketKey([BTC.symbol], [ETH.symbol]);
  const fifth = gainOf(day) / 5;
  const exits = {
    btc: text(dec(btcOf(day)).plus(dec(fifth * 3).div(QUANTITIES[BTC.symbol]))),
    eth: text(dec(ethOf(day)).minus(dec(fifth * 2).div(QUANTITIES[ETH.symbol]))),
  };
  const opening = fillsOf(
    account,
    [
      { ...BTC, price: String(btcOf(day)) },
      { ...ETH, price: String(ethOf(day)) },
    ],
    openedAt,
  );
  const closing = fillsOf(
    account,
    [
      { ...BTC, side: 'SELL', price: exits.btc },
      { ...ETH, side: 'BUY', price: exits.eth },
    ],
    closedAt,
  );
  const before = newPosition({ ...account, id: nextId(), basketKey }, LEGS, openedAt);
  const opened = folded(before, opening, openedAt);
  const closed = folded(opened.position, closing, closedAt);
  const header = { ...account, basketKey, positionId: before.id };
  const open = executed({ ...header, intent: 'OPEN', createdAt: openedAt }, opened.fills);
  const close = executed({ ...header, intent: 'CLOSE', createdAt: closedAt }, closed.fills);
  return {
    positions: [closed.position],
    newExecutions: [open.execution, close.execution],
    fills: [...open.fills, ...close.fills],
  };
}

function folded(position: Position, fills: readonly Fill[], at: number) {
  const next = unwrap(applyFills(position, fills, at));
  return {
    position: next.position,
    fills: fills.map((one, index) => ({
      ...one,
      positionId: position.id,
      realizedPnl: next.realized[index] ?? '0',
    })),
  };
}

/** The execution whose orders these fills filled. */
function executed(
  header: Account & Pick<Execution, 'basketKey' | 'positionId' | 'intent' | 'createdAt'>,
  fills: readonly Fill[],
): { readonly execution: Execution; readonly fills: readonly Fill[] } {
  const stem = idStem(nextId());
  const { createdAt: at } = header;
  const made = execution(
    { ...header, id: executionId(stem), status: 'COMPLETED', activeAt: at, finishedAt: at, updatedAt: at },
    fills.length,
  );
  const orders = made.orders.map((order, index) => {
    const { symbol, side, price, quantity, notional } = fills[index] ?? fill();
    return {
      ...order,
      id: orderId(stem, index),
      symbol,
      side,
      amount: notional,
      quantity,
      limitPrice: price,
      attempt: 1,
      status: 'FILLED' as const,
      filledQuantity: quantity,
      averagePrice: price,
    };
  });
  return {
    execution: { ...made, orders },
    fills: fills.map((one, index) => ({
      ...one,
      executionId: made.id,
      orderId: orders[index]?.id ?? null,
    })),
  };
}

function tradedOutside(account: Account, day: number, at: number): Days {
  const gain = dec(gainOf(day));
  const exit = text(dec(btcOf(day)).plus(gain.div(QUANTITIES[BTC.symbol])));
  const [bought] = fillsOf(account, [{ ...BTC, price: String(btcOf(day)) }], at);
  const [sold] = fillsOf(account, [{ ...BTC, side: 'SELL', price: exit }], at + HOUR_MS);
  return {
    positions: [],
    newExecutions: [],
    fills: [bought, sold && { ...sold, realizedPnl: text(gain) }].filter((one) => one !== undefined),
  };
}
