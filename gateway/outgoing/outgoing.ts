/** Destinations of news: made, changed, tried and removed; and what hears, records and sends (README.md). */
import {
  type AttemptOutcome,
  type DeliveredEvent,
  type Delivery,
  type Destination,
  MAX_DESTINATIONS,
} from '../domain/delivery.ts';
import type { TradeAccount } from '../domain/model.ts';
import type { Money } from '../domain/money.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { MarketData } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Ids, Logger } from '../engine/ports/system.ts';
import type { StoreError, UnitOfWork } from '../engine/ports/unit-of-work.ts';
import type { Vault } from '../engine/ports/vault.ts';
import { Courier } from './courier.ts';
import { LeftOut } from './left-out.ts';
import { post } from './post.ts';
import { CURSOR_KIND, newDelivery, Recorder } from './recorder.ts';
import { messageRequest, payloadOf, webhookRequest } from './requests.ts';
import { type DestinationSecret, DestinationSecrets } from './secrets.ts';
import { Sentences } from './sentences.ts';
import { newSecret } from './signature.ts';

export interface OutgoingOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly market: Pick<MarketData, 'instrument'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Share of the time in which the event loop was busy lately, from 0 to 1. */
  readonly busyShare: () => number;
  readonly accounts: {
    all(): readonly TradeAccount[];
    get(id: string): TradeAccount | undefined;
    moneyOf(account: TradeAccount): Money;
  };
}

export type DestinationError =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'too_many' }
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

/** What the last attempt came to, since the start. */
export type LastAttempt = Pick<Delivery, 'status' | 'responseStatus' | 'error' | 'updatedAt'>;

export class Outgoing {
  private readonly options: OutgoingOptions;
  private readonly secrets: DestinationSecrets;
  private readonly recorder: Recorder;
  private readonly courier: Courier;
  private readonly destinations = new Map<string, Destination>();
  private readonly last = new Map<string, LastAttempt>();
  private readonly stopping = new AbortController();
  private readonly leftOut: LeftOut;
  private readonly sentences: Sentences;
  /** What waited when the process ended, until `start`. */
  private waiting: readonly Delivery[] = [];

  constructor(options: OutgoingOptions) {
    this.options = options;
    const { store, clock, ids, logger } = options;
    this.leftOut = new LeftOut(clock, logger);
    this.sentences = new Sentences(options);
    this.secrets = new DestinationSecrets(options.vault);
    this.courier = new Courier({
      store,
      clock,
      logger,
      destination: (id) => {
        const found = this.destinations.get(id);
        return found?.enabled === true ? found : undefined;
      },
      attempt: (destination, delivery) => this.attempt(destination, delivery),
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
      recorded: (deliveries) => this.courier.take(deliveries),
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

  /** @returns what ends it */
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
  async create(
    wanted: NewDestination,
    secret: DestinationSecret | null,
    together: (id: string) => UnitOfWork,
  ): Promise<Result<{ readonly destination: Destination; readonly secret: string }, DestinationError>> {
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
    // What was never recorded before begins now, not with the oldest event that is kept.
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

  async change(
    destination: Destination,
    patch: DestinationPatch,
    secret: DestinationSecret | null,
    together: UnitOfWork,
  ): Promise<Result<Destination, DestinationError>> {
    const now = this.options.clock.now();
    const current = this.destinations.get(destination.id);
    if (current === undefined) return fail({ kind: 'not_found' });
    const hears = patch.enabled === true || patch.wants !== undefined || patch.tradeAccountIds !== undefined;
    const next: Destination = {
      ...current,
      ...patch,
      ...(hears ? { since: now } : {}),
      updatedAt: now,
    };
    if (secret !== null) await this.secrets.write(next.id, secret);
    const committed = await this.options.store.commit({ ...together, destinations: [next] });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    // It may have been removed meanwhile: then nothing brings it back into memory.
    if (this.destinations.has(next.id)) this.destinations.set(next.id, next);
    this.courier.look();
    return ok(next);
  }

  async remove(destination: Destination, together: UnitOfWork): Promise<Result<void, DestinationError>> {
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

  /** A new secret for a webhook; the one of before signs beside it for `keepMs`. */
  async rotate(
    destination: Destination,
    keepMs: number,
    together: UnitOfWork,
  ): Promise<Result<{ readonly secret: string; readonly previousUntil: number }, DestinationError>> {
    if (destination.kind !== 'WEBHOOK') return fail({ kind: 'unsupported' });
    const now = this.options.clock.now();
    const before = await this.secrets.read(destination.id);
    const secret = newSecret();
    const previousUntil = now + keepMs;
    const kept = before === null || keepMs === 0 ? {} : { previous: before.secret, previousUntil };
    const committed = await this.options.store.commit({
      ...together,
      destinations: [{ ...destination, updatedAt: now }],
    });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    await this.secrets.write(destination.id, { secret, ...kept });
    return ok({ secret, previousUntil });
  }

  /** One delivery of a made-up event, at once and not again. It is in the log like any other. */
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
    const outcome = await this.attempt(destination, delivery);
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
    const committed = await store.commit({ deliveries: [done] });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    this.last.set(destination.id, done);
    return ok(done);
  }

  /** The same event once more, as a delivery of its own. */
  async redeliver(destination: Destination, of: Delivery): Promise<Result<Delivery, DestinationError>> {
    const { ids, clock, store } = this.options;
    const again = newDelivery(ids.next(), destination.id, clock.now(), of);
    const committed = await store.commit({ deliveries: [again] });
    if (!committed.ok) return fail({ kind: 'store', error: committed.error });
    this.courier.take([again]);
    return ok(again);
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
    const destination = this.destinations.get(id);
    if (destination === undefined) return;
    const next = { ...destination, skipped: destination.skipped + count };
    this.destinations.set(id, next);
    this.options.store.commit({ destinations: [next] }).catch((error: unknown) => {
      this.options.logger.error({ err: error, destinationId: id }, 'skipped events were not counted');
    });
    this.leftOut.say(id, next.skipped);
  }

  private async attempt(destination: Destination, delivery: Delivery): Promise<AttemptOutcome> {
    const { clock } = this.options;
    const secret = await this.secrets.read(destination.id);
    const nothing = { responseStatus: null, response: null };
    if (secret === null)
      return { at: clock.now(), ...nothing, error: 'Its secret is not in the vault', isLast: true };
    const request =
      destination.kind === 'WEBHOOK'
        ? webhookRequest(destination, delivery, payloadOf(delivery), secret, clock.now())
        : await this.message(destination, delivery, secret);
    if (request === null)
      return { at: clock.now(), ...nothing, error: 'What it is about is gone', isLast: true };
    const outcome = await post(request, this.stopping.signal);
    const at = clock.now();
    if (outcome.kind === 'failed') return { at, ...nothing, error: outcome.reason };
    const { status, text, retryAfterMs } = outcome;
    // A receiver that quotes what it was sent would put the secret into the log.
    const response = [secret.secret, secret.previous ?? '', secret.target ?? ''].reduce(
      (said, word) => (word === '' ? said : said.replaceAll(word, '…')),
      text,
    );
    const isDone = status >= 200 && status < 300;
    return {
      at,
      responseStatus: status,
      response,
      retryAfterMs,
      error: isDone ? null : `It answered with status ${status}`,
    };
  }

  private async message(destination: Destination, delivery: Delivery, secret: DestinationSecret) {
    const sentence = await this.sentences.of(delivery);
    return sentence === null ? null : messageRequest(destination, sentence, secret);
  }
}
