import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

/** The last event number given out per account. It outlives the events, which are pruned. */
export interface AccountSeq {
  readonly tradeAccountId: string;
  readonly lastSeq: number;
}

export const accountSeqEntity: TableEntity<AccountSeq> = {
  name: 'account_seq',
  tableName: 'account_seq',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    lastSeq: integer('last_seq'),
  },
};
