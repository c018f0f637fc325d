/**
 * The engine on a clock that stands still, a real store and a scripted venue. A life of the engine can end at any point
 * (`kill`): nothing that it started goes on, and the next life finds only what is on disk and at the venue.
 */
import { join } from 'node:path';
import { deriveBasketKey } from '../../gateway/contract/basket-key.ts';
import { sum, text } from '../../gateway/domain/decimal.ts';
import type { Execution, Fill, Position, Principal, TradeAccount } from '../../gateway/domain/model.ts';
import { signedQuantity } from '../../gateway/domain/position.ts';
import { fail, type Result } from '../../gateway/domain/result.ts';
import { FillReviews } from '../../gateway/engine/account/fill-reviews.ts';
import { OpeningLimits } from '../../gateway/engine/core/account-limits.ts';
import { BasketRegistry } from '../../gateway/engine/core/basket-registry.ts';
import { FollowUps } from '../../gateway/engine/core/follow-ups.ts';
import { LiveState } from '../../gateway/engine/core/live-state.ts';
import { OrderCancels } from '../../gateway/engine/core/order-cancels.ts';
import { TradingPause } from '../../gateway/engine/core/trading-pause.ts';
import { Warden } from '../../gateway/engine/core/warden.ts';
import { Engine } from '../../gateway/engine/engine.ts';
import type { OpenBasket } from '../../gateway/engine/execution/open-basket.ts';
import type { RecoveryReport } from '../../gateway/engine/execution/recovery.ts';
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { Clock, Logger } from '../../gateway/engine/ports/system.ts';
import type { StoredEvent, StoreError, UnitOfWork } from '../../gateway/engine/ports/unit-of-work.ts';
import type { Venue } from '../../gateway/engine/ports/venue.ts';
import { createIds } from '../../gateway/system/ids.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { MemoryDesk, MemoryMandates } from './mandates.ts';
import { recordingLogger } from './recording-logger.ts';
import { createScriptedVenue, type ScriptedVenue } from './scripted-venue.ts';
import { testStore } from './store-records.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const PRINCIPAL: Principal = { kind: 'session', userId: 'user', sessionId: 'session' };
const UNAVAILABLE: StoreError = { kind: 'unavailable', message: 'database or disk is full' };
/** Longest simulated time that something is waited for. */
const PATIENCE_MS = 10 * 60_000;

export interface Life {
  readonly engine: Engine;
  readonly state: LiveState;
  readonly tradingPause: TradingPause;
  readonly limits: OpeningLimits;
  readonly warden: Warden;
  readonly report: RecoveryReport;
}

export type Leg = OpenBasket['legs'][number];

export const leg = (
  symbol: string,
  side: 'BUY' | 'SELL',
  amount: string,
  mode: Leg['mode'] = 'USD',
): Leg => ({
  symbol: `${symbol}-PERP`,
  side,
  mode,
  amount,
});

export class EngineDesk {
  readonly clock: FakeClock = createFakeClock();
  readonly venue: ScriptedVenue = createScriptedVenue(this.clock);
  readonly account: TradeAccount;
  readonly store: Store;
  readonly logger = recordingLogger();
  /** Events in the order of their commits. */
  reviews!: FillReviews;
  readonly events: StoredEvent[] = [];
  /** Every unit that was committed, in order, with the time. */
  readonly commits: { readonly unit: UnitOfWork; readonly at: number }[] = [];
  /** Units that the store refused. */
  refused = 0;
  /** Decides for each unit whether the store is unavailable. */
  storeRefuses: (unit: UnitOfWork) => boolean = () => false;
  /** The process dies right after this commit. */
  dieAfterCommit: (unit: UnitOfWork) => boolean = () => false;
  /** Called after each commit, before whoever committed hears of it; what it returns is waited for. */
  afterCommit: (unit: UnitOfWork) => Promise<void> | void = () => undefined;
  /** Mandates and approvals, over all lives. */
  readonly mandates = new MemoryMandates();
  readonly desk = new MemoryDesk();
  /** Grants that were revoked, over all lives. */
  readonly cutOff = new Set<string>();
  /** Services around the engine, new in each life: loaded before it takes up what had not ended, started after. */
  around: (engine: Engine) => { load(): Promise<void>; start(): void } = () => ({
    load: () => Promise.resolve(),
    start: () => {},
  });
  /** The process dies before, or right after, the batch reaches the venue. */
  dieAtSend: 'before' | 'after' | null = null;
  readonly #ids = createIds(this.clock);
  readonly #accepted = new Set<string>();
  readonly #ended = new Set<string>();
  #busy = 0;
  #life: { alive: boolean } = { alive: false };
  #current: Life | null = null;

  constructor(store: Store, account: TradeAccount) {
    this.store = store;
    this.account = account;
  }

  get engine(): Engine {
    return this.#now().engine;
  }

  get state(): LiveState {
    return this.#now().state;
  }

  get tradingPause(): TradingPause {
    return this.#now().tradingPause;
  }

  get warden(): Warden {
    return this.#now().warden;
  }

  get limits(): OpeningLimits {
    return this.#now().limits;
  }

  /** Starts a life; the one before is ended without a word. */
  async start(): Promise<Life> {
    this.kill();
    this.dieAfterCommit = () => false;
    this.dieAtSend = null;
    const life = { alive: true };
    this.#life = life;
    const [store, clock] = [this.#storeOf(life), this.#clockOf(life)];
    const state = new LiveState();
    const tradingPause = new TradingPause({ store, clock });
    await this.advanceUntil(tradingPause.load());
    const limits = new OpeningLimits({ store, clock, market: this.venue.market, state });
    await this.advanceUntil(limits.load());
    const accountOf = (id: string) => (id === this.account.id ? this.account : undefined);
    const reviews = new FillReviews({
      store,
      clock,
      ids: this.#ids,
      logger: this.#loggerOf(life),
      accountOf,
      lots: state.unassigned,
    });
    await this.advanceUntil(reviews.load());
    this.reviews = reviews;
    const warden = new Warden({
      store,
      clock,
      ids: this.#ids,
      market: this.venue.market,
      venues: { get: (id) => (id === venue.info.id ? venue : undefined) },
      state,
      book: this.mandates,
      desk: this.desk,
    });
    const engine = new Engine(
      {
        store,
        venues: { get: (id) => (id === venue.info.id ? venue : undefined), all: () => [venue] },
        market: this.venue.market,
        clock,
        ids: this.#ids,
        logger: this.#loggerOf(life),
        state,
        followUps: new FollowUps(),
        tradingPause,
        limits,
        warden,
        cancels: new OrderCancels(),
        reviews,
        authorities: { isCutOff: (grantId) => this.cutOff.has(grantId) },
        baskets: new BasketRegistry(),
        basketKey: deriveBasketKey,
        isActiveClient: () => false,
      },
      { accountOf, holdRunner: false },
    );
    const venue = this.#venueOf(life);
    await engine.load();
    const services = this.around(engine);
    await this.advanceUntil(services.load());
    const report = await this.advanceUntil(engine.start([this.account]));
    services.start();
    this.#current = { engine, state, tradingPause, limits, warden, report };
    return this.#current;
  }

  /** The process is gone: nothing that it began goes on. */
  kill(): void {
    this.#life.alive = false;
    this.#current = null;
  }

  get isAlive(): boolean {
    return this.#life.alive;
  }

  /** Opens a basket; the id of the acknowledged execution. */
  async open(legs: readonly Leg[], over: Partial<OpenBasket> = {}): Promise<string> {
    const answered = await this.engine.openBasket(PRINCIPAL, this.command(), basketOf(legs, over));
    if (!answered.ok) throw new Error(`open: ${JSON.stringify(answered.error)}`);
    return JSON.parse(answered.value.json).id;
  }

  async close(positionId: string, fraction = '1'): Promise<string> {
    const answered = await this.engine.closePosition(PRINCIPAL, this.command(), {
      positionId,
      fraction,
      slippage: null,
      clientId: null,
    });
    if (!answered.ok) throw new Error(`close: ${JSON.stringify(answered.error)}`);
    return JSON.parse(answered.value.json).id;
  }

  command() {
    return {
      account: this.account,
      idempotency: null,
      answer: ({ execution }: { readonly execution: Execution }) => JSON.stringify({ id: execution.id }),
    };
  }

  /** Moves time until the execution has ended, and everything that its end set off has settled. */
  async ended(id: string): Promise<Execution> {
    await this.advanceTo(() => this.#ended.has(id));
    return this.execution(id);
  }

  get allHaveEnded(): boolean {
    return [...this.#accepted].every((id) => this.#ended.has(id));
  }

  /** Moves time until every execution that was ever accepted has ended, unwinds included. */
  async allEnded(): Promise<readonly Execution[]> {
    await this.advanceTo(() => this.allHaveEnded);
    return Promise.all([...this.#accepted].map((id) => this.execution(id)));
  }

  /** Opens and waits for the end. */
  async opened(legs: readonly Leg[], over: Partial<OpenBasket> = {}): Promise<Execution> {
    return this.ended(await this.open(legs, over));
  }

  async execution(id: string): Promise<Execution> {
    const found = await this.store.execution(this.account.id, id);
    if (found === null) throw new Error(`no execution ${id}`);
    return found;
  }

  /** IDLE and ACTIVE ones of this account: other desks may have used the store. */
  async unfinished(): Promise<readonly Execution[]> {
    const all = await this.store.unfinishedExecutions();
    return all.filter((execution) => execution.tradeAccountId === this.account.id);
  }

  async position(id: string | null): Promise<Position> {
    const found = id === null ? null : await this.store.position(this.account.id, id);
    if (found === null) throw new Error(`no position ${id}`);
    return found;
  }

  /** Every execution of the account, oldest first. */
  async executions(): Promise<readonly Execution[]> {
    const filter = { tradeAccountId: this.account.id };
    return (await this.store.executions(filter, { limit: 10_000, after: null })).rows.toReversed();
  }

  async fills(): Promise<readonly Fill[]> {
    const filter = { tradeAccountId: this.account.id, descending: false };
    return (await this.store.fills(filter, { limit: 10_000, after: null })).rows;
  }

  async positions(): Promise<readonly Position[]> {
    const filter = { tradeAccountId: this.account.id, orderBy: 'createdAt', descending: false } as const;
    return (await this.store.positions(filter, { limit: 10_000, after: null })).rows;
  }

  /** Total quantity in baskets of an instrument, signed. */
  async heldInBaskets(symbol: string): Promise<string> {
    const legs = (await this.positions()).flatMap((position) => position.legs);
    return text(sum(legs.filter((one) => one.symbol === symbol).map(signedQuantity)));
  }

  /** Lets everything that can go on without time passing go on. */
  async quiet(): Promise<void> {
    for (let calm = 0; calm < 4; ) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      calm = this.#busy === 0 ? calm + 1 : 0;
    }
  }

  /** Moves time from timer to timer until it is so. */
  async advanceTo(so: () => boolean): Promise<void> {
    const deadline = this.clock.now() + PATIENCE_MS;
    for (;;) {
      await this.quiet();
      if (so()) return;
      const next = this.clock.untilNext();
      if (next === null || this.clock.now() + next > deadline)
        throw new Error(`it did not come to that: ${JSON.stringify(this.logger.lines.slice(-3))}`);
      await this.clock.advance(next);
    }
  }

  async advanceUntil<T>(done: Promise<T>): Promise<T> {
    let settled = false;
    const watched = done.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    await this.advanceTo(() => settled);
    return watched;
  }

  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    for (;;) {
      await this.quiet();
      const next = this.clock.untilNext();
      if (next === null || this.clock.now() + next > end) break;
      await this.clock.advance(next);
    }
    await this.clock.advance(end - this.clock.now());
    await this.quiet();
  }

  #now(): Life {
    if (this.#current === null) throw new Error('the engine is not running');
    return this.#current;
  }

  #clockOf(life: { readonly alive: boolean }): Clock {
    const { clock } = this;
    return {
      now: () => clock.now(),
      uptime: () => clock.uptime(),
      after: (ms, run) => clock.after(ms, () => (life.alive ? run() : undefined)),
      sleep: (ms) => new Promise((resolve) => clock.after(ms, () => (life.alive ? resolve() : undefined))),
    };
  }

  #loggerOf(life: { readonly alive: boolean }): Logger {
    const write = (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) =>
      life.alive ? this.logger[level](fields, message) : undefined;
    return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  }

  #storeOf(life: { alive: boolean }): Store {
    const { store } = this;
    return new Proxy(store, {
      get: (target, name: keyof Store) => {
        if (name === 'commit') return (unit: UnitOfWork) => this.#commit(life, unit);
        if (name === 'unfinishedExecutions') return () => this.#asking(life, () => this.unfinished());
        const value = target[name];
        if (typeof value !== 'function' || name === 'lastSeq' || name === 'onCommitted') return value;
        return (...args: unknown[]) =>
          this.#asking(life, () => Promise.resolve(Reflect.apply(value, target, args)));
      },
    });
  }

  #commit(life: { alive: boolean }, unit: UnitOfWork) {
    return this.#asking(life, async (): Promise<Result<readonly StoredEvent[], StoreError>> => {
      if (this.storeRefuses(unit)) {
        this.refused += 1;
        return fail(UNAVAILABLE);
      }
      const committed = await this.store.commit(unit);
      if (!committed.ok) return committed;
      this.commits.push({ unit, at: this.clock.now() });
      this.events.push(...committed.value);
      for (const { id } of unit.newExecutions ?? []) this.#accepted.add(id);
      for (const execution of unit.executions ?? []) {
        if (execution.finishedAt !== null) this.#ended.add(execution.id);
      }
      await this.afterCommit(unit);
      if (life.alive && this.dieAfterCommit(unit)) this.kill();
      return committed;
    });
  }

  /** Runs `work` for a process. A dead one's work never starts, and its awaited answers never come. */
  async #asking<T>(life: { readonly alive: boolean }, work: () => Promise<T>): Promise<T> {
    if (!life.alive) return new Promise<never>(() => undefined);
    this.#busy += 1;
    let value: T;
    try {
      value = await work();
    } finally {
      this.#busy -= 1;
    }
    return life.alive ? value : new Promise<never>(() => undefined);
  }

  #venueOf(life: { readonly alive: boolean }): Venue {
    const { venue } = this;
    const asking = <T>(work: () => Promise<T>) => this.#asking(life, work);
    // Not counted as busy where a venue may take its time.
    return {
      ...venue,
      accountStream: (account, listener) =>
        venue.accountStream(account, (event) => (life.alive ? listener(event) : undefined)),
      placeBatch: async (account, orders) => {
        if (!life.alive) return new Promise<never>(() => undefined);
        if (this.dieAtSend === 'before') return this.#die();
        const outcomes = await venue.placeBatch(account, orders);
        if (this.dieAtSend === 'after') return this.#die();
        return life.alive ? outcomes : new Promise<never>(() => undefined);
      },
      ordersByClientIds: async (account, orders) => {
        if (!life.alive) return new Promise<never>(() => undefined);
        const answer = await venue.ordersByClientIds(account, orders);
        return life.alive ? answer : new Promise<never>(() => undefined);
      },
      history: (account, cursor) => asking(() => venue.history(account, cursor)),
      positions: (account) => asking(() => venue.positions(account)),
      balances: (account) => asking(() => venue.balances(account)),
    };
  }

  #die(): Promise<never> {
    this.kill();
    return new Promise<never>(() => undefined);
  }
}

export function basketOf(legs: readonly Leg[], over: Partial<OpenBasket> = {}): OpenBasket {
  return { legs, totalUsd: null, slippage: '0.01', onLegFailure: 'KEEP', clientId: null, ...over };
}

let accounts = 0;

function accountOf(userId: string, mode: TradeAccount['mode']): TradeAccount {
  accounts += 1;
  const id = `account-${accounts}`;
  return {
    id,
    userId,
    alias: 'Test',
    connector: 'scripted',
    mode,
    exchangeIdentifier: id,
    status: 'READY',
    metadata: null,
    createdAt: 0,
    updatedAt: 0,
  };
}

const opened: Store[] = [];

/** A desk on a store of its own, or on one that other desks used before. Not started yet. */
export async function engineDesk(shared?: Store, mode: TradeAccount['mode'] = 'PAPER'): Promise<EngineDesk> {
  const store = shared ?? (await testStore(join(await temporaryFolder(), 'tandem.db')));
  if (shared === undefined) opened.push(store);
  return new EngineDesk(store, accountOf('user', mode));
}

export async function closeDesks(): Promise<void> {
  for (const store of opened.splice(0)) await store.close();
}
