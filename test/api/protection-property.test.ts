/**
 * Whatever an agent calls, over REST and MCP, in any order: where its user has to be asked about orders, or where it is
 * suspended, no position loses more at its stop-loss than before, and nothing that protects or reduces ends, unless the user
 * approved it. What a stop-loss is worth is computed by a model of its own (`support/stop-model.ts`).
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { type GuardedDesk, GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { lost, type Seen } from '../support/lost-protection.ts';
import { settled } from '../support/outstanding.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { entryOf } from '../support/stop-model.ts';
import { usd } from '../support/trader.ts';

/** How the agent is bound. A mandate of `manage: OWN` is another row of it. */
const BOUND = {
  above: (desk: GuardedDesk) => desk.asksWhen('above'),
  always: (desk: GuardedDesk) => desk.asksWhen('always'),
  suspended(desk: GuardedDesk) {
    desk.asksWhen('never');
    desk.suspend();
  },
} as const;

const BASKETS = {
  long: [usd('BTC', 'BUY', '100')],
  short: [usd('BTC', 'SELL', '100')],
  pair: [usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')],
} as const;

const bracket = fc.record({
  metric: fc.constantFrom('PERCENTAGE', 'DOLLAR', 'POSITION_VALUE', 'PRICE', 'PRICE_RATIO'),
  /** Distance from the present value, a fraction of it. */
  far: fc.constantFrom(0.02, 0.05, 0.1, 0.3, 0.6),
  trails: fc.constantFrom('no', 'no', 'at_once', 'later'),
});
type AskedBracket = typeof bracket extends fc.Arbitrary<infer One> ? One : never;

const protection = fc.record({ stop: fc.option(bracket), goal: fc.option(fc.boolean()) });
const nth = fc.nat(5);
const call = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('protect' as const), with: protection }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('add' as const, 'trigger' as const, 'twap' as const),
      stop: fc.option(bracket),
      replaces: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel' as const, 'pause' as const, 'resume' as const),
      nth,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), nth, further: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('cancel_all' as const, 'close_later' as const, 'reduce' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reverse' as const), carries: fc.boolean() }) },
);
type Call = typeof call extends fc.Arbitrary<infer One> ? One : never;

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ by: fc.constantFrom('REST' as const, 'MCP' as const), call }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant('USER' as const), approves: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ by: fc.constant('MARKET' as const), factor: fc.constantFrom(0.985, 1.02) }),
  },
);

/** One user with a position that a stop-loss protects, and a program beside him. */
class Life {
  readonly desk: GuardedDesk;
  readonly #guarded: GuardedGateway;

  constructor(guarded: GuardedGateway, desk: GuardedDesk) {
    this.#guarded = guarded;
    this.desk = desk;
  }

  async see(): Promise<Seen> {
    const { desk } = this;
    const [{ positions }, { triggers }, { schedules }] = await Promise.all(
      ['/positions?status=OPEN', '/triggers', '/schedules'].map(async (path) => {
        return (await desk.rest('GET', path)).json;
      }),
    );
    const closing = [...triggers, ...schedules].filter(({ kind }: Json) => kind === 'CLOSE');
    return { positions, closing };
  }

  /** Orders end, and what is met fires. */
  async rest(): Promise<void> {
    await this.#guarded.gateway.pass();
    for (let looks = 0; looks < 100; looks += 1) {
      await settled();
      const { executions } = (await this.desk.rest('GET', '/executions?limit=10')).json;
      if (executions.every(({ status }: Json) => status !== 'IDLE' && status !== 'ACTIVE')) return;
      await this.#guarded.gateway.pass();
    }
  }

  async take(by: 'REST' | 'MCP', asked: Call): Promise<void> {
    const { positions, closing } = await this.see();
    const [position] = positions;
    if (position === undefined) return;
    const about = closing[('nth' in asked ? asked.nth : 0) % Math.max(1, closing.length)];
    await (by === 'REST' ? this.#overRest(asked, position, about) : this.#overMcp(asked, position, about));
    await this.rest();
  }

  async #overRest(asked: Call, position: Json, about: Json | undefined): Promise<unknown> {
    const { desk } = this;
    const path = `/positions/${position.id}`;
    const kept =
      about === undefined
        ? ''
        : `/${'slices' in about || 'sliceCount' in about ? 'schedules' : 'triggers'}/${about.id}`;
    const legs = position.legs.map(({ ticker, side }: Json) => usd(ticker, side, '20'));
    switch (asked.do) {
      case 'protect':
        return desk.rest('PUT', `${path}/brackets`, bracketsOf(asked.with, position));
      case 'add':
        return desk.rest('POST', '/trade/open', { type: 'MARKET', legs, ...broughtBy(asked, position) });
      case 'trigger': {
        const condition = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '1' };
        const met = { condition, allowImmediate: true };
        return desk.rest('POST', '/triggers/open', { legs, ...met, ...broughtBy(asked, position) });
      }
      case 'twap': {
        const slices = { durationSeconds: 600, intervalSeconds: 300 };
        const larger = position.legs.map(({ ticker, side }: Json) => usd(ticker, side, '60'));
        return desk.rest('POST', '/schedules', { legs: larger, ...slices, ...broughtBy(asked, position) });
      }
      case 'cancel':
      case 'pause':
      case 'resume':
        return about === undefined ? null : desk.rest('POST', `${kept}/${asked.do}`);
      case 'move': {
        if (about?.condition == null) return null;
        const value = Number(about.condition.value) * (asked.further ? 1.1 : 0.9);
        return desk.rest('PATCH', kept, { condition: { value: decimal(value) } });
      }
      case 'cancel_all':
        return desk.rest('POST', '/triggers/cancel-all');
      case 'close_later': {
        const mark = Number(position.legs[0].markPrice);
        const condition = {
          type: 'PRICE',
          symbol: 'BTC-PERP',
          direction: 'MORE_THAN',
          value: decimal(mark * 3),
        };
        return desk.rest('POST', `${path}/close`, { type: 'TRIGGER', condition });
      }
      case 'reduce':
        return desk.rest('POST', `${path}/adjust`, { intent: 'REDUCE', fraction: '0.2' });
      case 'reverse':
        return desk.rest('POST', `${path}/reverse`, { brackets: asked.carries ? 'CARRY' : 'DROP' });
    }
  }

  async #overMcp(asked: Call, position: Json, about: Json | undefined): Promise<unknown> {
    const { desk } = this;
    const change = { account: desk.accountId, position_id: position.id };
    switch (asked.do) {
      case 'protect': {
        const { stopLoss, takeProfit } = bracketsOf(asked.with, position);
        const removed = { remove_stop_loss: stopLoss === null, remove_take_profit: takeProfit === null };
        return this.#place('preview_change', {
          ...{ ...change, action: 'protect', ...removed },
          ...flat('stop_loss', stopLoss),
          ...flat('take_profit', takeProfit),
        });
      }
      case 'add': {
        const of = (side: string) =>
          position.legs.filter((leg: Json) => leg.side === side).map(({ symbol }: Json) => symbol);
        const [long, short] = [of('BUY'), of('SELL')];
        return this.#place('preview_basket', {
          account: desk.accountId,
          ...(long.length > 0 ? { long, long_usd: '20' } : {}),
          ...(short.length > 0 ? { short, short_usd: '20' } : {}),
          ...flat('stop_loss', asked.stop === null ? undefined : stopOf(asked.stop, position)),
          existing_protection: asked.replaces ? 'REPLACE' : 'KEEP',
        });
      }
      case 'cancel':
        return about === undefined ? null : desk.tool('cancel', { ids: [about.id] });
      case 'cancel_all':
        return desk.tool('cancel', { all_mine: true });
      case 'reduce':
        return this.#place('preview_change', { ...change, action: 'reduce', pct: '20' });
      case 'reverse':
        return this.#place('preview_change', {
          ...change,
          action: 'reverse',
          carry_protection: asked.carries,
        });
      default:
        return this.#overRest(asked, position, about);
    }
  }

  async #place(tool: string, args: Readonly<Record<string, unknown>>): Promise<void> {
    const { data } = await this.desk.tool(tool, args);
    if (typeof data?.preview_id !== 'string') return;
    const { preview_id, summary } = data;
    await this.desk.tool('place_order', { preview_id, summary, reason: 'a test' });
  }

  /** The user decides what waits. True: something was approved. */
  async decide(approves: boolean): Promise<boolean> {
    let isAny = false;
    for (const question of await this.desk.questions()) {
      const answer = approves ? await this.desk.approve(question) : await this.desk.asked.deny(question.id);
      isAny ||= approves && answer.status === 200;
    }
    await this.rest();
    return isAny;
  }

  async market(factor: number): Promise<void> {
    await this.#guarded.gateway.gateway.paperVenue('paper').shock('BTC-PERP', factor);
    await this.rest();
  }
}

const decimal = (value: number) => String(Number(value.toPrecision(8)));

/** A stop-loss at a distance from the present value of its metric. */
function stopOf({ metric, far, trails }: AskedBracket, position: Json): Json {
  const entry = entryOf(position);
  const [first, second] = position.legs;
  const price = Number(first.markPrice);
  const sign = first.side === 'BUY' ? 1 : -1;
  const isOther = second === undefined ? metric === 'PRICE_RATIO' : metric === 'PRICE';
  const type = isOther ? 'PERCENTAGE' : metric;
  /** Present value of the metric, how much of it is 1, and which way it gains. */
  const [now, unit, gains] = {
    PERCENTAGE: [0, 100, 1],
    DOLLAR: [0, entry, 1],
    POSITION_VALUE: [entry, entry, 1],
    PRICE: [price, price, sign],
    PRICE_RATIO: [price / Number(second?.markPrice ?? 1), price / Number(second?.markPrice ?? 1), 1],
  }[type] as [number, number, number];
  const level = now === 0 ? unit * far : now - gains * unit * far;
  const activation = trails === 'later' ? { activation: decimal(now + gains * unit * 0.04) } : {};
  const trailing = trails === 'no' ? {} : { trailing: { delta: decimal(unit * far), ...activation } };
  return { type, value: decimal(level), ...trailing };
}

/** null: removed; left out: as it is. */
function bracketsOf(
  { stop, goal }: { stop: AskedBracket | null; goal: boolean | null },
  position: Json,
): Json {
  const takeProfit = goal === null ? {} : { takeProfit: goal ? { type: 'PERCENTAGE', value: '90' } : null };
  return { stopLoss: stop === null ? null : stopOf(stop, position), ...takeProfit };
}

function broughtBy(
  { stop, replaces }: { stop: AskedBracket | null; replaces: boolean },
  position: Json,
): object {
  return {
    ...(stop === null ? {} : { stopLoss: stopOf(stop, position) }),
    brackets: replaces ? 'REPLACE' : 'KEEP',
  };
}

/** A bracket in the fields of the tools. */
function flat(name: string, asked: Json | null | undefined): Readonly<Record<string, unknown>> {
  if (asked == null) return {};
  const { delta, activation } = asked.trailing ?? {};
  return {
    [`${name}_metric`]: asked.type,
    [`${name}_value`]: asked.value,
    ...(delta === undefined ? {} : { [`${name}_trailing_delta`]: delta }),
    ...(activation === undefined ? {} : { [`${name}_trailing_activation`]: activation }),
  };
}

describe('protection, whatever an agent calls', () => {
  let guarded: GuardedGateway;
  before(async () => {
    guarded = await GuardedGateway.open();
  });
  after(() => guarded.close());

  it('is not made smaller without its user', async function () {
    // All runs take some minutes.
    this.timeout(1_800_000);
    let tightened = 0;
    let approvedCount = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(Object.keys(BOUND) as (keyof typeof BOUND)[])),
        fc.constantFrom(...(Object.keys(BASKETS) as (keyof typeof BASKETS)[])),
        bracket,
        fc.array(step, { minLength: 3, maxLength: 10 }),
        async (mode, basket, first, steps) => {
          const desk = await guarded.desk({ manage: 'ALL' });
          const life = new Life(guarded, desk);
          const { id } = await desk.openedByUser(BASKETS[basket]);
          const stopLoss = stopOf(first, await desk.position(id));
          const takeProfit = { type: 'PERCENTAGE', value: '80' };
          const set = await desk.user('PUT', `/positions/${id}/brackets`, { stopLoss, takeProfit });
          expect(set.status, set.text).to.equal(200);
          BOUND[mode](desk);
          for (const one of steps) {
            const before = await life.see();
            if (one.by === 'MARKET') await life.market(one.factor);
            else if (one.by === 'USER') approvedCount += (await life.decide(one.approves)) ? 1 : 0;
            else {
              await life.take(one.by, one.call);
              const after = await life.see();
              expect(lost(before, after), JSON.stringify(one)).to.deep.equal([]);
              const [was, is] = [before.positions[0]?.stopLoss, after.positions[0]?.stopLoss];
              if (was != null && is != null && was.triggerId !== is.triggerId) tightened += 1;
            }
          }
        },
      ),
      propertyRuns(500, 20),
    );
    // It is not held by refusing everything.
    expect([tightened > 0, approvedCount > 0]).to.deep.equal([true, true]);
  });
});
