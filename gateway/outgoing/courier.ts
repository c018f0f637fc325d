/**
 * Sends due deliveries and stores their results. One delivery at a time for each destination: a slow one delays only
 * its own. While the gateway is busy, orders come first: each delivery is followed by a rest.
 */
import { type AttemptOutcome, afterAttempt, type Delivery, type Destination } from '../domain/delivery.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger, Unsubscribe } from '../engine/ports/system.ts';

const MAX_AT_ONCE = 16;
const TRY_AGAIN_MS = 15_000;
/** Share of the time in which the event loop is busy, above which orders would feel a delivery. */
export const BUSY_SHARE = 0.8;
/** Rest after a delivery while the loop is busy: twenty a second over all destinations take about 2 % of it. */
const REST_MS = 50;

export interface CourierOptions {
  readonly store: Pick<Store, 'commit'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** undefined: the destination is removed, or turned off. */
  readonly destination: (id: string) => Destination | undefined;
  /** One attempt. Never rejects. */
  readonly attempt: (destination: Destination, delivery: Delivery) => Promise<AttemptOutcome>;
  /** A delivery after an attempt, on disk. */
  readonly attempted: (delivery: Delivery) => void;
  /** Recent share of the time in which the event loop was busy, from 0 to 1. */
  readonly busyShare: () => number;
}

export class Courier {
  private readonly options: CourierOptions;
  /** Pending deliveries by destination, and there by their id. */
  private readonly waiting = new Map<string, Map<string, Delivery>>();
  private readonly busy = new Set<string>();
  private isStopped = false;
  private cancel: Unsubscribe = () => {};

  constructor(options: CourierOptions) {
    this.options = options;
  }

  waitingOf(destinationId: string): number {
    return this.waiting.get(destinationId)?.size ?? 0;
  }

  take(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      const { destinationId, id } = delivery;
      const own = this.waiting.get(destinationId) ?? new Map<string, Delivery>();
      own.set(id, delivery);
      this.waiting.set(destinationId, own);
    }
    this.look();
  }

  /** Removes pending deliveries of a removed destination. A running attempt ends by itself and is forgotten. */
  drop(destinationId: string): readonly Delivery[] {
    const dropped = [...(this.waiting.get(destinationId)?.values() ?? [])];
    this.waiting.delete(destinationId);
    return dropped;
  }

  /** Starts due deliveries; called again when the wall clock is set, because more may be due then. */
  look(): void {
    if (this.isStopped) return;
    const now = this.options.clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const [id, own] of this.waiting) {
      if (this.busy.has(id)) continue;
      const due = earliest(own.values());
      if (due === null) continue;
      const at = due.nextAttemptAt ?? now;
      if (at > now) next = Math.min(next, at);
      // At the maximum number of attempts, the end of one of them looks again.
      else if (this.busy.size < MAX_AT_ONCE) void this.send(due);
    }
    this.cancel();
    if (Number.isFinite(next))
      this.cancel = this.options.clock.after(Math.min(Math.max(next - now, 1), 60_000), () => this.look());
  }

  stop(): void {
    this.isStopped = true;
    this.cancel();
  }

  private async send(delivery: Delivery): Promise<void> {
    const { destinationId } = delivery;
    this.busy.add(destinationId);
    this.goesLast(destinationId);
    try {
      const { clock, destination } = this.options;
      const to = destination(destinationId);
      const outcome: AttemptOutcome =
        to === undefined
          ? { at: clock.now(), responseStatus: null, response: null, error: 'It is turned off', isLast: true }
          : await this.options.attempt(to, delivery);
      // An attempt that the stop has broken off counts as none: the next start makes it.
      if (this.isStopped) return;
      await this.keep(afterAttempt(delivery, outcome));
    } catch (error) {
      this.options.logger.error({ err: error, destinationId }, 'a delivery was not made');
      this.postpone(delivery);
    } finally {
      const again = () => {
        this.busy.delete(destinationId);
        this.look();
      };
      const restMs = this.restMs();
      if (restMs === 0) again();
      else this.options.clock.after(restMs, again);
    }
  }

  /** Moves the destination behind those that have waited longer: a few that hang would block the others for ever. */
  private goesLast(destinationId: string): void {
    const own = this.waiting.get(destinationId);
    if (own === undefined) return;
    this.waiting.delete(destinationId);
    this.waiting.set(destinationId, own);
  }

  private restMs(): number {
    if (this.options.busyShare() < BUSY_SHARE) return 0;
    return REST_MS * Math.max(1, [...this.waiting.values()].filter(({ size }) => size > 0).length);
  }

  private async keep(next: Delivery): Promise<void> {
    const own = this.waiting.get(next.destinationId);
    // The destination was removed meanwhile, with its log.
    if (own?.has(next.id) !== true) return;
    const committed = await this.options.store.commit({ deliveries: [next] });
    if (!committed.ok) return this.postpone(next);
    if (next.finishedAt === null) own.set(next.id, next);
    else own.delete(next.id);
    this.options.attempted(next);
  }

  /** The disk refuses writes: the delivery is repeated later, which receivers have to bear. */
  private postpone(delivery: Delivery): void {
    const own = this.waiting.get(delivery.destinationId);
    const before = own?.get(delivery.id);
    if (before !== undefined)
      own?.set(delivery.id, { ...before, nextAttemptAt: this.options.clock.now() + TRY_AGAIN_MS });
  }
}

function earliest(deliveries: Iterable<Delivery>): Delivery | null {
  let found: Delivery | null = null;
  for (const delivery of deliveries)
    if (found === null || (delivery.nextAttemptAt ?? 0) < (found.nextAttemptAt ?? 0)) found = delivery;
  return found;
}
