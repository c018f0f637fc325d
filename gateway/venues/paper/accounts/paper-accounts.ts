/** All accounts of one paper exchange. `apply` is the only way they change. */
import { type Decimal, type DecimalString, dec, ZERO } from '../../../domain/decimal.ts';
import { type TransitionTable, transition } from '../../../domain/transition.ts';
import type { PlaceOrder } from '../../../engine/ports/venue.ts';
import {
  type AccountSnapshot,
  arrivedOrder,
  cashResult,
  emptyAccount,
  type HistoryItem,
  keepWorking,
  type PaperAccount,
  type PaperOrder,
  restoreAccount,
  snapshotOf,
} from './account-state.ts';
import { type Generation, type IdKind, issuedId } from './generation.ts';
import type { Effect } from './journal-entry.ts';
import { type OldRecord, type OldRecords, recordsOf } from './old-records.ts';
import { foldTrade } from './position-fold.ts';

/** A finished order has no transition: ending it again would execute its client order id twice. */
const ORDER_TRANSITIONS: TransitionTable<PaperOrder['status'], 'filled' | 'cancelled'> = {
  working: { filled: 'filled', cancelled: 'cancelled' },
  filled: {},
  cancelled: {},
  rejected: {},
};

export class PaperAccounts {
  readonly byId = new Map<string, PaperAccount>();
  /** Counter shared by orders and trades; their ids are made from it. */
  sequence = 0;
  /** Oldest first; the last generation is the present one. Empty without a disk. */
  generations: readonly Generation[] = [];
  /** The archive; null: there is no disk, and all records stay in memory. */
  old: OldRecords | null = null;

  /** Acts with these orders in memory, also those that had left it. */
  async withOrders<T>(
    account: string,
    orders: readonly Pick<PlaceOrder, 'clientOrderId'>[],
    act: () => Promise<T>,
  ): Promise<T> {
    // More of them may leave while some are read, hence the loop.
    for (let gone = this.gone(account, orders); gone.length > 0; gone = this.gone(account, orders)) {
      for (const record of (await this.old?.orders(account, gone)) ?? [])
        this.byId.get(account)?.orders.set(record.order.clientOrderId, record);
    }
    return act();
  }

  async archivedHistory(account: PaperAccount, from: number, limit: number): Promise<readonly HistoryItem[]> {
    return (await this.old?.history(account.id, from, limit)) ?? [];
  }

  /** The id of the next order or trade. */
  nextId(connector: string, kind: IdKind): string {
    return issuedId(connector, kind, this.generations.at(-1)?.name ?? '', this.sequence + 1);
  }

  /** Orders and history for the archive. Call `forget`, which removes them from memory, once they are there. */
  ended(): { readonly records: readonly OldRecord[]; forget(): void } {
    const left = [...this.byId.values()].map((account) => ({
      account,
      records: recordsOf(account),
      orders: [...account.orders].flatMap(([id, { status }]) => (status === 'working' ? [] : [id])),
      items: account.history.length,
    }));
    return {
      records: left.flatMap(({ records }) => records),
      forget() {
        for (const { account, orders, items } of left) {
          for (const id of orders) account.orders.delete(id);
          account.history.splice(0, items);
          account.archivedHistory += items;
        }
      },
    };
  }

  apply(effect: Effect): void {
    this.index(effect);
    this.settle(effect);
  }

  /**
   * Applies an effect to orders and history only. Entries of an earlier version's archive need just this, as the
   * snapshot has their effect on money.
   */
  index(effect: Effect): void {
    const account = this.accountOrNew(effect.account);
    switch (effect.kind) {
      case 'rejected':
        account.orders.set(
          effect.order.clientOrderId,
          arrivedOrder(effect.order, null, { reason: effect.reason, message: effect.message }),
        );
        return;
      case 'accepted': {
        this.sequence += 1;
        keepWorking(account, arrivedOrder(effect.order, effect.venueOrderId, null));
        return;
      }
      case 'fill': {
        this.sequence += 1;
        account.history.push({ kind: 'fill', fill: effect.fill });
        const { clientOrderId } = effect.fill;
        const record = clientOrderId === null ? undefined : account.orders.get(clientOrderId);
        if (record !== undefined) {
          record.fills.push(effect.fill);
          record.filled = record.filled.plus(effect.fill.quantity);
        }
        return;
      }
      case 'closed': {
        const record = account.orders.get(effect.clientOrderId);
        if (record === undefined) throw new Error(`closing an order that was never accepted`);
        const next = transition(ORDER_TRANSITIONS, record.status, effect.state);
        if (!next.ok) throw new Error(`order ${next.error.from} cannot become ${next.error.event}`);
        record.status = next.value;
        account.working.delete(effect.clientOrderId);
        return;
      }
      case 'funding':
        account.history.push({ kind: 'funding', funding: effect.funding });
        return;
    }
  }

  /** Ids of those of the orders that have left memory. */
  private gone(account: string, orders: readonly Pick<PlaceOrder, 'clientOrderId'>[]): readonly string[] {
    const { old } = this;
    const held = this.byId.get(account);
    if (old === null || held === undefined) return [];
    return orders
      .map(({ clientOrderId }) => clientOrderId)
      .filter((id) => !held.orders.has(id) && old.has(account, id));
  }

  private settle(effect: Effect): void {
    const account = this.accountOrNew(effect.account);
    switch (effect.kind) {
      case 'opened':
        account.deposits = dec(effect.deposit);
        return;
      case 'reset':
        account.paidOut = account.paidOut.plus(cashResult(account));
        account.deposits = dec(effect.deposit);
        account.insured = ZERO;
        account.realized = ZERO;
        account.funding = ZERO;
        account.fees = ZERO;
        account.positions.clear();
        return;
      case 'leverage': {
        account.leverage.set(effect.symbol, { leverage: effect.leverage, marginMode: effect.marginMode });
        if (effect.isolatedMargin !== null) setIsolated(account, effect.symbol, effect.isolatedMargin);
        return;
      }
      case 'margin':
        setIsolated(account, effect.symbol, effect.isolatedMargin);
        return;
      case 'fill': {
        const { symbol, side, price, quantity, fee } = effect.fill;
        const signed: Decimal = side === 'BUY' ? dec(quantity) : dec(quantity).neg();
        const setting = account.leverage.get(symbol);
        const step = foldTrade(
          account.positions.get(symbol),
          signed,
          dec(price),
          setting?.marginMode === 'isolated' ? setting.leverage : null,
        );
        if (step.position === null) account.positions.delete(symbol);
        else account.positions.set(symbol, step.position);
        account.realized = account.realized.plus(step.realized);
        account.fees = account.fees.plus(fee);
        return;
      }
      case 'funding': {
        const { symbol, amount } = effect.funding;
        account.funding = account.funding.plus(amount);
        const position = account.positions.get(symbol);
        if (position !== undefined && position.isolatedMargin !== null) {
          account.positions.set(symbol, {
            ...position,
            isolatedMargin: position.isolatedMargin.plus(amount),
          });
        }
        return;
      }
      case 'insured':
        account.insured = account.insured.plus(effect.amount);
        return;
    }
  }

  snapshot(): readonly AccountSnapshot[] {
    return [...this.byId.values()].map(snapshotOf);
  }

  restore(snapshots: readonly AccountSnapshot[]): void {
    for (const snapshot of snapshots) restoreAccount(this.accountOrNew(snapshot.id), snapshot);
  }

  private accountOrNew(id: string): PaperAccount {
    let account = this.byId.get(id);
    if (account === undefined) {
      account = emptyAccount(id);
      this.byId.set(id, account);
    }
    return account;
  }
}

function setIsolated(account: PaperAccount, symbol: string, isolatedMargin: DecimalString): void {
  const position = account.positions.get(symbol);
  if (position === undefined) return;
  account.positions.set(symbol, { ...position, isolatedMargin: dec(isolatedMargin) });
}
