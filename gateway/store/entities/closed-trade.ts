import { fixed, integer, key, type TableEntity, text } from '../rows/table-entity.ts';

/** A closed position's result, in the order of closing: the list of closed trades, and what the totals were given of it. */
export interface ClosedTradeRow {
  readonly tradeAccountId: string;
  readonly closedAt: number;
  readonly positionId: string;
  readonly basketKey: string;
  readonly source: string;
  readonly openedAt: number;
  readonly netWhole: number;
  readonly netNano: number;
  readonly netAtto: number;
}

export const closedTradeEntity: TableEntity<ClosedTradeRow> = {
  name: 'closed_trade',
  tableName: 'closed_trades',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    closedAt: key(integer('closed_at')),
    positionId: key(text('position_id')),
    basketKey: fixed(text('basket_key')),
    source: text('source'),
    openedAt: fixed(integer('opened_at')),
    netWhole: integer('net_whole'),
    netNano: integer('net_nano'),
    netAtto: integer('net_atto'),
  },
};
