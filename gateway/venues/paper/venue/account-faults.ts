/**
 * Faults that users have put on their paper accounts. In memory only, and each with an end: a process that stops, or a
 * minute that passes, leaves nothing broken. A stale feed concerns everybody at the venue, since its prices are one.
 */
import type { NewPaperFault, PaperFault } from '../../../domain/paper-fault.ts';
import type { Clock } from '../../../engine/ports/system.ts';
import type { PaperFaultDesk, PlaceOrder, VenueAccount } from '../../../engine/ports/venue.ts';
import type { BatchFaults, FaultAction } from './faults.ts';

interface Held {
  readonly account: string;
  readonly fault: PaperFault;
  /** By the monotonic clock: a wall clock that is set neither ends nor prolongs a fault. */
  readonly endsAt: number;
  left: number;
}

const REJECTED: FaultAction = {
  kind: 'reject',
  reason: 'other',
  message: 'Refused by a fault that is set on this paper account',
};

export class AccountFaults implements PaperFaultDesk {
  private readonly clock: Pick<Clock, 'now' | 'uptime'>;
  private held: readonly Held[] = [];

  constructor(clock: Pick<Clock, 'now' | 'uptime'>) {
    this.clock = clock;
  }

  add(account: VenueAccount, wanted: NewPaperFault): PaperFault {
    const createdAt = this.clock.now();
    const lastsMs = wanted.seconds * 1_000;
    const fault: PaperFault = { ...wanted, createdAt, endsAt: createdAt + lastsMs };
    const endsAt = this.clock.uptime() + lastsMs;
    const left = wanted.times ?? Number.POSITIVE_INFINITY;
    this.held = [...this.lasting(), { account: account.exchangeIdentifier, fault, endsAt, left }];
    return fault;
  }

  of(account: VenueAccount): readonly PaperFault[] {
    return this.lasting()
      .filter((held) => held.account === account.exchangeIdentifier)
      .map(({ fault, left }) => (fault.times === null ? fault : { ...fault, times: left }));
  }

  clear(account: VenueAccount, id: string | null): number {
    const before = this.held.length;
    this.held = this.held.filter(
      (held) => held.account !== account.exchangeIdentifier || (id !== null && held.fault.id !== id),
    );
    return before - this.held.length;
  }

  /** Fault that hits a batch of the account; null: none, the usual case. Uses faults up. */
  batch(account: VenueAccount, orders: readonly PlaceOrder[]): BatchFaults | null {
    if (this.held.length === 0) return null;
    const own = this.lasting().filter((held) => held.account === account.exchangeIdentifier);
    if (own.length === 0) return null;
    const actions = orders.map((order) => this.use(own, order));
    this.held = this.lasting();
    return actions;
  }

  /** True: the venue is silent about an instrument. */
  isSilent(symbol: string): boolean {
    return this.silences().some((fault) => fault.symbol === null || fault.symbol === symbol);
  }

  /** True: the venue is silent. */
  get isSilentAboutAll(): boolean {
    return this.silences().some((fault) => fault.symbol === null);
  }

  private silences(): readonly PaperFault[] {
    if (this.held.length === 0) return [];
    return this.lasting().flatMap(({ fault }) => (fault.terms.kind === 'STALE_FEED' ? [fault] : []));
  }

  private lasting(): readonly Held[] {
    const now = this.clock.uptime();
    return this.held.filter(({ endsAt, left }) => left > 0 && now < endsAt);
  }

  /** The first fault that fits an order hits it: two at once would say nothing about either. */
  private use(own: readonly Held[], order: PlaceOrder): readonly FaultAction[] {
    for (const held of own) {
      const { terms, symbol } = held.fault;
      if (held.left === 0 || (symbol !== null && symbol !== order.symbol)) continue;
      if (terms.kind === 'STALE_FEED') continue;
      held.left -= 1;
      switch (terms.kind) {
        case 'REJECT':
          return [REJECTED];
        case 'PARTIAL_FILL':
          return [{ kind: 'fill', fraction: terms.fraction }];
        case 'FILL':
          return [{ kind: 'fill_at_mark' }];
        case 'UNKNOWN_OUTCOME':
          return [
            { kind: terms.executed ? 'drop_answer' : 'drop_request' },
            { kind: 'silent_account', forMs: terms.silentSeconds * 1_000 },
          ];
      }
    }
    return [];
  }
}
