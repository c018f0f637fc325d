/**
 * Target weights beside a model that adds up what was asked, in USD at prices that stand still: whatever is opened, refused,
 * filled in part, repaired, sliced, reduced, named or reversed.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Side } from '../../../gateway/domain/model.ts';
import { createPositionService } from '../../../gateway/engine/positions/position-service.ts';
import { closeDesks, type Leg, leg, PRINCIPAL } from '../../support/engine-desk.ts';
import { MINUTE, type PlanDesk, planDesk } from '../../support/plan-desk.ts';
import { forAllAsync, propertyRuns, weightedRecord } from '../../support/property-runs.ts';
import { unwrap } from '../../support/unwrap.ts';

const PRICES: Readonly<Record<string, number>> = { AAA: 100, BBB: 50, CCC: 20 };
const TICKERS = Object.keys(PRICES);
const STEP = 0.001;
/** USD of one quantity step of the dearest instrument. */
const STEP_USD = 0.1;

const which = fc.nat(2);
const usd = fc.integer({ min: 3, max: 40 }).map((hundreds) => hundreds * 100);
const amounts = fc.tuple(usd, usd, usd);
const step = fc.oneof(
  weightedRecord(4, {
    kind: fc.constant('add' as const),
    amounts,
    which,
    fills: fc.constantFrom('all', 'all', 'half', 'none'),
    policy: fc.constantFrom('KEEP' as const, 'RETRY' as const, 'UNWIND' as const),
  }),
  weightedRecord(2, { kind: fc.constant('repair' as const) }),
  weightedRecord(2, { kind: fc.constant('twap' as const), amounts, which, refused: fc.nat(4) }),
  weightedRecord(2, { kind: fc.constant('reduce' as const), part: fc.constantFrom(0.25, 0.5) }),
  weightedRecord(2, { kind: fc.constant('name' as const), which, times: fc.constantFrom(0, 0.5, 1.5, 2) }),
  weightedRecord(1, { kind: fc.constant('reverse' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

class World {
  readonly #plan: PlanDesk;
  /** USD that were asked for and not given up, by ticker. */
  #wanted = new Map<string, number>();
  #sides: readonly Side[] = ['BUY', 'SELL', 'BUY'];
  /** Quantities are rounded to their step, once by each step of a run. */
  #slack = STEP_USD;

  constructor(plan: PlanDesk) {
    this.#plan = plan;
    plan.desk.venue.setMarks(
      Object.fromEntries(Object.entries(PRICES).map(([ticker, price]) => [`${ticker}-PERP`, String(price)])),
    );
  }

  async take(one: Step): Promise<void> {
    if (this.#wanted.size === 0 && one.kind !== 'add' && one.kind !== 'twap') return;
    switch (one.kind) {
      case 'add':
        await this.#add(one);
        break;
      case 'twap':
        await this.#twap(one);
        break;
      case 'repair':
        await this.#repair();
        break;
      case 'reduce':
        await this.#adjust('REDUCE', { by: 'fraction', fraction: String(one.part) });
        for (const [ticker, asked] of this.#wanted) this.#wanted.set(ticker, asked * (1 - one.part));
        break;
      case 'name':
        await this.#name(one);
        break;
      case 'reverse':
        await this.#reverse();
        break;
    }
    this.#plan.desk.venue.behave(() => ({}));
    this.#slack += STEP_USD * TICKERS.length;
    await this.#check(one);
  }

  async #add({
    amounts: asked,
    which: failing,
    fills,
    policy,
  }: Extract<Step, { kind: 'add' }>): Promise<void> {
    const { desk } = this.#plan;
    const share = { all: '1', half: '0.5', none: '0' }[fills] ?? '1';
    const symbol = `${this.#tickers()[failing] ?? 'AAA'}-PERP`;
    desk.venue.behave((order) => (order.symbol === symbol && !order.reduceOnly ? { fraction: share } : {}));
    const before = this.#gross();
    const legs = this.#legs(asked);
    const execution = await desk.opened(legs, { onLegFailure: policy });
    await desk.allEnded();
    if (this.#gross() === 0) this.#reset();
    const isUnwound = policy === 'UNWIND' && execution.status !== 'COMPLETED';
    if (isUnwound || this.#gross() === before) return;
    for (const { symbol: of, amount } of legs) this.#ask(of, Number(amount));
  }

  /** A schedule asks as far as it has filled, in the proportions of all that it asks for. */
  async #twap({ amounts: asked, which: failing, refused }: Extract<Step, { kind: 'twap' }>): Promise<void> {
    const { desk } = this.#plan;
    const symbol = `${this.#tickers()[failing] ?? 'AAA'}-PERP`;
    let orders = 0;
    desk.venue.behave((order) => {
      if (order.symbol !== symbol) return {};
      orders += 1;
      return orders <= refused ? { fraction: '0' } : {};
    });
    const before = this.#gross();
    const legs = this.#legs(asked);
    const id = await this.#plan.twap({ legs });
    await desk.pass(11 * MINUTE);
    const { status } = await this.#plan.schedule(id);
    if (status === 'ACTIVE' || status === 'PAUSED') await this.#plan.schedules.cancel(desk.account, id);
    const total = legs.reduce((all, { amount }) => all + Number(amount), 0);
    const filled = this.#gross() - before;
    if (filled === 0) return;
    for (const { symbol: of, amount } of legs) this.#ask(of, (filled * Number(amount)) / total);
  }

  /** As the dashboard fills it in: as much of each missing leg as fits what is held. */
  async #repair(): Promise<void> {
    const held = this.#tickers().filter((ticker) => this.#held(ticker) > 0);
    const worth = held.reduce((all, ticker) => all + this.#held(ticker) * priceOf(ticker), 0);
    const asked = held.reduce((all, ticker) => all + (this.#wanted.get(ticker) ?? 0), 0);
    const missing = this.#tickers().filter(
      (ticker) => this.#held(ticker) === 0 && (this.#wanted.get(ticker) ?? 0) > 0,
    );
    if (missing.length === 0 || asked === 0) return;
    const targets = missing.map((ticker) => {
      const quantity = floored(((this.#wanted.get(ticker) ?? 0) / asked) * (worth / priceOf(ticker)));
      return { symbol: `${ticker}-PERP`, quantity: quantity.toFixed(3) };
    });
    if (targets.some(({ symbol, quantity }) => Number(quantity) * priceOf(symbol.slice(0, 3)) < 10)) return;
    await this.#adjust('INCREASE', { by: 'targets', targets });
    // The held value now counts as the wanted one, in the proportions of before.
    for (const ticker of held) {
      this.#wanted.set(ticker, ((this.#wanted.get(ticker) ?? 0) / asked) * worth);
    }
    for (const { symbol, quantity } of targets) {
      this.#wanted.set(symbol.slice(0, 3), Number(quantity) * priceOf(symbol.slice(0, 3)));
    }
  }

  async #name({ which: index, times }: Extract<Step, { kind: 'name' }>): Promise<void> {
    const ticker = this.#tickers()[index] ?? 'AAA';
    const quantity = floored(this.#held(ticker) * times);
    if (this.#held(ticker) * priceOf(ticker) < 50) return;
    const targets = [{ symbol: `${ticker}-PERP`, quantity: quantity.toFixed(3) }];
    await this.#adjust(times > 1 ? 'INCREASE' : 'REDUCE', { by: 'targets', targets });
    this.#wanted.set(ticker, quantity * priceOf(ticker));
    if (this.#gross() === 0) this.#reset();
  }

  /** The opposite basket is asked for as it is held. */
  async #reverse(): Promise<void> {
    const { desk } = this.#plan;
    const position = await this.#position();
    const held = this.#tickers().filter((ticker) => this.#held(ticker) > 0);
    const answered = await createPositionService(desk.engine.accept).reverse(PRINCIPAL, desk.command(), {
      ...{ positionId: position.id, slippage: null, onLegFailure: 'KEEP', brackets: 'DROP', clientId: null },
    });
    if (!answered.ok) throw new Error(JSON.stringify(answered.error));
    await desk.allEnded();
    this.#wanted = new Map(held.map((ticker) => [ticker, this.#held(ticker) * priceOf(ticker)]));
    this.#sides = this.#sides.map((side) => (side === 'BUY' ? 'SELL' : 'BUY'));
  }

  async #adjust(
    intent: 'INCREASE' | 'REDUCE',
    by:
      | { by: 'fraction'; fraction: string }
      | { by: 'targets'; targets: readonly { symbol: string; quantity: string }[] },
  ): Promise<void> {
    const { desk } = this.#plan;
    const answered = await desk.engine.adjustPosition(PRINCIPAL, desk.command(), {
      ...{
        positionId: (await this.#position()).id,
        intent,
        slippage: null,
        onLegFailure: 'KEEP',
        clientId: null,
      },
      ...by,
    });
    if (!answered.ok) throw new Error(JSON.stringify(answered.error));
    await desk.ended(JSON.parse(answered.value.json).id);
  }

  async #check(one: Step): Promise<void> {
    if (this.#wanted.size === 0) return;
    const { legs, id } = await this.#position();
    const gross = this.#gross();
    const wanted = [...this.#wanted.values()].reduce((all, asked) => all + asked, 0);
    const told = JSON.stringify({ one, wanted: [...this.#wanted], legs });
    for (const { symbol, targetWeight } of legs) {
      const expected = (this.#wanted.get(symbol.slice(0, 3)) ?? 0) / wanted;
      expect(Number(targetWeight) * gross, told).to.be.closeTo(expected * gross, this.#slack);
    }
    const isComplete = legs.every(({ symbol }) => {
      const ticker = symbol.slice(0, 3);
      return Math.abs(this.#held(ticker) * priceOf(ticker) - (this.#wanted.get(ticker) ?? 0)) < this.#slack;
    });
    if (!isComplete) return;
    const asConfigured = { mode: null, timeframe: null, maxTradeUsd: null };
    const planned = unwrap(await this.#plan.rebalances.plan(this.#plan.desk.account, id, asConfigured));
    for (const { deltaUsd } of planned.plan.rows) {
      expect(Math.abs(Number(deltaUsd)), told).to.be.below(this.#slack);
    }
  }

  /** Tickers of the basket: those of a reversed one are what was held. */
  #tickers(): readonly string[] {
    return this.#wanted.size === 0 ? TICKERS : [...this.#wanted.keys()];
  }

  #legs(asked: readonly number[]): readonly Leg[] {
    return this.#tickers().map((ticker, index) => {
      const side = this.#sides[TICKERS.indexOf(ticker)] ?? 'BUY';
      return leg(ticker, side, String(asked[index] ?? 300));
    });
  }

  #ask(symbol: string, amount: number): void {
    const ticker = symbol.slice(0, 3);
    this.#wanted.set(ticker, (this.#wanted.get(ticker) ?? 0) + amount);
  }

  #reset(): void {
    this.#wanted = new Map();
    this.#sides = ['BUY', 'SELL', 'BUY'];
  }

  #held(ticker: string): number {
    return Math.abs(Number(this.#plan.desk.venue.held(`${ticker}-PERP`)));
  }

  #gross(): number {
    return TICKERS.reduce((all, ticker) => all + this.#held(ticker) * priceOf(ticker), 0);
  }

  async #position() {
    const open = (await this.#plan.desk.positions()).filter(({ status }) => status === 'OPEN');
    const [position] = open;
    if (position === undefined || open.length > 1) throw new Error(`${open.length} open baskets`);
    return position;
  }
}

function priceOf(ticker: string): number {
  return PRICES[ticker] ?? 0;
}

function floored(quantity: number): number {
  return Math.floor(quantity / STEP + 1e-6) * STEP;
}

describe('target weights, whatever becomes of what was asked', () => {
  after(closeDesks);

  it('equal the sum of what was asked and not given up', () =>
    forAllAsync([fc.array(step, { minLength: 1, maxLength: 8 })], propertyRuns(200, 10), async (steps) => {
      const world = new World(await planDesk());
      for (const one of steps) await world.take(one);
    }));
});
