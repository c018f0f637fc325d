/** Orders and history items that leave the exchange's memory, and how they are written. */
import { type DecimalString, dec, text } from '../../../domain/decimal.ts';
import type { HistoryItem, PaperAccount, PaperOrder } from './account-state.ts';

export type StoredOrder = Omit<PaperOrder, 'filled'> & { readonly filled: DecimalString };

/** A record with its key: the client order id, or the number of the account's history item. */
export type OldRecord =
  | readonly [account: string, kind: 'order', key: string, body: StoredOrder]
  | readonly [account: string, kind: 'history', key: number, body: HistoryItem];

/** Reads records that have left memory. */
export interface OldRecords {
  /** True for orders that were ever written; answered without a read. */
  has(account: string, clientOrderId: string): boolean;
  orders(account: string, clientOrderIds: readonly string[]): Promise<readonly PaperOrder[]>;
  /** History items from the `from`-th on, `limit` of them or all that are left. */
  history(account: string, from: number, limit: number): Promise<readonly HistoryItem[]>;
}

/**
 * Orders and history of an account in memory. Working orders are among them, so that orders are written in the order of
 * their arrival.
 */
export function recordsOf({ id, orders, history, archivedHistory }: PaperAccount): readonly OldRecord[] {
  return [
    ...[...orders].map(
      ([clientOrderId, { filled, ...order }]): OldRecord => [
        id,
        'order',
        clientOrderId,
        { ...order, filled: text(filled) },
      ],
    ),
    ...history.map((item, index): OldRecord => [id, 'history', archivedHistory + index, item]),
  ];
}

export function orderOf({ filled, ...order }: StoredOrder): PaperOrder {
  return { ...order, filled: dec(filled) };
}
