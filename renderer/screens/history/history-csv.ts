/** Columns of the history's files: the gateway's own decimals, never formatted. */
import type { Row } from '../../../gateway/client/client.ts';
import type { CsvColumn } from '../../features/csv/csv-text.ts';
import type { DateSpan } from './date-span.ts';

export type Fill = Row<'GET /fills'>;
export type FundingPayment = Row<'GET /funding/payments'>;
export type ClosedTrade = Row<'GET /positions/closed'>;

const column = <One>(header: string, value: CsvColumn<One>['value']): CsvColumn<One> => ({ header, value });

export const FILL_COLUMNS: readonly CsvColumn<Fill>[] = [
  column('time', (fill) => fill.timestamp),
  column('instrument', (fill) => fill.symbol),
  column('side', (fill) => fill.side),
  column('price', (fill) => fill.price),
  column('quantity', (fill) => fill.quantity),
  column('notional_usd', (fill) => fill.notional),
  column('fee', (fill) => fill.fee),
  column('fee_asset', (fill) => fill.feeAsset),
  column('realized_pnl_usd', (fill) => fill.realizedPnl),
  column('liquidity', (fill) => fill.liquidity),
  column('liquidation', (fill) => fill.isLiquidation),
  column('provisional', (fill) => fill.isProvisional),
  column('venue', (fill) => fill.connector),
  column('position_id', (fill) => fill.positionId),
  column('execution_id', (fill) => fill.executionId),
  column('order_id', (fill) => fill.orderId),
  column('venue_order_id', (fill) => fill.venueOrderId),
  column('trade_id', (fill) => fill.tradeId),
  column('fill_id', (fill) => fill.id),
  column('cause', (fill) => fill.cause),
];

const legsOf = (trade: ClosedTrade, side: 'BUY' | 'SELL') =>
  trade.legs
    .filter((leg) => leg.side === side)
    .map((leg) => `${leg.quantity} ${leg.symbol} ${leg.entryPrice ?? '?'} to ${leg.exitPrice ?? '?'}`)
    .join('; ');

export const TRADE_COLUMNS: readonly CsvColumn<ClosedTrade>[] = [
  column('opened', (trade) => trade.openedAt),
  column('closed', (trade) => trade.closedAt),
  column('duration_seconds', (trade) => trade.durationSeconds),
  column('longs', (trade) => legsOf(trade, 'BUY')),
  column('shorts', (trade) => legsOf(trade, 'SELL')),
  column('realized_pnl_usd', (trade) => trade.realizedPnl),
  column('fees_usd', (trade) => trade.fees),
  column('funding_usd', (trade) => trade.funding),
  column('net_pnl_usd', (trade) => trade.netPnl),
  column('return_percent', (trade) => trade.returnPct),
  column('origin', (trade) => trade.origin),
  column('venue', (trade) => trade.connector),
  column('basket_key', (trade) => trade.basketKey),
  column('position_id', (trade) => trade.id),
];

const PAID_ON = { POSITION: 'basket', OUTSIDE: 'outside tandem', DUST: 'dust' } as const;

export const FUNDING_COLUMNS: readonly CsvColumn<FundingPayment>[] = [
  column('time', (paid) => paid.timestamp),
  column('instrument', (paid) => paid.symbol),
  column('side', (paid) => paid.side),
  column('notional_usd', (paid) => paid.notional),
  column('rate', (paid) => paid.rate),
  column('amount_usd', (paid) => paid.amount),
  column('paid_on', (paid) => PAID_ON[paid.paidOn]),
  column('basket', (paid) => paid.legs.map(({ symbol, side }) => `${side} ${symbol}`).join('; ')),
  column('position_id', (paid) => paid.positionId),
  column('venue', (paid) => paid.connector),
  column('trade_account_id', (paid) => paid.tradeAccountId),
];

export type HistoryFile = 'fills' | 'trades' | 'funding';

const FILE_NAMES = { fills: 'fills', trades: 'closed-trades', funding: 'funding' } as const;

/** File name: `tandem-fills-2026-01-01-to-2026-01-31.csv` */
export function csvName(what: HistoryFile, { from, to }: DateSpan): string {
  const span =
    from === '' && to === '' ? 'all' : `${from === '' ? 'begin' : from}-to-${to === '' ? 'today' : to}`;
  return `tandem-${FILE_NAMES[what]}-${span}.csv`;
}
