/**
 * Every way in which an order can be asked for, under a mandate that asks: denied, taken back, expired, moved by the market,
 * approved and done as it was shown. What waits for nobody goes at once.
 */
import { expect } from 'chai';
import { AskedDesk, LADDER, PASSWORD, SMALL } from '../support/asked-desk.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const BIG = [usd('BTC', 'BUY', '400'), usd('ETH', 'SELL', '400')];
const STOP = { type: 'PERCENTAGE', value: '40' };
const FAR = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000000' };
const REBALANCE = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
const TWAP = { legs: BIG, durationSeconds: 600, intervalSeconds: 60 };

interface Way {
  readonly name: string;
  /** Prepares the account. @returns the request */
  readonly asks: (rig: Rig) => Promise<readonly [method: string, path: string, body?: object]>;
  readonly kind: string;
  /** EXECUTION: trades at once. A path: what waits, listed there. */
  readonly makes: 'EXECUTION' | '/triggers' | '/ladders' | '/schedules';
  /** Moves the market so that there is something to order. */
  readonly drifts?: (rig: Rig) => Promise<void>;
  readonly also?: (rig: Rig, made: Json, shown: Json) => Promise<void>;
}

const WAYS: readonly Way[] = [
  {
    name: 'opening with brackets and rebalancing',
    kind: 'now',
    makes: 'EXECUTION',
    asks: async () => [
      'POST',
      '/trade/open',
      { type: 'MARKET', legs: BIG, stopLoss: STOP, takeProfit: STOP, autoRebalance: REBALANCE },
    ],
    async also(rig, execution) {
      const position = await rig.position(execution.positionId);
      expect([position.stopLoss.value, position.takeProfit.value]).to.deep.equal(['40', '40']);
      expect(position.autoRebalance.action).to.equal('TRADE');
    },
  },
  {
    name: 'adding to a position with an order of the same legs',
    kind: 'now',
    makes: 'EXECUTION',
    async asks(rig) {
      await rig.opened();
      return ['POST', '/trade/open', { type: 'MARKET', legs: BIG }];
    },
  },
  ...(
    [
      ['in USD', { usd: '600' }],
      ['by a share', { fraction: '0.8' }],
    ] as const
  ).map(
    ([words, by]): Way => ({
      name: `making a position larger ${words}`,
      kind: 'now',
      makes: 'EXECUTION',
      async asks(rig) {
        const { id } = await rig.opened();
        return ['POST', `/positions/${id}/adjust`, { intent: 'INCREASE', ...by }];
      },
    }),
  ),
  {
    name: 'making legs larger to quantities',
    kind: 'now',
    makes: 'EXECUTION',
    async asks(rig) {
      const { id, legs } = await rig.opened();
      const targets = legs.map(({ symbol, quantity }: Json) => ({
        symbol,
        quantity: String(Number((Number(quantity) * 1.8).toFixed(3))),
      }));
      return ['POST', `/positions/${id}/adjust`, { intent: 'INCREASE', targets }];
    },
  },
  {
    name: 'reversing',
    kind: 'reverse',
    makes: 'EXECUTION',
    async asks(rig) {
      const { id } = await rig.opened({ stopLoss: STOP });
      return ['POST', `/positions/${id}/reverse`, {}];
    },
    async also(rig, closed, { plan }) {
      const [opposite] = await until(rig.clock, 'the opposite is open', async () => {
        const open = await rig.desk.bot.positions();
        return open[0]?.legs[0].side === 'SELL' ? open : null;
      });
      expect(opposite.legs.map(({ symbol, side }: Json) => [symbol, side])).to.deep.equal([
        ['BTC-PERP', 'SELL'],
        ['ETH-PERP', 'BUY'],
      ]);
      expect(opposite.stopLoss.value).to.equal('40');
      const all: Json[] = await rig.desk.executions();
      const opening = all.find(({ parentId }) => parentId === closed.id);
      noWorse(opening?.orders, plan.legs);
    },
  },
  {
    name: 'rebalancing',
    kind: 'rebalance',
    makes: 'EXECUTION',
    async asks(rig) {
      const { id } = await rig.opened({}, '2000');
      await rig.shock('ETH-PERP', 1.8);
      return ['POST', `/positions/${id}/rebalance`, {}];
    },
    drifts: (rig) => rig.shock('ETH-PERP', 1.8),
  },
  {
    name: 'a trigger with brackets',
    kind: 'when',
    makes: '/triggers',
    asks: async () => ['POST', '/triggers/open', { legs: BIG, condition: FAR, stopLoss: STOP }],
  },
  {
    name: 'changing a trigger',
    kind: 'when',
    makes: '/triggers',
    async asks(rig) {
      const { id } = await rig.unasked('POST', '/triggers/open', { legs: BIG, condition: FAR });
      return ['PATCH', `/triggers/${id}`, { condition: { value: '2000000' } }];
    },
    async also(_, trigger) {
      expect(trigger.condition.value).to.equal('2000000');
    },
  },
  {
    name: 'resuming a trigger',
    kind: 'when',
    makes: '/triggers',
    async asks(rig) {
      const { id } = await rig.unasked('POST', '/triggers/open', { legs: BIG, condition: FAR });
      await rig.unasked('POST', `/triggers/${id}/pause`);
      return ['POST', `/triggers/${id}/resume`];
    },
    async also(_, trigger) {
      expect(trigger.status).to.equal('ACTIVE');
    },
  },
  {
    name: 'a ladder',
    kind: 'ladder',
    makes: '/ladders',
    asks: async () => ['POST', '/ladders', LADDER],
  },
  {
    name: 'a TWAP',
    kind: 'over_time',
    makes: '/schedules',
    asks: async () => ['POST', '/schedules', TWAP],
  },
  {
    name: 'resuming a TWAP',
    kind: 'over_time',
    makes: '/schedules',
    async asks(rig) {
      const { id } = await rig.unasked('POST', '/schedules', { ...TWAP, startAt: undefined });
      // Its first slice is due at once, and would go on behind the pause.
      await until(rig.clock, 'the first slice has ended', async () => {
        const { slicesCompleted } = (await rig.desk.bot.call('GET', `/schedules/${id}`)).json;
        return slicesCompleted === 1;
      });
      await rig.unasked('POST', `/schedules/${id}/pause`);
      return ['POST', `/schedules/${id}/resume`];
    },
    async also(_, schedule) {
      expect(schedule.status).to.equal('ACTIVE');
    },
  },
];

/** Fields that follow the market. */
const OBSERVED = new Set(['lastCheckedAt', 'lastValue']);

/** A program that is asked about, and its user. */
class Rig {
  readonly desk: AskedDesk;
  #asked = 0;

  constructor(desk: AskedDesk) {
    this.desk = desk;
  }

  get clock(): FakeClock {
    return this.desk.gateway.clock;
  }

  /** As the program does when nobody has to be asked. */
  async unasked(method: string, path: string, body?: object): Promise<Json> {
    const { keyId, mandates, bot } = this.desk;
    const { approval } = mandates.all()[0]?.mandate ?? {};
    if (approval === undefined) throw new Error('no mandate');
    mandates.set(keyId, { mandate: { approval: { ...approval, when: 'never', aboveUsd: null } } });
    const answer = await bot.call(method, path, body);
    mandates.set(keyId, { mandate: { approval } });
    expect(answer.status, answer.text).to.be.oneOf([200, 202]);
    return answer.json;
  }

  async opened(over: object = {}, amount = '400'): Promise<Json> {
    const legs = [usd('BTC', 'BUY', amount), usd('ETH', 'SELL', amount)];
    const { execution } = await this.unasked('POST', '/trade/open', { type: 'MARKET', legs, ...over });
    const ended = await this.desk.bot.ended(execution.id);
    expect(ended.status, ended.error).to.equal('COMPLETED');
    return this.position(ended.positionId);
  }

  async position(id: string): Promise<Json> {
    return (await this.desk.bot.call('GET', `/positions/${id}`)).json;
  }

  async shock(symbol: string, factor: number): Promise<void> {
    const mark = async () => {
      const { prices } = (await this.desk.bot.call('GET', '/prices?connector=paper')).json;
      return Number(prices.find((one: Json) => one.id === symbol).mark);
    };
    const before = await mark();
    await this.desk.gateway.gateway.paperVenue('paper').shock(symbol, factor);
    const most = Math.abs(factor - 1) / 2;
    await until(
      this.clock,
      'the mark has moved',
      async () => Math.abs((await mark()) / before - 1) > most || null,
    );
  }

  /** Asks once more, as another question. */
  async waiting([method, path, body]: Awaited<ReturnType<Way['asks']>>): Promise<Json> {
    this.#asked += 1;
    const key = { 'idempotency-key': `question-${this.#asked}` };
    const asked = await this.desk.bot.call(method, path, body, key);
    expect(asked.json?.details?.reason, asked.text).to.equal('APPROVAL');
    return this.desk.read(asked.json.details.approvalId);
  }

  /** Executions and pending orders of the program. */
  async state(): Promise<Json> {
    const { bot } = this.desk;
    const lists = await Promise.all(
      ['/triggers', '/ladders', '/schedules'].map(async (path) => (await bot.call('GET', path)).json),
    );
    const executions = await this.desk.executions();
    return JSON.parse(
      JSON.stringify({ lists, executions: executions.map(({ id }) => id) }, (name, value) =>
        OBSERVED.has(name) ? undefined : value,
      ),
    );
  }

  /** Looks again and approves until no new figures come. */
  async approvedAtLast(id: string): Promise<{ readonly approved: Json; readonly shown: Json }> {
    return until(this.clock, 'it is approved', async () => {
      const shown = await this.desk.read(id);
      const answer = await this.desk.approve(id, shown.planHash);
      if (answer.status === 200) return { approved: answer.json, shown };
      expect(answer.json.details?.reason, answer.text).to.be.oneOf(['PRICE_MOVED', 'PLAN_CHANGED']);
      return null;
    });
  }
}

/** None of the orders is larger than was shown, or at a worse price. */
function noWorse(orders: readonly Json[], legs: readonly Json[]): void {
  expect(orders).to.have.length(legs.length);
  for (const { symbol, quantity, limitPrice, side } of orders) {
    const leg = legs.find((one) => one.symbol === symbol);
    const sign = side === 'BUY' ? 1 : -1;
    expect(sign * Number(limitPrice), `${symbol} price`).to.be.at.most(sign * Number(leg.worstPrice));
    // Sized again at the marks of now, which walk on.
    expect(Number(quantity), `${symbol} quantity`).to.be.at.most(Number(leg.quantity) * 1.06);
  }
}

const ended = (answer: TestAnswer) => [answer.status, answer.json.status];

describe('orders that a person is asked about, in every way', () => {
  let rig: Rig;
  beforeEach(async () => {
    const desk = await AskedDesk.open();
    rig = new Rig(desk);
    desk.mandates.set(desk.keyId, { mandate: { maxOpenedUsd24h: null } });
  });
  afterEach(() => rig.desk.gateway.close());

  for (const { name, asks, kind, makes, drifts, also } of WAYS)
    it(`${name}: denied, taken back, expired, moved, and done as it was shown${/^(opening|reversing|a trigger|a TWAP)/.test(name) ? '' : ' @long'}`, async () => {
      const { desk } = rig;
      const request = await asks(rig);
      const before = await rig.state();
      const denied = await rig.waiting(request);
      expect(denied.kind).to.equal(kind);
      expect(ended(await desk.deny(denied.id))).to.deep.equal([200, 'DENIED']);
      const back = await rig.waiting(request);
      expect(ended(await desk.bot.call('DELETE', `/approvals/mine/${back.id}`))).to.deep.equal([
        200,
        'WITHDRAWN',
      ]);
      const late = await rig.waiting(request);
      rig.clock.leap(600_000);
      await desk.refresh();
      const expired = await desk.approve(late.id, late.planHash, PASSWORD);
      expect(expired.json.errorCode, expired.text).to.equal('NOOP_ERROR');
      expect((await desk.read(late.id)).status).to.equal('EXPIRED');
      expect(await rig.state()).to.deep.equal(before);
      await drifts?.(rig);
      const moved = await rig.waiting(request);
      await rig.shock('BTC-PERP', 1.08);
      const stale = await desk.approve(moved.id, moved.planHash);
      expect([stale.status, stale.json.details.reason]).to.deep.equal([409, 'PRICE_MOVED']);
      const old = await desk.approve(moved.id, moved.planHash);
      expect([old.status, old.json.details.reason]).to.deep.equal([409, 'PLAN_CHANGED']);
      expect((await rig.state()).executions).to.deep.equal(before.executions);
      const { approved, shown } = await rig.approvedAtLast(moved.id);
      expect(approved.status).to.equal('APPROVED');
      if (makes === 'EXECUTION') await done(approved.madeId, shown, also);
      else {
        const made = await desk.bot.expect('GET', `${makes}/${approved.madeId}`);
        expect(made.authority).to.deep.equal({ kind: 'api_key', name: 'test' });
        await also?.(rig, made, shown);
      }
      const again = await desk.approve(moved.id, shown.planHash);
      expect(again.json.errorCode).to.equal('NOOP_ERROR');
    });

  describe('what follows from a position that has changed since', () => {
    for (const [name, path, body] of [
      ['a reversal', 'reverse', {}],
      ['a share of it', 'adjust', { intent: 'INCREASE', fraction: '0.9' }],
    ] as const)
      it(`${name}: never more than was shown, and the new figures are @long`, async () => {
        const { desk } = rig;
        const { id } = await rig.opened();
        const asked = await rig.waiting(['POST', `/positions/${id}/${path}`, body]);
        for (let times = 0; times < 6; times += 1) await desk.bot.open(SMALL);
        const before = await desk.executions();
        const more = await desk.approve(asked.id, asked.planHash);
        expect([more.status, more.json.details.reason], more.text).to.deep.equal([409, 'PLAN_CHANGED']);
        expect(await desk.executions()).to.deep.equal(before);
        const anew = await desk.read(asked.id);
        expect(anew.status).to.equal('PENDING');
        expect(Number(anew.plan.worstUsd)).to.be.above(Number(asked.plan.worstUsd) * 2);
        const { approved, shown } = await rig.approvedAtLast(asked.id);
        await done(approved.madeId, shown, undefined);
      });

    it('smaller by now: the new figures are looked at, and it trades no more than they say', async () => {
      const { desk } = rig;
      const { id } = await rig.opened({}, '1000');
      const asked = await rig.waiting(['POST', `/positions/${id}/reverse`, {}]);
      const half = { intent: 'REDUCE', fraction: '0.5' };
      const { json } = await desk.bot.call('POST', `/positions/${id}/adjust`, half);
      await desk.bot.ended(json.execution.id);
      expect((await desk.approve(asked.id, asked.planHash)).json.details.changed).to.deep.equal(['held']);
      const { approved, shown } = await rig.approvedAtLast(asked.id);
      await done(approved.madeId, shown, undefined);
    });

    it('a rebalance shows what it takes out beside what it opens @long', async () => {
      const { id } = await rig.opened({}, '2000');
      await rig.shock('ETH-PERP', 1.8);
      const { plan } = await rig.waiting(['POST', `/positions/${id}/rebalance`, {}]);
      expect(plan.legs.map(({ symbol, side, reduces }: Json) => [symbol, side, reduces])).to.deep.equal([
        ['BTC-PERP', 'BUY', false],
        ['ETH-PERP', 'BUY', true],
      ]);
      expect(plan.worstUsd).to.equal(plan.legs[0].worstUsd);
    });
  });

  it('what only closes or protects waits for nobody', async () => {
    const { bot } = rig.desk;
    const { id } = await rig.opened({}, '1200');
    const auto = `/positions/${id}/auto-rebalance`;
    const closeAt = { type: 'TRIGGER', condition: { ...FAR, type: 'CROSS_ASSET_PRICE', symbol: 'BTC-PERP' } };
    for (const [method, path, body] of [
      ['PUT', `/positions/${id}/brackets`, { stopLoss: STOP }],
      ['PUT', `/positions/${id}/brackets`, { stopLoss: { ...STOP, value: '30' } }],
      ['PUT', auto, REBALANCE],
      ['POST', `${auto}/pause`, undefined],
      ['POST', `${auto}/resume`, undefined],
      ['POST', `/positions/${id}/close`, closeAt],
      ['POST', `/positions/${id}/adjust`, { intent: 'REDUCE', usd: '600' }],
      ['POST', `/positions/${id}/close`, { type: 'MARKET', fraction: '0.5' }],
      ['POST', `/positions/${id}/close`, { type: 'TWAP', durationSeconds: 600, intervalSeconds: 60 }],
    ] as const) {
      const answer = await bot.call(method, path, body);
      expect(answer.status, `${method} ${path} ${answer.text}`).to.be.oneOf([200, 202]);
      if (answer.json.execution !== undefined) await bot.ended(answer.json.execution.id);
    }
    expect((await rig.desk.user('GET', '/approvals')).json.approvals).to.deep.equal([]);
  });

  it('what the mandate does not allow is refused, whatever brings it', async () => {
    const { desk } = rig;
    const { bot, keyId, mandates } = desk;
    const { id } = await rig.opened();
    await rig.unasked('PUT', `/positions/${id}/auto-rebalance`, REBALANCE);
    await rig.unasked('POST', `/positions/${id}/auto-rebalance/pause`);
    const { id: triggerId } = await rig.unasked('POST', '/triggers/open', { legs: BIG, condition: FAR });
    mandates.set(keyId, { mandate: { kinds: ['now', 'when', 'over_time'] } });
    const small = [usd('SOL', 'BUY', '100')];
    for (const [method, path, body, kind] of [
      ['POST', '/trade/open', { type: 'MARKET', legs: small, stopLoss: STOP }, 'protect'],
      ['POST', '/trade/open', { type: 'MARKET', legs: small, autoRebalance: REBALANCE }, 'rebalance'],
      ['POST', '/triggers/open', { legs: BIG, condition: FAR, takeProfit: STOP }, 'protect'],
      ['PATCH', `/triggers/${triggerId}`, { stopLoss: STOP }, 'protect'],
      ['POST', '/schedules', { ...TWAP, stopLoss: STOP }, 'protect'],
      ['POST', '/ladders', LADDER, 'ladder'],
      ['PUT', `/positions/${id}/brackets`, { stopLoss: STOP }, 'protect'],
      ['POST', `/positions/${id}/auto-rebalance/resume`, undefined, 'rebalance'],
      ['POST', `/positions/${id}/rebalance`, {}, 'rebalance'],
      ['POST', `/positions/${id}/reverse`, {}, 'reverse'],
    ] as const) {
      const refused = await bot.call(method, path, body);
      if (path.endsWith('/rebalance') && refused.json.errorCode === 'NOOP_ERROR') continue;
      expect([refused.status, refused.json.errorCode], `${path} ${refused.text}`).to.deep.equal([
        403,
        'AGENT_LIMIT',
      ]);
      expect(refused.json.details.limits).to.deep.include({
        limit: 'kinds',
        allowed: null,
        used: null,
        asked: kind,
      });
    }
    expect((await desk.user('GET', '/approvals')).json.approvals).to.deep.equal([]);
    const trigger = (await bot.call('GET', `/triggers/${triggerId}`)).json;
    expect([trigger.stopLoss, trigger.status]).to.deep.equal([null, 'ACTIVE']);
  });

  /** The execution has the legs that were shown, none larger and none at a worse price. */
  async function done(id: string, shown: Json, also: Way['also']): Promise<void> {
    const { plan } = shown;
    const execution = await rig.desk.bot.ended(id);
    expect(execution.status, execution.error).to.equal('COMPLETED');
    const names = (all: readonly Json[]) => all.map(({ symbol, side }) => `${symbol} ${side}`).sort();
    expect(names(execution.orders)).to.deep.equal(names(plan.legs));
    noWorse(execution.orders, plan.legs);
    await also?.(rig, execution, shown);
  }
});
