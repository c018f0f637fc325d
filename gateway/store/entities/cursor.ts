import { key, type TableEntity, text } from '../rows/table-entity.ts';

/** How far a venue's history has been read, per account and kind of history. */
export interface CursorRow {
  readonly tradeAccountId: string;
  readonly kind: string;
  readonly value: string;
}

export const cursorEntity: TableEntity<CursorRow> = {
  name: 'cursor',
  tableName: 'cursors',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    kind: key(text('kind')),
    value: text('value'),
  },
};
