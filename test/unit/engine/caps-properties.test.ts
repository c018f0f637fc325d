import { expect } from 'chai';
import fc from 'fast-check';
import { placedBy } from '../../../gateway/domain/authority.ts';
import { type Decimal, dec, sum } from '../../../gateway/domain/decimal.ts';
import type { Execution, Order, Principal } from '../../../gateway/domain/model.ts';
import type { RebalanceTerms } from '../../../gateway/domain/position-setup.ts';
import type { Result } from '../../../gateway/domain/result.ts';
import type { LimitChange } from '../../../gateway/engine/core/account-limits.ts';
import type { EngineError } from '../../../gateway/engine/core/errors.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import type { PlaceOrder } from '../../../gateway/engine/ports/venue.ts';
import { type EngineDesk, engineDesk, type Leg, leg } from '../../support/engine-desk.ts';
import { MandateDesk } from '../../support/mandate-desk.ts';
import { forAllAsync, propertyRuns, weightedRecord } from '../../support/property-runs.ts';
import { storeForSuite, user } from '../../support/store-records.ts';
import { anyBehaviour, anyLegs } from './any-orders.ts';

/**
 * The engine's desk on a live account, with everything that opens, and a model of its limits: every batch that reaches the
 * venue is held against the limits that were answered last.
 */
const TICKERS = ['AAA', 'BBB', 'CCC'];
const CALLERS: Readonly<Record<'session' | 'key' | 'agent', Principal>> = {
  session: { kind: 'session', userId: 'user', sessionId: 'session' },
  key: { kind: 'api_key', userId: 'user', keyId: 'key', scope: 'read_write', tradeAccountIds: null },
  agent: {
    kind: 'oauth_grant',
    userId: 'user',
    grantId: 'grant',
    clientId: 'client',
    scopes: ['mcp:read', 'mcp:write'],
  },
};

type Answer = Promise<Result<unknown, EngineError>>;
/** Limits as told to the user, or as requested; null: not armed. */
type Limits = LimitChange | null;

interface Planned {
  readonly execution: Execution;
  readonly order: Order;
  /** Mark when the order was sized. */
  readonly mark: string;
  readonly limits: Limits;
}

const REBALANCE: RebalanceTerms = {
  mode: 'TARGET_WEIGHTS',
  action: 'TRADE',
  minimumDrift: '0.02',
  timeframe: null,
  cooldownSeconds: 60,
  maxTradeUsd: null,
};

class CapsDesk {
  readonly desk: EngineDesk;
  /** null: not armed. */
  limits: Limits = null;
  opened = 0;
  readonly refusals = new Set<string>();
  #changing: readonly [Limits] | null = null;
  readonly #asks: MandateDesk;
  /** Client order id → the order as it was committed before its sending. */
  readonly #planned = new Map<string, Planned>();
  readonly #violations: string[] = [];
  readonly #arriving = new Set<PlaceOrder>();

  private constructor(desk: EngineDesk) {
    this.desk = desk;
    this.#asks = new MandateDesk(desk);
    desk.afterCommit = ({ executions = [] }) => {
      for (const execution of executions) for (const order of execution.orders) this.#plan(execution, order);
    };
    desk.venue.onArrival((orders) => this.#arrived(orders));
  }

  static async make(store: Store): Promise<CapsDesk> {
    const desk = await engineDesk(store, 'LIVE');
    await store.commit({ users: [user({ id: 'user' })], accounts: [desk.account] });
    const made = new CapsDesk(desk);
    await desk.start();
    return made;
  }

  /** null: disarms. */
  async set(limits: Limits): Promise<void> {
    const { account } = this.desk;
    this.#changing = [limits];
    const changed = await this.desk.advanceUntil(
      limits === null ? this.desk.limits.disarm(account, {}) : this.desk.limits.change(account, limits, {}),
    );
    expect(changed.ok).to.equal(true);
    this.limits = limits;
    this.#changing = null;
  }

  open(by: Principal, legs: readonly Leg[], onLegFailure: 'KEEP' | 'RETRY' | 'UNWIND'): void {
    this.#ask(this.#asks.open(by, legs, { onLegFailure }));
  }

  trigger(by: Principal, legs: readonly Leg[], value: string): void {
    this.#ask(this.#asks.trigger(by, legs, value));
  }

  ladder(by: Principal, legs: readonly Leg[], start: string, end: string): void {
    this.#ask(this.#asks.ladder(by, legs, start, end));
  }

  schedule(by: Principal, legs: readonly Leg[]): void {
    this.#ask(this.#asks.twap(by, legs));
  }

  /** Acts on the nth open position, if there is one. */
  act(by: Principal, what: 'increase' | 'reverse' | 'rebalance' | 'keep weights', nth: number): void {
    const { account } = this.desk;
    const open = this.desk.state.positions.of(account.id);
    const position = open[nth % Math.max(1, open.length)];
    if (position !== undefined) this.#ask(this.#acting(by, what, position.id));
  }

  #acting(by: Principal, what: Parameters<CapsDesk['act']>[1], positionId: string): Answer {
    const { account, engine } = this.desk;
    const command = this.desk.command();
    const common = { positionId, slippage: null, clientId: null };
    const { positions, rebalances } = this.#asks.services;
    switch (what) {
      case 'increase':
        return engine.adjustPosition(by, command, {
          ...common,
          intent: 'INCREASE',
          onLegFailure: 'RETRY',
          by: 'fraction',
          fraction: '1',
        });
      case 'reverse':
        return positions.reverse(by, command, { ...common, onLegFailure: 'RETRY', brackets: 'CARRY' });
      case 'rebalance': {
        const request = { mode: null, timeframe: null, maxTradeUsd: null, slippage: null, clientId: null };
        return rebalances.rebalance(by, command, positionId, request);
      }
      case 'keep weights':
        return rebalances.set(by, account, positionId, REBALANCE);
    }
  }

  /** Closes everything, whatever the limits are. */
  async closeAll(): Promise<void> {
    const { desk } = this;
    const command = { account: desk.account, idempotency: null, answer: () => '{}' };
    for (let rounds = 0; desk.state.positions.of(desk.account.id).length > 0; rounds += 1) {
      expect(rounds, 'closing comes to an end').to.be.lessThan(5);
      const closed = await desk.advanceUntil(
        this.#asks.services.positions.closeAll(CALLERS.agent, command, {
          connector: null,
          slippage: null,
          clientId: null,
        }),
      );
      expect(closed).to.have.property('ok', true);
      await desk.pass(60_000);
    }
    for (const ticker of TICKERS) expect(desk.venue.held(`${ticker}-PERP`), ticker).to.equal('0');
  }

  /** Fails the test if anything was sent that the limits forbid. */
  check(): void {
    expect(this.#violations).to.deep.equal([]);
  }

  /** Not waited for: what is asked without a wait in between runs together. */
  #ask(answer: Answer): void {
    void answer.then((said) => (said.ok ? undefined : this.refusals.add(said.error.code)));
  }

  #plan(execution: Execution, order: Order): void {
    const { clientOrderId, symbol } = order;
    if (clientOrderId === null || this.#planned.has(clientOrderId)) return;
    const first = [...this.#planned.values()].find((one) => one.order.id === order.id);
    // A further attempt sends the rest of what was sized then.
    const mark = first?.mark ?? this.#mark(symbol).toString();
    this.#planned.set(clientOrderId, { execution, order, mark, limits: first?.limits ?? this.limits });
  }

  #arrived(orders: readonly PlaceOrder[]): void {
    const known = orders.map((order) => ({ sent: order, planned: this.#planned.get(order.clientOrderId) }));
    if (known.some(({ planned }) => planned === undefined))
      this.#violations.push('sent before it was on disk');
    const opening = known.flatMap(({ sent, planned }) => {
      const opens = planned?.execution.intent === 'OPEN' || planned?.execution.intent === 'ADJUST';
      return planned !== undefined && opens && !sent.reduceOnly ? [{ sent, planned }] : [];
    });
    if (opening.length === 0) return;
    this.opened += 1;
    const refusals = [[this.limits], ...(this.#changing === null ? [] : [this.#changing])].map(([limits]) =>
      this.#forbidden(limits ?? null, opening),
    );
    if (refusals.every((refusal) => refusal !== null)) this.#violations.push(refusals.join(' / '));
    // Two batches may arrive before the first of them executes, which it does in this turn of the event loop.
    for (const { sent } of opening) {
      this.#arriving.add(sent);
      setImmediate(() => this.#arriving.delete(sent));
    }
  }

  /** Reason why the orders are forbidden; null: none. */
  #forbidden(
    limits: Limits,
    opening: readonly { readonly sent: PlaceOrder; readonly planned: Planned }[],
  ): string | null {
    if (limits === null) return 'not armed';
    const notionals: Decimal[] = [];
    let isAsPlanned = true;
    for (const { sent, planned } of opening) {
      const { authorityKind } = planned.execution;
      if (authorityKind === placedBy(CALLERS.key).authorityKind && limits.allow?.apiKeys !== true)
        return 'a key';
      if (authorityKind === 'oauth_grant' && limits.allow?.grants !== true) return 'an agent';
      const now = this.#mark(sent.symbol);
      // Under the same limits an order is valued at the mark it was sized at, else at the present one.
      const least = planned.limits === limits && now.gt(planned.mark) ? dec(planned.mark) : now;
      if (!now.eq(planned.mark) || planned.limits !== limits) isAsPlanned = false;
      const notional = dec(sent.quantity).mul(least);
      if (notional.gt(limits.perOrderUsd)) return `${notional} of ${sent.symbol}`;
      if (limits.instruments?.includes(sent.symbol) === false) return `an order of ${sent.symbol}`;
      notionals.push(notional);
    }
    // The venue's own holdings: also what the gateway has not heard of yet. Where a mark has moved since the sizing they
    // are worth something else by now.
    const held = sum(
      TICKERS.map((ticker) =>
        dec(this.desk.venue.held(`${ticker}-PERP`))
          .abs()
          .mul(this.#mark(`${ticker}-PERP`)),
      ),
    );
    const arriving = sum([...this.#arriving].map(({ symbol, quantity }) => this.#mark(symbol).mul(quantity)));
    const total = held.plus(arriving).plus(sum(notionals));
    return isAsPlanned && total.gt(limits.totalUsd) ? `${total} in all` : null;
  }

  #mark(symbol: string): Decimal {
    return dec(this.desk.venue.market.quote('scripted', symbol)?.mark ?? '0');
  }
}

const RUNS = propertyRuns(300, 25);
const CAPS = ['60', '100', '150', '400'];

const caller = fc.constantFrom(CALLERS.session, CALLERS.session, CALLERS.key, CALLERS.agent);
const legs = anyLegs(['20', '60', '99.9', '100', '101', '150']);
const limits: fc.Arbitrary<LimitChange | null> = fc.option(
  fc.record({
    armed: fc.constant(true),
    perOrderUsd: fc.constantFrom(...CAPS),
    totalUsd: fc.constantFrom('200', '300', '1000'),
    allow: fc.record({ apiKeys: fc.boolean(), grants: fc.boolean() }),
    instruments: fc.constantFrom(null, null, null, ['AAA-PERP', 'BBB-PERP']),
  }),
  { freq: 5 },
);
const policy = fc.constantFrom('KEEP' as const, 'RETRY' as const, 'RETRY' as const, 'UNWIND' as const);

const action = fc.oneof(
  weightedRecord(6, { do: fc.constant('open' as const), by: caller, legs, policy }),
  weightedRecord(2, {
    do: fc.constant('trigger' as const),
    by: caller,
    legs,
    at: fc.integer({ min: 80, max: 120 }),
  }),
  weightedRecord(2, {
    do: fc.constant('ladder' as const),
    by: caller,
    legs,
    at: fc.integer({ min: 90, max: 120 }),
  }),
  weightedRecord(2, { do: fc.constant('schedule' as const), by: caller, legs }),
  weightedRecord(4, {
    do: fc.constantFrom(
      'increase' as const,
      'reverse' as const,
      'rebalance' as const,
      'keep weights' as const,
    ),
    by: caller,
    nth: fc.nat(3),
  }),
  weightedRecord(4, { do: fc.constant('limit' as const), limits }),
  weightedRecord(2, {
    do: fc.constant('move' as const),
    symbol: fc.constantFrom('AAA-PERP', 'BBB-PERP', 'CCC-PERP'),
    mark: fc.integer({ min: 80, max: 125 }),
  }),
  weightedRecord(3, { do: fc.constant('wait' as const), ms: fc.constantFrom(0, 10, 100, 1_000, 65_000) }),
  weightedRecord(1, { do: fc.constant('die' as const) }),
);
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

describe('a live account under any orders', () => {
  const store = storeForSuite();

  async function play(caps: CapsDesk, one: Action): Promise<void> {
    switch (one.do) {
      case 'open':
        return caps.open(one.by, one.legs, one.policy);
      case 'trigger':
        return caps.trigger(one.by, one.legs, String(one.at));
      case 'ladder':
        return caps.ladder(one.by, one.legs, String(one.at), String(one.at - 20));
      case 'schedule':
        return caps.schedule(one.by, one.legs);
      case 'limit':
        return caps.set(one.limits);
      case 'move':
        return caps.desk.venue.setMark(one.symbol, String(one.mark));
      case 'wait':
        return caps.desk.pass(one.ms);
      case 'die':
        await caps.desk.start();
        return;
      default:
        return caps.act(one.by, one.do, one.nth);
    }
  }

  it('sends no more than the limits and closes all the same', async function () {
    this.timeout(240_000);
    let opened = 0;
    const refusals = new Set<string>();
    await forAllAsync(
      [fc.array(action, { minLength: 4, maxLength: 14 }), fc.array(anyBehaviour, { maxLength: 10 })],
      RUNS,
      async (actions, behaviours) => {
        const caps = await CapsDesk.make(store);
        let sent = 0;
        caps.desk.venue.behave(() => behaviours[sent++] ?? {});
        await caps.set({
          armed: true,
          perOrderUsd: '100',
          totalUsd: '300',
          allow: { apiKeys: true, grants: false },
        });
        for (const one of actions) await play(caps, one);
        await caps.desk.pass(400_000);
        caps.check();
        // Nothing may be opened any more, and everything is closed.
        caps.desk.venue.behave(() => ({}));
        await caps.set({ armed: true, perOrderUsd: '0.01', totalUsd: '0.01' });
        await caps.set(null);
        await caps.closeAll();
        caps.check();
        opened += caps.opened;
        for (const code of caps.refusals) refusals.add(code);
        caps.desk.kill();
      },
    );
    // The property would also hold of an engine that never trades.
    expect(opened).to.be.greaterThan(RUNS.numRuns);
    expect([...refusals]).to.include.members(['ACCOUNT_NOT_ARMED', 'CALLER_NOT_ALLOWED', 'CAP_EXCEEDED']);
  });

  for (const [what, limits, errorCode] of [
    ['disarmed', null, 'ACCOUNT_NOT_ARMED'],
    ['given smaller caps', { armed: true, perOrderUsd: '50', totalUsd: '1000' }, 'CAP_EXCEEDED'],
  ] as const) {
    it(`sends no further attempt on an account that was ${what} after the first`, async () => {
      const caps = await CapsDesk.make(store);
      const { desk } = caps;
      desk.venue.behave(() => ({ fraction: '0.25' }));
      await caps.set({ armed: true, perOrderUsd: '100', totalUsd: '1000' });
      caps.open(CALLERS.session, [leg('AAA', 'BUY', '100')], 'RETRY');
      await desk.pass(10);
      expect(desk.venue.sent).to.have.length(1);
      await caps.set(limits);
      const [execution] = await desk.allEnded();
      expect(desk.venue.sent).to.have.length(1);
      expect(execution?.orders[0]).to.include({ filledQuantity: '0.25', status: 'CANCELLED', errorCode });
      desk.venue.behave(() => ({}));
      await caps.closeAll();
      desk.kill();
    });
  }
});
