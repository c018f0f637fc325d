/**
 * Live events of accounts. Events while the streams are cut are not sent later: clients read them from the history.
 */

import type { Unsubscribe } from '../../../engine/ports/system.ts';
import type { AccountEvent } from '../../../engine/ports/venue.ts';
import { outcomeOf } from './account-state.ts';
import type { JournalEntry } from './journal-entry.ts';
import type { PaperAccounts } from './paper-accounts.ts';

export interface AddressedEvent {
  readonly account: string;
  readonly event: AccountEvent;
}

export class AccountStreams {
  private readonly listeners = new Map<string, Set<(event: AccountEvent) => void>>();
  private cut = false;
  /** Account → silences that are not over. */
  private readonly silent = new Map<string, number>();

  listen(account: string, listener: (event: AccountEvent) => void): Unsubscribe {
    let set = this.listeners.get(account);
    if (set === undefined) {
      set = new Set();
      this.listeners.set(account, set);
    }
    set.add(listener);
    return () => {
      set.delete(listener);
      if (set.size === 0 && this.listeners.get(account) === set) this.listeners.delete(account);
    };
  }

  publish(events: readonly AddressedEvent[]): void {
    if (this.cut) return;
    for (const { account, event } of events) {
      if (this.silent.has(account)) continue;
      for (const listener of [...(this.listeners.get(account) ?? [])]) listener(event);
    }
  }

  isSilent(account: string): boolean {
    return this.silent.has(account);
  }

  /** Until `speak` was called as often: silences that overlap last as long as the longest. */
  silence(account: string): void {
    this.silent.set(account, (this.silent.get(account) ?? 0) + 1);
  }

  speak(account: string): void {
    const left = (this.silent.get(account) ?? 0) - 1;
    if (left > 0) this.silent.set(account, left);
    else if (this.silent.delete(account)) this.publish([{ account, event: { kind: 'reconnected' } }]);
  }

  disconnect(): void {
    this.cut = true;
  }

  reconnect(): void {
    this.cut = false;
    const accounts = [...this.listeners.keys()];
    this.publish(accounts.map((account) => ({ account, event: { kind: 'reconnected' } })));
  }
}

/**
 * Events of a journal entry: fills and funding as they are; of orders only changes that fills do not show (resting,
 * cancelled, rejected). Call it right after the entry was decided, because it reads the orders' present state.
 */
export function eventsOf(entry: JournalEntry, accounts: PaperAccounts): readonly AddressedEvent[] {
  const events: AddressedEvent[] = [];
  for (const effect of entry.effects) {
    const { account } = effect;
    const tellOrder = (clientOrderId: string, only?: 'working') => {
      const record = accounts.byId.get(account)?.orders.get(clientOrderId);
      if (record === undefined || (only !== undefined && record.status !== only)) return;
      events.push({ account, event: { kind: 'order', outcome: outcomeOf(record) } });
    };
    switch (effect.kind) {
      case 'fill':
        events.push({ account, event: { kind: 'fill', fill: effect.fill } });
        break;
      case 'funding':
        events.push({ account, event: { kind: 'funding', funding: effect.funding } });
        break;
      case 'accepted':
        tellOrder(effect.order.clientOrderId, 'working');
        break;
      case 'rejected':
        tellOrder(effect.order.clientOrderId);
        break;
      case 'closed':
        if (effect.state === 'cancelled') tellOrder(effect.clientOrderId);
        break;
    }
  }
  return events;
}
