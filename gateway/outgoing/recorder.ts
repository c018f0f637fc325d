/**
 * Makes deliveries of committed events, after the commit and in no order's way. The cursor of an account tells how far
 * its events are recorded. It is written in the unit of the deliveries: a process that dies begins there again.
 */
import {
  type DeliveredEvent,
  type Delivery,
  type Destination,
  isWanted,
  MAX_WAITING,
} from '../domain/delivery.ts';
import type { Money } from '../domain/money.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { StoredEvent } from '../engine/ports/unit-of-work.ts';
import { BUSY_SHARE } from './courier.ts';
import { eventIdOf } from './requests.ts';
import { kindOfNotification } from './words.ts';

/** Events come in bursts: those that arrive together go into one unit. */
const GATHER_MS = 20;
/** The same while orders need the disk and the event loop: deliveries have to wait for the courier anyway. */
const GATHER_BUSY_MS = 250;
const TRY_AGAIN_MS = 15_000;
const PAGE = 500;
/** Events that wait in memory; beyond it they are read from the store. */
const MAX_HELD = 5_000;
/** Number of unwanted events after which a cursor is written at the latest. */
const UNWANTED_STEP = 1_000;
const REMEMBERED_NOTIFICATIONS = 500;

export const CURSOR_KIND = 'outgoing';

export interface RecorderOptions {
  readonly store: Pick<Store, 'commit' | 'cursor' | 'events' | 'lastSeq' | 'notification'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Enabled destinations that may hear of this account; usually none. */
  readonly destinationsOf: (tradeAccountId: string) => readonly Destination[];
  readonly moneyOf: (tradeAccountId: string) => Money;
  readonly accountIds: () => readonly string[];
  /** Number of pending deliveries of a destination. */
  readonly waitingOf: (destinationId: string) => number;
  readonly skip: (destinationId: string, count: number) => void;
  /** Recent share of the time in which the event loop was busy, from 0 to 1. */
  readonly busyShare: () => number;
  /** They are on disk. */
  readonly recorded: (deliveries: readonly Delivery[]) => void;
}

export class Recorder {
  private readonly options: RecorderOptions;
  private held: StoredEvent[] = [];
  /** Accounts whose events are read from the store, not taken from memory. */
  private readonly behind = new Set<string>();
  private readonly cursors = new Map<string, number>();
  private told: string[] = [];
  private isRunning = false;
  private isStopped = false;
  private cancel = () => {};

  constructor(options: RecorderOptions) {
    this.options = options;
  }

  /** Reads events committed while the process was off. */
  start(): void {
    for (const id of this.options.accountIds())
      if (this.options.destinationsOf(id).length > 0) this.behind.add(id);
    if (this.behind.size > 0) this.soon(0);
  }

  stop(): void {
    this.isStopped = true;
    this.cancel();
  }

  /** Called for every commit: costs a look-up where nothing leaves. */
  hear(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const { tradeAccountId } = event;
      if (this.behind.has(tradeAccountId) || this.options.destinationsOf(tradeAccountId).length === 0)
        continue;
      if (this.held.length >= MAX_HELD) this.behind.add(tradeAccountId);
      else this.held.push(event);
    }
    if (this.held.length > 0 || this.behind.size > 0) this.soon(this.gatherMs());
  }

  private gatherMs(): number {
    return this.options.busyShare() < BUSY_SHARE ? GATHER_MS : GATHER_BUSY_MS;
  }

  private soon(delayMs: number): void {
    if (this.isRunning || this.isStopped) return;
    this.isRunning = true;
    this.cancel = this.options.clock.after(delayMs, () => void this.run());
  }

  private async run(): Promise<void> {
    let again: number | null = null;
    const events = this.held;
    this.held = [];
    try {
      if (!(await this.record(events.filter(({ tradeAccountId }) => !this.behind.has(tradeAccountId))))) {
        for (const { tradeAccountId } of events) this.behind.add(tradeAccountId);
        again = TRY_AGAIN_MS;
      }
      for (const id of again === null ? [...this.behind] : [])
        if (!(await this.catchUp(id))) again = TRY_AGAIN_MS;
    } catch (error) {
      this.options.logger.error({ err: error }, 'Deliveries were not recorded');
      // Nothing is lost: the cursors are unchanged.
      for (const { tradeAccountId } of events) this.behind.add(tradeAccountId);
      this.told = [];
      again = TRY_AGAIN_MS;
    }
    this.isRunning = false;
    if (again !== null) this.soon(again);
    else if (this.held.length > 0) this.soon(this.gatherMs());
  }

  /** @returns false when the store did not take it */
  private async catchUp(id: string): Promise<boolean> {
    const { store } = this.options;
    for (;;) {
      const from = this.cursors.get(id) ?? Number((await store.cursor(id, CURSOR_KIND)) ?? 0);
      const before = store.lastSeq(id);
      const { events } = await store.events(id, from, PAGE);
      const last = events.at(-1);
      if (last !== undefined && !(await this.record(events, true))) return false;
      // The log may end before its last number (events are kept for a while): then it is read when none has come since.
      if ((last?.seq ?? before) >= store.lastSeq(id)) {
        // Without a wait in between: later commits are heard.
        this.behind.delete(id);
        return true;
      }
      if (last !== undefined) this.cursors.set(id, last.seq);
    }
  }

  private async record(events: readonly StoredEvent[], always = false): Promise<boolean> {
    const deliveries: Delivery[] = [];
    const upTo = new Map<string, number>();
    for (const event of events) {
      upTo.set(event.tradeAccountId, event.seq);
      for (const destination of this.options.destinationsOf(event.tradeAccountId))
        if (await this.isFor(destination, event)) deliveries.push(this.deliveryTo(destination, event));
    }
    const kept = this.withinBounds(deliveries);
    const moved = [...upTo].filter(
      ([id, seq]) =>
        always ||
        deliveries.some(({ tradeAccountId }) => tradeAccountId === id) ||
        seq - (this.cursors.get(id) ?? 0) >= UNWANTED_STEP,
    );
    if (moved.length === 0) return true;
    const committed = await this.options.store.commit({
      deliveries: kept,
      cursors: moved.map(([tradeAccountId, seq]) => ({
        tradeAccountId,
        kind: CURSOR_KIND,
        value: String(seq),
      })),
    });
    if (!committed.ok) {
      this.told = [];
      return false;
    }
    for (const [id, seq] of moved) this.cursors.set(id, seq);
    this.options.recorded(kept);
    return true;
  }

  private async isFor(destination: Destination, event: StoredEvent): Promise<boolean> {
    const { since } = destination;
    // A clock that was set back dates present events before the destination's making: nothing can be concluded.
    const isBefore = event.timestamp < since && since <= this.options.clock.now();
    if (isBefore || !isWanted(destination, event.event)) return false;
    if (destination.kind === 'WEBHOOK' || event.event !== 'notification.created') return true;
    // A venue's news is an event of each account there, and one message to a person.
    const key = `${destination.id} ${event.entityId}`;
    if (this.told.includes(key)) return false;
    const notification = await this.options.store.notification(event.entityId);
    if (notification === null || !destination.wants.includes(kindOfNotification(notification.category)))
      return false;
    this.told.push(key);
    if (this.told.length > REMEMBERED_NOTIFICATIONS) this.told.shift();
    return true;
  }

  private deliveryTo({ id }: Destination, event: StoredEvent): Delivery {
    const { clock, ids } = this.options;
    const { tradeAccountId, seq, entityId, timestamp } = event;
    const { mode, network } = this.options.moneyOf(tradeAccountId);
    return newDelivery(ids.next(), id, clock.now(), {
      eventId: eventIdOf(tradeAccountId, seq, timestamp),
      event: event.event,
      tradeAccountId,
      seq,
      mode,
      network,
      entityId,
      occurredAt: timestamp,
    });
  }

  private withinBounds(deliveries: readonly Delivery[]): readonly Delivery[] {
    const counts = new Map<string, number>();
    const skipped = new Map<string, number>();
    const kept = deliveries.filter(({ destinationId: id, tradeAccountId }) => {
      // Removed, or turned off, since the event was looked at.
      if (!this.options.destinationsOf(tradeAccountId ?? '').some((one) => one.id === id)) return false;
      const waiting = counts.get(id) ?? this.options.waitingOf(id);
      if (waiting >= MAX_WAITING) skipped.set(id, (skipped.get(id) ?? 0) + 1);
      else counts.set(id, waiting + 1);
      return waiting < MAX_WAITING;
    });
    for (const [id, count] of skipped) this.options.skip(id, count);
    return kept;
  }
}

/** @param event also a delivery, of which nothing but its event is taken */
export function newDelivery(id: string, destinationId: string, now: number, event: DeliveredEvent): Delivery {
  return {
    // Before the rest: the event may be taken from another delivery, which has an id of its own.
    ...event,
    id,
    destinationId,
    status: 'PENDING',
    attempts: 0,
    nextAttemptAt: now,
    responseStatus: null,
    error: null,
    response: null,
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  };
}
