/** Funding payments of an account as a list, and their sum. */
import { type Atto, atto, attoText } from '../../domain/atto.ts';
import { dec, textRounded } from '../../domain/decimal.ts';
import { DAY_MS } from '../../domain/history-range.ts';
import type { FundingPayment, PositionLeg, Side } from '../../domain/model.ts';
import { PAID_ON } from '../../domain/portfolio.ts';
import type { HistoryStore } from '../ports/history.ts';
import type { Page, PageRequest } from '../ports/pages.ts';
import type { Store } from '../ports/store.ts';

/** One payment, on one basket or on holdings outside baskets. */
export interface PaidFunding {
  readonly id: string;
  readonly timestamp: number;
  readonly symbol: string;
  readonly positionId: string | null;
  readonly paidOn: 'POSITION' | 'OUTSIDE' | 'DUST';
  /** Legs of the position; empty: the holdings are in no position. */
  readonly legs: readonly Pick<PositionLeg, 'symbol' | 'side'>[];
  readonly rate: string;
  /** Notional, USD, and side that follow from amount and rate; null: one of these is 0. */
  readonly notional: string | null;
  readonly side: Side | null;
  readonly amount: string;
}

interface Asked {
  readonly tradeAccountId: string;
  /** Epoch ms, `from` inclusive, `to` exclusive. */
  readonly range: { readonly from: number; readonly to: number };
}

type Stores = Pick<Store, 'fundingPayments' | 'positionsByIds'> & {
  readonly history: Pick<HistoryStore, 'periods'>;
};

const EDGE_PAGE = 2_000;
const NOTIONAL_PLACES = 6;

export async function fundingPage(
  store: Stores,
  { tradeAccountId, range }: Asked,
  page: PageRequest,
): Promise<Page<PaidFunding>> {
  const found = await store.fundingPayments({ tradeAccountId, ...range }, page);
  const ids = new Set(found.rows.map(({ positionId }) => positionId));
  for (const none of Object.values(PAID_ON)) ids.delete(none);
  const positions = await store.positionsByIds(tradeAccountId, [...ids]);
  const legs = new Map(positions.map((position) => [position.id, position.legs]));
  return { ...found, rows: found.rows.map((payment) => paidFunding(payment, legs.get(payment.positionId))) };
}

function paidFunding(
  { id, timestamp, symbol, positionId, rate, amount }: FundingPayment,
  legs: readonly PositionLeg[] = [],
): PaidFunding {
  const paidOn =
    positionId === PAID_ON.OUTSIDE ? 'OUTSIDE' : positionId === PAID_ON.DUST ? 'DUST' : 'POSITION';
  const isKnown = !dec(rate).isZero() && !dec(amount).isZero();
  // amount = −quantity × mark × rate
  const notional = isKnown ? dec(amount).div(rate).neg() : null;
  return {
    ...{ id, timestamp, symbol, paidOn, rate, amount },
    positionId: paidOn === 'POSITION' ? positionId : null,
    legs: legs.map(({ symbol: of, side }) => ({ symbol: of, side })),
    notional: notional === null ? null : textRounded(notional.abs(), NOTIONAL_PLACES),
    side: notional === null ? null : notional.isPositive() ? 'BUY' : 'SELL',
  };
}

/** Exact sum of the range, USD; positive: received. Whole days come from stored sums, the ends from payments. */
export async function fundingTotal(store: Stores, { tradeAccountId, range }: Asked): Promise<string> {
  const from = Math.ceil(range.from / DAY_MS) * DAY_MS;
  const to = Math.floor(range.to / DAY_MS) * DAY_MS;
  if (from >= to) return attoText(await sumOfRows(store, tradeAccountId, range));
  const [days, before, after] = await Promise.all([
    store.history.periods({ tradeAccountId, source: null, range: { from, to } }, 'day'),
    sumOfRows(store, tradeAccountId, { from: range.from, to: from }),
    sumOfRows(store, tradeAccountId, { from: to, to: range.to }),
  ]);
  return attoText(days.reduce((total, { funding }) => total + funding, before + after));
}

async function sumOfRows(store: Stores, tradeAccountId: string, range: Asked['range']): Promise<Atto> {
  let total = 0n;
  if (range.from >= range.to) return total;
  let after: PageRequest['after'] = null;
  do {
    const page: Page<FundingPayment> = await store.fundingPayments(
      { tradeAccountId, ...range },
      { limit: EDGE_PAGE, after },
    );
    for (const { amount } of page.rows) total += atto(amount);
    after = page.next;
  } while (after !== null);
  return total;
}
