/** Destinations of news: created, changed, tested and removed; with the parts that record and send (README.md). */
import {
  type DeliveredEvent,
  type Delivery,
  type Destination,
  MAX_DESTINATIONS,
  MAX_WAITING,
} from '../domain/delivery.ts';
import { KeyedQueue } from '../domain/keyed-queue.ts';
import type { TradeAccount } from '../domain/model.ts';
import type { Money } from '../domain/money.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { Vault } from '../engine/ports/vault.ts';
import { type AttemptParts, Attempts } from './attempts.ts';
import { Courier } from './courier.ts';
import { LeftOut } from './left-out.ts';
import { CURSOR_KIND, newDelivery, Recorder } from './recorder.ts';
import { type DestinationSecret, DestinationSecrets } from './secrets.ts';
import { newSecret } from './signature.ts';

export interface OutgoingOptions extends Pick<AttemptParts, 'market' | 'accounts'> {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Recent share of the time in which the event loop was busy, from 0 to 1. */
  readonly busyShare: () => number;
}

export type DestinationError =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'too_many' }
  /** As many deliveries wait for it as may. */
  | { readonly kind: 'full' }
  /** Its kind has no secret to rotate. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'store'; readonly error: StoreError };

export type NewDestination = Pick<
  Destination,
  'userId' | 'kind' | 'name' | 'address' | 'wants' | 'tradeAccountIds' | 'enabled'
>;
export type DestinationPatch = Partial<
  Pick<Destination, 'name' | 'address' | 'wants' | 'tradeAccountIds' | 'enabled'>
>;

interface Rotated {
  readonly secret: string;
  readonly previousUntil: number;
}

interface Created {
  readonly destination: Destination;
  readonly secret: string;
}

/** Result of the last attempt since the start. */
export type LastAttempt = Pick<Delivery, 'status' | 'responseStatus' | 'error' | 'updatedAt'>;

export class Outgoing {
  private readonly options: OutgoingOptions;
  private readonly secrets: DestinationSecrets;
  private readonly attempts: Attempts;
  private readonly recorder: Recorder;
  private readonly courier: Courier;
  private readonly destinations = new Map<string, Destination>();
  private readonly last = new Map<string, LastAttempt>();
  /** Serialises changes of a destination, and creations of a user: each writes the whole row that it has read. */
  private readonly turns = new KeyedQueue();
  private readonly stopping = new AbortController();
  private readonly leftOut: LeftOut;
  /** Pending deliveries of the last run, until `start`. */
  private waiting: readonly Delivery[] = [];

  constructor(options: OutgoingOptions) {
    this.options = options;
    const { store, clock, ids, logger } = options;
    this.leftOut = new LeftOut(clock, logger);
    this.secrets = new DestinationSecrets(options.vault);
    this.attempts = new Attempts({ ...options, secrets: this.secrets });
    this.courier = new Courier({
      store,
      clock,
      logger,
      destination: (id) => {
        const found = this.destinations.get(id);
        return found?.enabled === true ? found : undefined;
      },
      attempt: (destination, delivery) => this.attempts.make(destination, delivery, this.stopping.signal),
      attempted: (delivery) => this.last.set(delivery.destinationId, delivery),
      busyShare: options.busyShare,
    });
    this.recorder = new Recorder({
      store,
      clock,
      ids,
      logger,
      destinationsOf: (id) => this.of(id),
      moneyOf: (id) => this.moneyOf(id),
      accountIds: () => options.accounts.all().map(({ id }) => id),
      waitingOf: (id) => this.courier.waitingOf(id),
      skip: (id, count) => this.skip(id, count),
      busyShare: options.busyShare,
      // A destination being removed has dropped its pending deliveries, and nobody would drop these.
      recorded: (deliveries) =>
        this.courier.take(deliveries.filter(({ destinationId }) => this.destinations.has(destinationId))),
    });
  }

  async load(): Promise<void> {
    const [destinations, waiting] = await Promise.all([
      this.options.store.destinations(),
      this.options.store.waitingDeliveries(),
    ]);
    for (const destination of destinations) this.destinations.set(destination.id, destination);
    this.waiting = waiting;
  }

  /** @returns a function that stops it */
  start(): () => void {
    const ended = this.options.store.onCommitted((events) => {
      if (this.destinations.size > 0) this.recorder.hear(events);
    });
    this.recorder.start();
    this.courier.take(this.waiting);
    this.waiting = [];
    return () => {
      ended();
      this.recorder.stop();
      this.courier.stop();
      this.stopping.abort();
    };
  }

  /** The machine woke up, or its clock was set. */
  woke(): void {
    this.courier.look();
  }

  list(userId: string, kinds: readonly Destination['kind'][]): readonly Destination[] {
    return [...this.destinations.values()].filter((one) => one.userId === userId && kinds.includes(one.kind));
  }

  find(userId: string, id: string, kinds: readonly Destination['kind'][]): Destination | undefined {
    return this.list(userId, kinds).find((one) => one.id === id);
  }

  waitingOf(id: string): number {
    return this.courier.waitingOf(id);
  }

  lastAttempt(id: string): LastAttempt | null {
    return this.last.get(id) ?? null;
  }

  /** @param secret null: a webhook's, which is made here */
  create(
    wanted: NewDestination,
    secret: DestinationSecret | null,
    together: (id: string) => UnitOfWork,
  ): Promise<Result<Created, DestinationError>> {
    return this.turns.run(wanted.userId, () => this.createNow(wanted, secret, together));
  }

  private async createNow(
    wanted: NewDestination,
    secret: DestinationSecret | null,
    together: (id: string) => UnitOfWork,
  ): Promise<Result<Created, DestinationError>> {
    const { ids, clock, store, accounts } = this.options;
    const own = [...this.destinations.values()].filter(({ userId }) => userId === wanted.userId);
    if (own.length >= MAX_DESTINATIONS) return fail({ kind: 'too_many' });
    const now = clock.now();
    const destination: Destination = {
      id: ids.next(),
      ...wanted,
      since: now,
      skipped: 0,
      createdAt: now,
      updatedAt: now,
    };
    const kept = secret ?? { secret: newSecret() };
    // First the secret: a destination without one would fail at everything, one without its destination is only unused.
    await this.secrets.write(destination.id, kept);
    // The first destination starts with new events, not with the oldest stored one.
    const cursors =
      own.length > 0
        ? []
        : accounts
            .all()
            .filter(({ userId }) => userId === wanted.userId)
            .map(({ id }) => ({ tradeAccountId: id, kind: CURSOR_KIND, value: String(store.lastSeq(id)) }));
    const committed = await store.commit({
      ...together(destination.id),
      destinations: [destination],
      cursors,
    });
    if (!committed.ok) {
      await this.secrets.erase(destination.id).catch(() => {});
      return fail({ kind: 'store', error: committed.error });
    }
    this.destinations.set(destination.id, destination);
    return ok({ destination, secret: kept.secret });
  }

  change(
    { id }: Destination,
    patch: DestinationPatch,
    together: UnitOfWork,
  ): Promise<Result<Destination, DestinationError>> {
    return this.inTurn(id, (current) => this.changeNow(current, patch, together));
  }

  private async changeNow(
    current: Destination,
    patch: DestinationPatch,
    together: UnitOfWork,
  ): Promise<Result<Destination, DestinationError>> {
    const now = this.options.clock.now();
    const hears = patch.enabled === true || patch.wants !== undefined || patch.tradeAccountIds !== undefined;
    const next: Destination = {
      ...current,
      ...patch,
      ...(hears ? { since: now } : {}),
      updatedAt: now,
    };
    const committed = await this.options.store.commit({ ...together, destinations: [next] });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    this.destinations.set(next.id, next);
    this.courier.look();
    return ok(next);
  }

  remove({ id }: Destination, together: UnitOfWork): Promise<Result<void, DestinationError>> {
    return this.inTurn(id, (current) => this.removeNow(current, together));
  }

  private async removeNow(
    destination: Destination,
    together: UnitOfWork,
  ): Promise<Result<void, DestinationError>> {
    const { id } = destination;
    // As with credentials: once the row is gone, nothing would lead to the secret.
    await this.secrets.erase(id);
    // Nothing is written about it any more from here on.
    this.destinations.delete(id);
    const waited = this.courier.drop(id);
    const committed = await this.options.store.commit({
      ...together,
      deletes: [{ from: 'destinations', id }],
    });
    if (!committed.ok) {
      this.destinations.set(id, destination);
      this.courier.take(waited);
      return fail({ kind: 'store', error: committed.error });
    }
    this.last.delete(id);
    this.leftOut.forget(id);
    return ok(undefined);
  }

  /** A new secret for a webhook; the former one signs beside it for `keepMs`. */
  rotate(
    { id }: Destination,
    keepMs: number,
    together: UnitOfWork,
  ): Promise<Result<Rotated, DestinationError>> {
    return this.inTurn(id, (current) => this.rotateNow(current, keepMs, together));
  }

  private async rotateNow(
    destination: Destination,
    keepMs: number,
    together: UnitOfWork,
  ): Promise<Result<Rotated, DestinationError>> {
    if (destination.kind !== 'WEBHOOK') return fail({ kind: 'unsupported' });
    const now = this.options.clock.now();
    const before = await this.secrets.read(destination.id);
    const secret = newSecret();
    const previousUntil = now + keepMs;
    const kept = before === null || keepMs === 0 ? {} : { previous: before.secret, previousUntil };
    const next = { ...destination, updatedAt: now };
    const committed = await this.options.store.commit({ ...together, destinations: [next] });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    this.destinations.set(next.id, next);
    await this.secrets.write(destination.id, { secret, ...kept });
    return ok({ secret, previousUntil });
  }

  /** Sends one delivery of a made-up event, at once and without retries. It is in the log like any other. */
  async test(destination: Destination): Promise<Result<Delivery, DestinationError>> {
    const { ids, clock, store } = this.options;
    const id = ids.next();
    const now = clock.now();
    const event: DeliveredEvent = {
      eventId: `evt_test_${id}`,
      event: 'test',
      tradeAccountId: null,
      seq: 0,
      mode: 'PAPER',
      network: null,
      entityId: destination.id,
      occurredAt: now,
    };
    const delivery = newDelivery(id, destination.id, now, event);
    const outcome = await this.attempts.make(destination, delivery, this.stopping.signal);
    const done = {
      ...delivery,
      status: outcome.error === null ? ('DELIVERED' as const) : ('FAILED' as const),
      attempts: 1,
      nextAttemptAt: null,
      responseStatus: outcome.responseStatus,
      response: outcome.response,
      error: outcome.error,
      updatedAt: outcome.at,
      finishedAt: outcome.at,
    };
    // Removed meanwhile, with its log.
    if (!this.destinations.has(destination.id)) return fail({ kind: 'not_found' });
    const committed = await store.commit({ deliveries: [done] });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    this.last.set(destination.id, done);
    return ok(done);
  }

  /** Delivers the same event once more, as a delivery of its own. */
  redeliver({ id }: Destination, of: Delivery): Promise<Result<Delivery, DestinationError>> {
    return this.inTurn(id, async () => {
      const { ids, clock, store } = this.options;
      if (this.courier.waitingOf(id) >= MAX_WAITING) return fail({ kind: 'full' });
      const again = newDelivery(ids.next(), id, clock.now(), of);
      const committed = await store.commit({ deliveries: [again] });
      if (!committed.ok) return fail({ kind: 'store', error: committed.error });
      this.courier.take([again]);
      return ok(again);
    });
  }

  /** @param work gets the destination as it is when its turn comes */
  private inTurn<T>(
    id: string,
    work: (current: Destination) => Promise<Result<T, DestinationError>>,
  ): Promise<Result<T, DestinationError>> {
    return this.turns.run(id, async () => {
      const current = this.destinations.get(id);
      return current === undefined ? fail({ kind: 'not_found' }) : work(current);
    });
  }

  private of(tradeAccountId: string): readonly Destination[] {
    if (this.destinations.size === 0) return [];
    const account = this.accountOf(tradeAccountId);
    if (account === undefined) return [];
    return [...this.destinations.values()].filter(
      ({ enabled, userId, tradeAccountIds }) =>
        enabled && userId === account.userId && (tradeAccountIds?.includes(account.id) ?? true),
    );
  }

  private moneyOf(id: string): Money {
    const account = this.accountOf(id);
    return account === undefined ? { mode: 'PAPER', network: null } : this.options.accounts.moneyOf(account);
  }

  private accountOf(id: string | null): TradeAccount | undefined {
    return id === null ? undefined : this.options.accounts.get(id);
  }

  private skip(id: string, count: number): void {
    const counting = this.inTurn(id, async (current) => {
      const next = { ...current, skipped: current.skipped + count };
      this.destinations.set(id, next);
      this.leftOut.say(id, next.skipped);
      await this.options.store.commit({ destinations: [next] });
      return ok(undefined);
    });
    counting.catch((error: unknown) => {
      this.options.logger.error({ err: error, destinationId: id }, 'skipped events were not counted');
    });
  }
}
