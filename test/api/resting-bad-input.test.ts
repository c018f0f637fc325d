/**
 * Bad input to resting orders over HTTP: its status, its code and the field that is named. No table has a row more or less
 * afterwards.
 */
import { expect } from 'chai';
import { businessError } from '../../gateway/contract/errors.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway, type TestAnswer, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { LADDER } from '../support/resting-calls.ts';
import {
  AMOUNTS,
  type Body,
  brackets,
  CONDITIONS,
  FAR,
  type Fault,
  rebalance,
  SLICING,
  UNKNOWN_LEG,
  WATCH,
} from '../support/resting-faults.ts';
import { type RowCounter, rowCounter } from '../support/row-counts.ts';
import { PAIR, type Trader, trader, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';
const TRIGGER = { legs: PAIR, condition: FAR };
const SCHEDULE = { legs: PAIR, durationSeconds: 600, intervalSeconds: 60 };
const REBALANCE = { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' };
const HOUR_MS = 3_600_000;

describe('bad input to what waits', () => {
  let gateway: TestGateway;
  let bot: Trader;
  let eve: Trader;
  let rows: RowCounter;
  /** An open pair, an open single leg, a closed one. */
  let pair: string;
  let single: string;
  let closed: string;
  const made: Record<'trigger' | 'percent' | 'bracket' | 'schedule' | 'ladder' | 'alert', string> = {
    trigger: '',
    percent: '',
    bracket: '',
    schedule: '',
    ladder: '',
    alert: '',
  };

  before(async () => {
    // Funding is paid and candles end at the full hour: rows that no request asked for.
    const clock = createFakeClock();
    clock.leap((HOUR_MS / 4) * 5 - (clock.now() % HOUR_MS));
    gateway = await startTestGateway({ clock });
    bot = await trader(gateway);
    eve = await trader(gateway, { email: 'eve@example.test', connector: 'paper' });
    pair = (await bot.open(PAIR)).positionId;
    single = (await bot.open([usd('SOL', 'BUY', '500')])).positionId;
    closed = (await bot.open([usd('LINK', 'BUY', '500')])).positionId;
    await bot.execute(`/positions/${closed}/close`, { type: 'MARKET' });
    made.trigger = await make('/triggers/open', TRIGGER);
    made.percent = await make('/triggers/open', { ...TRIGGER, condition: CONDITIONS['BTC_DOM'] });
    made.schedule = await make('/schedules', { ...SCHEDULE, durationSeconds: 7_200, intervalSeconds: 3_600 });
    made.ladder = await make('/ladders', LADDER);
    made.alert = await make('/alerts', { condition: FAR });
    const set = { stopLoss: { type: 'PERCENTAGE', value: '90' } };
    const bracket = await bot.expect('PUT', `/positions/${pair}/brackets`, set);
    made.bracket = bracket.stopLoss.triggerId;
    await quiet(made.schedule);
    rows = await rowCounter(gateway.dataDir);
  });
  after(async () => {
    await rows.close();
    await gateway.close();
  });

  async function make(path: string, body: object): Promise<string> {
    const { status, json, text } = await bot.call('POST', path, body);
    expect(status, text).to.equal(200);
    return json.id;
  }
  /** Waits until the schedule's first slice, which is due at once, has ended: no order of it is in flight. */
  const quiet = (scheduleId: string) =>
    until(gateway.clock, 'the first slice has ended', async () => {
      const [first] = (await bot.call('GET', `/schedules/${scheduleId}`)).json.slices;
      if (first.status === 'COMPLETED' || first.status === 'CANCELLED') return true;
      expect(first.status).to.be.oneOf(['PENDING', 'EXECUTING']);
      return false;
    });

  async function unchanged(what: string, ask: () => Promise<void>): Promise<void> {
    const before = await rows.count();
    await ask();
    expect(await rows.count(), what).to.deep.equal(before);
  }
  function expectCode(answer: TestAnswer, status: number, code: string, what: string): Json {
    expect(answer.status, `${what}: ${answer.text}`).to.equal(status);
    const body = businessError.parse(answer.json);
    expect(body.errorCode, what).to.equal(code);
    return body;
  }
  /** Each fault: 400, named, and nothing of it kept. The good body is good: `made` and the other tests prove it. */
  async function expectFaults(method: string, path: string, good: Body, faults: readonly Fault[]) {
    for (const [over, at] of faults) {
      const body = { ...good, ...over };
      const what = `${method} ${path} ${JSON.stringify(body)}`;
      await unchanged(what, async () => {
        const { details, message } = expectCode(
          await bot.call(method, path, body),
          400,
          'VALIDATION_ERROR',
          what,
        );
        expect(message).to.equal('Validation error');
        expect(
          details.map((detail: Json) => detail.path),
          what,
        ).to.include(at);
      });
    }
  }
  async function refused(
    by: Trader,
    method: string,
    path: string,
    body: Body | undefined,
    status: number,
    code: string,
  ): Promise<Json> {
    let answered: Json;
    const what = `${method} ${path}`;
    await unchanged(what, async () => {
      answered = expectCode(await by.call(method, path, body), status, code, what);
    });
    return answered;
  }

  it('POST /triggers/open', () =>
    expectFaults('POST', '/triggers/open', TRIGGER, [
      ...AMOUNTS,
      UNKNOWN_LEG,
      ...WATCH,
      ...brackets('takeProfit'),
      ...brackets('stopLoss'),
      [{ legs: [usd('BTC', 'BUY', '9'), PAIR[1]] }, 'legs.0.amount'],
      [{ legs: [PAIR[0]], condition: CONDITIONS['PRICE_RATIO'] }, 'condition.type'],
      [
        { legs: [PAIR[0], { ...PAIR[1], side: 'BUY' }], condition: CONDITIONS['PRICE_RATIO'] },
        'condition.type',
      ],
      [{ legs: [PAIR[0]], takeProfit: { type: 'PRICE_RATIO', value: '5' } }, 'takeProfit.type'],
      [{ trigger: 'now' }, 'trigger'],
    ]));

  it('PATCH /triggers/{id}', async () => {
    await expectFaults('PATCH', `/triggers/${made.trigger}`, {}, [
      [{}, ''],
      [{ allowImmediate: true }, ''],
      [{ condition: null }, 'condition'],
      [{ condition: { value: 5 } }, 'condition.value'],
      [{ condition: { value: '0' } }, 'condition.value'],
      [{ condition: { value: '1e2' } }, 'condition.value'],
      [{ condition: { value: '98000000', direction: 'LESS_THAN' } }, 'condition.direction'],
      [{ condition: { value: '1' } }, 'condition.value'],
      [{ condition: { value: '98000000' }, allowImmediate: 1 }, 'allowImmediate'],
      [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: 'never' }, 'expiresAt'],
      ...brackets('takeProfit'),
      ...brackets('stopLoss'),
      [{ legs: PAIR }, 'legs'],
    ]);
    await expectFaults('PATCH', `/triggers/${made.percent}`, {}, [
      [{ condition: { value: '100' } }, 'condition.value'],
      [{ condition: { value: '101' }, allowImmediate: true }, 'condition.value'],
    ]);
    await expectFaults('PATCH', `/triggers/${made.bracket}`, {}, [
      [{ condition: { value: '5' } }, 'condition'],
      [{ takeProfit: { type: 'DOLLAR', value: '5' } }, 'takeProfit'],
    ]);
    const [rung] = (await bot.call('GET', `/ladders/${made.ladder}`)).json.rungs;
    await expectFaults('PATCH', `/triggers/${rung.triggerId}`, {}, [
      [{ condition: { value: '98000000' } }, 'condition'],
    ]);
  });

  it('PATCH /alerts/{id}', () =>
    expectFaults('PATCH', `/alerts/${made.alert}`, {}, [
      [{}, ''],
      [{ allowImmediate: true }, ''],
      [{ condition: { value: '1e2' } }, 'condition.value'],
      [{ condition: { value: '98000000', type: 'PRICE' } }, 'condition.type'],
      [{ expiresAt: 'never' }, 'expiresAt'],
      [{ takeProfit: null }, 'takeProfit'],
      [{ legs: PAIR }, 'legs'],
    ]));

  it('POST /schedules', () =>
    expectFaults('POST', '/schedules', SCHEDULE, [
      ...AMOUNTS,
      UNKNOWN_LEG,
      ...SLICING,
      ...brackets('takeProfit'),
      ...brackets('stopLoss'),
      [{ reduceOnly: 'yes' }, 'reduceOnly'],
      [{ reduceOnly: true, stopLoss: { type: 'DOLLAR', value: '5' } }, 'stopLoss'],
      [{ legs: [PAIR[0]], stopLoss: { type: 'PRICE_RATIO', value: '5' } }, 'stopLoss.type'],
      [{ expiresAt: null }, 'expiresAt'],
    ]));

  it('POST /ladders', () =>
    expectFaults('POST', '/ladders', LADDER, [
      ...AMOUNTS,
      UNKNOWN_LEG,
      [{ metric: 'BTC_DOM' }, 'metric'],
      [{ legs: [PAIR[0]], metric: 'PRICE_RATIO', symbol: undefined }, 'metric'],
      [{ symbol: undefined }, 'symbol'],
      [{ symbol: 'SOL-PERP' }, 'symbol'],
      [{ metric: 'WEIGHTED_RATIO' }, 'symbol'],
      [{ direction: 'UP' }, 'direction'],
      [{ start: '0' }, 'start'],
      [{ start: 90_000_000 }, 'start'],
      [{ start: 'low' }, 'start'],
      [{ start: '1e3', end: '1e3' }, 'end'],
      [{ end: '-1' }, 'end'],
      [{ end: LADDER.start }, 'end'],
      [{ levels: 1 }, 'levels'],
      [{ levels: 51 }, 'levels'],
      [{ levels: '3' }, 'levels'],
      [{ levels: 2.5 }, 'levels'],
      [{ distribution: 'RANDOM' }, 'distribution'],
      [{ sizing: 'DOUBLE' }, 'sizing'],
      [{ allowImmediate: 0 }, 'allowImmediate'],
      [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: 5 }, 'expiresAt'],
      [{ expiresAt: '2026-02-30' }, 'expiresAt'],
      [{ start: '1', end: '2' }, 'start'],
      [{ levels: 50, legs: [usd('BTC', 'BUY', '400'), PAIR[1]] }, 'levels'],
      [{ takeProfit: { type: 'DOLLAR', value: '5' } }, 'takeProfit'],
    ]));

  it('PUT /positions/{id}/brackets', async () => {
    const path = (id: string) => `/positions/${id}/brackets`;
    await expectFaults('PUT', path(pair), {}, [
      [{}, ''],
      ...brackets('takeProfit'),
      ...brackets('stopLoss'),
      [{ takeProfit: null, trailing: null }, 'trailing'],
      // Passed already: the position is worth some 2,000 USD.
      [{ takeProfit: { type: 'POSITION_VALUE', value: '5' } }, 'takeProfit.value'],
      [{ stopLoss: { type: 'POSITION_VALUE', value: '90000' } }, 'stopLoss.value'],
      [{ stopLoss: { type: 'PRICE_RATIO', value: '90000' } }, 'stopLoss.value'],
      [
        {
          takeProfit: { type: 'DOLLAR', value: '500' },
          stopLoss: { type: 'WEIGHTED_RATIO', value: '90000' },
        },
        'stopLoss.value',
      ],
    ]);
    await expectFaults('PUT', path(single), {}, [
      [{ takeProfit: { type: 'PRICE_RATIO', value: '5' } }, 'takeProfit.type'],
    ]);
  });

  it('PUT /positions/{id}/auto-rebalance, POST …/rebalance and …/rebalance/plan', async () => {
    const at = `/positions/${pair}`;
    await expectFaults(
      'PUT',
      `${at}/auto-rebalance`,
      REBALANCE,
      rebalance((over) => over),
    );
    const asked: readonly Fault[] = [
      [{ mode: 'BETA' }, 'mode'],
      [{ timeframe: '5m' }, 'timeframe'],
      [{ maxTradeUsd: '-1' }, 'maxTradeUsd'],
      [{ action: 'TRADE' }, 'action'],
    ];
    await expectFaults('POST', `${at}/rebalance/plan`, {}, [...asked, [{ slippage: '0.01' }, 'slippage']]);
    await expectFaults('POST', `${at}/rebalance`, {}, [
      ...asked,
      [{ slippage: '0.2' }, 'slippage'],
      [{ clientId: 'nobody' }, 'clientId'],
    ]);
    const beta = { ...REBALANCE, mode: 'LIVE_BETA' };
    for (const [method, path, body] of [
      ['PUT', `/positions/${single}/auto-rebalance`, beta],
      ['POST', `/positions/${single}/rebalance/plan`, { mode: 'LIVE_BETA' }],
      ['POST', `/positions/${single}/rebalance`, { mode: 'LIVE_BETA' }],
    ] as const) {
      await refused(bot, method, path, body, 400, 'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE');
    }
  });

  it('POST /positions/{id}/close: MARKET, TWAP, TRIGGER', async () => {
    const path = `/positions/${pair}/close`;
    const every: readonly Fault[] = [
      [{ type: 'LIMIT' }, 'type'],
      [{ type: undefined }, 'type'],
      [{ fraction: '0' }, 'fraction'],
      [{ fraction: '1.01' }, 'fraction'],
      [{ fraction: '1.000000000000000001' }, 'fraction'],
      [{ fraction: 0.5 }, 'fraction'],
      [{ slippage: '0.2' }, 'slippage'],
      [{ clientId: 'nobody' }, 'clientId'],
      [{ legs: PAIR }, 'legs'],
    ];
    await expectFaults('POST', path, { type: 'MARKET' }, [...every, [{ condition: FAR }, 'condition']]);
    await expectFaults('POST', path, { type: 'TWAP', durationSeconds: 600, intervalSeconds: 60 }, [
      ...every,
      ...SLICING,
      [{ condition: FAR }, 'condition'],
      [{ fraction: '0.000000001' }, 'fraction'],
    ]);
    await expectFaults('POST', path, { type: 'TRIGGER', condition: FAR }, [
      ...every,
      ...WATCH,
      [{ durationSeconds: 60 }, 'durationSeconds'],
    ]);
  });

  it('POST …/adjust, …/reverse, …/margin and /positions/close-all', async () => {
    const at = `/positions/${pair}`;
    const target = (over: Body) => ({
      usd: undefined,
      targets: [{ symbol: 'BTC-PERP', quantity: '0.001', ...over }],
    });
    await expectFaults('POST', `${at}/adjust`, { intent: 'REDUCE', usd: '100' }, [
      [{ intent: 'HEDGE' }, 'intent'],
      [{ usd: 100 }, 'usd'],
      [{ usd: '0' }, 'usd'],
      [{ usd: '90000' }, 'usd'],
      [{ usd: undefined, fraction: '1.5' }, 'fraction'],
      [{ usd: undefined }, ''],
      [{ fraction: '0.5' }, ''],
      [target({ quantity: 1 }), 'targets.0.quantity'],
      [target({ quantity: '-1' }), 'targets.0.quantity'],
      [target({ symbol: 'SOL-PERP' }), 'targets.0.symbol'],
      [target({ quantity: '5' }), 'targets.0.quantity'],
      [target({ side: 'BUY' }), 'targets.0.side'],
      [{ usd: undefined, targets: [] }, 'targets'],
      [{ slippage: '0.2' }, 'slippage'],
      [{ onLegFailure: 'STOP' }, 'onLegFailure'],
      [{ clientId: 'nobody' }, 'clientId'],
      [{ note: 'x' }, 'note'],
    ]);
    await expectFaults('POST', `${at}/reverse`, {}, [
      [{ slippage: 0.01 }, 'slippage'],
      [{ slippage: '0.2' }, 'slippage'],
      [{ onLegFailure: 'STOP' }, 'onLegFailure'],
      [{ clientId: 'nobody' }, 'clientId'],
      [{ fraction: '0.5' }, 'fraction'],
    ]);
    await expectFaults('POST', `${at}/margin`, { symbol: 'BTC-PERP', amount: '10' }, [
      [{ symbol: 7 }, 'symbol'],
      [{ symbol: '' }, 'symbol'],
      [{ symbol: 'NOPE-PERP' }, 'symbol'],
      [{}, 'symbol'],
      [{ amount: '0' }, 'amount'],
      [{ amount: '-0.0' }, 'amount'],
      [{ amount: '+5' }, 'amount'],
      [{ amount: 10 }, 'amount'],
      [{ marginMode: 'isolated' }, 'marginMode'],
    ]);
    await expectFaults('POST', '/positions/close-all', {}, [
      [{ connector: 'nowhere' }, 'connector'],
      [{ connector: '' }, 'connector'],
      [{ connector: 7 }, 'connector'],
      [{ slippage: '0.2' }, 'slippage'],
      [{ clientId: 'nobody' }, 'clientId'],
      [{ confirm: 'CLOSE ALL' }, 'confirm'],
    ]);
  });

  it('POST /trade/open with takeProfit, stopLoss and autoRebalance', () =>
    expectFaults('POST', '/trade/open', { type: 'MARKET', legs: [usd('AVAX', 'BUY', '500')] }, [
      ...brackets('takeProfit'),
      ...brackets('stopLoss'),
      ...rebalance((over) => ({ autoRebalance: { ...REBALANCE, ...over } }), 'autoRebalance.'),
      [{ stopLoss: { type: 'POSITION_VALUE', value: '90000' } }, 'stopLoss.value'],
      [{ takeProfit: { type: 'PRICE_RATIO', value: '5' } }, 'takeProfit.type'],
      [{ stopLoss: { type: 'PRICE_RATIO', value: '5' } }, 'stopLoss.type'],
    ]));

  it('/safety and /notifications', async () => {
    await expectFaults('POST', '/safety/panic', {}, [
      [{}, 'confirm'],
      [{ confirm: 'close all' }, 'confirm'],
      [{ confirm: true }, 'confirm'],
      [{ confirm: 'CLOSE ALL', connector: 'paper' }, 'connector'],
    ]);
    await expectFaults('POST', '/safety/pause', {}, [[{ forMinutes: 5 }, 'forMinutes']]);
    await expectFaults('POST', '/safety/resume', {}, [[{ now: true }, 'now']]);
    await expectFaults('POST', '/notifications/read', {}, [
      [{}, ''],
      [{ id: NOBODY, before: 5 }, ''],
      [{ id: 'x' }, 'id'],
      [{ before: 'yesterday' }, 'before'],
      [{ before: -1 }, 'before'],
      [{ before: 1.5 }, 'before'],
      [{ before: 5, scope: 'all' }, 'scope'],
    ]);
    await expectFaults('POST', '/notifications/unread', {}, [
      [{}, 'id'],
      [{ id: 5 }, 'id'],
      [{ id: NOBODY, before: 5 }, 'before'],
    ]);
    for (const [query, path] of [
      ['limit=101', 'limit'],
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
      ['scope=new', 'scope'],
      ['startDate=monday', 'startDate'],
      ['endDate=1e3', 'endDate'],
    ]) {
      const { details } = await refused(
        bot,
        'GET',
        `/notifications?${query}`,
        undefined,
        400,
        'VALIDATION_ERROR',
      );
      expect(details[0].path).to.equal(path);
    }
    expect((await bot.call('GET', '/safety')).json.paused).to.equal(false);
  });

  it('slices below the minimum: the answer names the largest count that would do', async () => {
    const body = { ...SCHEDULE, legs: [usd('BTC', 'BUY', '95')], durationSeconds: 600, intervalSeconds: 30 };
    const { details } = await refused(bot, 'POST', '/schedules', body, 400, 'VALIDATION_ERROR');
    const [detail] = details;
    expect(detail).to.include({ path: 'intervalSeconds', code: 'too_small' });
    const most = Number(/at most (\d+) would do/.exec(detail.message)?.[1]);
    expect(most).to.be.within(2, 9);
    const inSlices = (count: number) => ({ ...body, durationSeconds: count * 60, intervalSeconds: 60 });
    await refused(bot, 'POST', '/schedules', inSlices(most + 1), 400, 'VALIDATION_ERROR');
    const id = await make('/schedules', inSlices(most));
    expect((await bot.call('POST', `/schedules/${id}/cancel`)).status).to.equal(200);
    await quiet(id);
  });

  it("another user's ids are 404, each", async () => {
    const [execution] = (await bot.call('GET', '/executions')).json.executions;
    const at = `/positions/${pair}`;
    const [notification] = (await bot.call('GET', '/notifications')).json.notifications;
    for (const [method, path, body] of [
      ['GET', `/triggers/${made.trigger}`],
      ['PATCH', `/triggers/${made.trigger}`, { expiresAt: null }],
      ['POST', `/triggers/${made.trigger}/cancel`],
      ['POST', `/triggers/${made.trigger}/pause`],
      ['POST', `/triggers/${made.trigger}/resume`],
      ['GET', `/schedules/${made.schedule}`],
      ['POST', `/schedules/${made.schedule}/cancel`],
      ['POST', `/schedules/${made.schedule}/pause`],
      ['POST', `/schedules/${made.schedule}/resume`],
      ['GET', `/ladders/${made.ladder}`],
      ['POST', `/ladders/${made.ladder}/cancel`],
      ['GET', `/orders/${execution.orders[0].id}`],
      ['POST', `/orders/${execution.orders[0].id}/cancel`],
      ['GET', `/executions/${execution.id}`],
      ['GET', at],
      ['PUT', `${at}/brackets`, { stopLoss: null }],
      ['POST', `${at}/close`, { type: 'MARKET' }],
      ['POST', `${at}/close`, { type: 'TWAP', durationSeconds: 600 }],
      ['POST', `${at}/close`, { type: 'TRIGGER', condition: FAR }],
      ['POST', `${at}/adjust`, { intent: 'INCREASE', usd: '100' }],
      ['POST', `${at}/adjust`, { intent: 'REDUCE', fraction: '0.5' }],
      ['POST', `${at}/reverse`, {}],
      ['POST', `${at}/margin`, { symbol: 'BTC-PERP', amount: '10' }],
    ] as const) {
      await refused(eve, method, path, body, 404, 'RESOURCE_NOT_FOUND');
    }
    for (const [method, path, body] of [
      ['GET', 'auto-rebalance'],
      ['PUT', 'auto-rebalance', REBALANCE],
      ['DELETE', 'auto-rebalance'],
      ['POST', 'auto-rebalance/pause'],
      ['POST', 'auto-rebalance/resume'],
      ['POST', 'rebalance/plan', {}],
      ['POST', 'rebalance', {}],
    ] as const) {
      await refused(eve, method, `${at}/${path}`, body, 404, 'AUTO_REBALANCE_POSITION_NOT_FOUND');
    }
    expect((await eve.call('GET', '/fills')).json.fills).to.deep.equal([]);
    if (notification !== undefined) {
      const marked = await eve.call('POST', '/notifications/read', { id: notification.id });
      expect(marked.json).to.deep.equal({ updated: 0 });
    }
  });

  it('a closed position: nothing can be done to it', async () => {
    const at = `/positions/${closed}`;
    for (const [method, path, body] of [
      ['POST', `${at}/close`, { type: 'MARKET' }],
      ['POST', `${at}/close`, { type: 'TWAP', durationSeconds: 600 }],
      ['POST', `${at}/close`, { type: 'TRIGGER', condition: { ...FAR, symbol: 'LINK-PERP' } }],
      ['POST', `${at}/adjust`, { intent: 'INCREASE', usd: '100' }],
      ['POST', `${at}/reverse`, {}],
      ['POST', `${at}/margin`, { symbol: 'LINK-PERP', amount: '10' }],
      ['PUT', `${at}/brackets`, { stopLoss: { type: 'DOLLAR', value: '5' } }],
    ] as const) {
      await refused(bot, method, path, body, 409, 'NOOP_ERROR');
    }
    for (const [method, path, body] of [
      ['PUT', 'auto-rebalance', REBALANCE],
      ['POST', 'rebalance/plan', {}],
      ['POST', 'rebalance', {}],
    ] as const) {
      await refused(bot, method, `${at}/${path}`, body, 409, 'AUTO_REBALANCE_POSITION_NOT_OPEN');
    }
    for (const [method, path] of [
      ['GET', 'auto-rebalance'],
      ['DELETE', 'auto-rebalance'],
      ['POST', 'auto-rebalance/pause'],
    ] as const) {
      await refused(bot, method, `${at}/${path}`, undefined, 404, 'AUTO_REBALANCE_CONFIG_NOT_FOUND');
    }
  });

  it('two actions at once on one position: the second is busy, and stays out of the database', async () => {
    const rules = [{ match: { order: 1 }, action: { kind: 'delay', delayMs: 1_500 } as const }];
    gateway.gateway.paperVenue('paper').setFaults({ rules });
    const at = `/positions/${single}`;
    const first = await bot.expect('POST', `${at}/adjust`, { intent: 'INCREASE', usd: '100' }, 202);
    const before = await rows.count();
    for (const [path, body] of [
      [`${at}/close`, { type: 'MARKET' }],
      [`${at}/adjust`, { intent: 'REDUCE', fraction: '0.5' }],
      [`${at}/reverse`, {}],
      [`${at}/rebalance`, {}],
      ['/trade/open', { type: 'MARKET', legs: [usd('SOL', 'BUY', '100')] }],
    ] as const) {
      expectCode(await bot.call('POST', path, body), 409, 'RESOURCE_BUSY', path);
    }
    const after = await rows.count();
    expect(after['executions']).to.equal(before['executions']);
    expect((await bot.ended(first.execution.id)).status).to.equal('COMPLETED');
  });

  it('cancelled, paused or resumed twice: the second time changes nothing', async () => {
    for (const [kind, answer] of [
      ['triggers', 200],
      ['schedules', 200],
      ['ladders', 202],
    ] as const) {
      const id = { triggers: made.trigger, schedules: made.schedule, ladders: made.ladder }[kind];
      const on = (step: string) => `/${kind}/${id}/${step}`;
      if (kind !== 'ladders') {
        await refused(bot, 'POST', on('resume'), undefined, 409, 'NOOP_ERROR');
        expect((await bot.call('POST', on('pause'))).status).to.equal(200);
        await refused(bot, 'POST', on('pause'), undefined, 409, 'NOOP_ERROR');
      }
      expect((await bot.call('POST', on('cancel'))).status).to.equal(answer);
      const again = kind === 'ladders' ? ['cancel'] : ['cancel', 'pause', 'resume'];
      for (const step of again) await refused(bot, 'POST', on(step), undefined, 409, 'NOOP_ERROR');
    }
    await refused(bot, 'PATCH', `/triggers/${made.trigger}`, { expiresAt: null }, 409, 'NOOP_ERROR');
    await refused(eve, 'POST', '/triggers/cancel-all', undefined, 409, 'NOOP_ERROR');
    await refused(eve, 'POST', '/orders/cancel-all', undefined, 409, 'NOOP_ERROR');
    await refused(eve, 'POST', '/positions/close-all', {}, 409, 'NOOP_ERROR');
    await refused(bot, 'PUT', `/positions/${single}/brackets`, { takeProfit: null }, 409, 'NOOP_ERROR');
    await refused(bot, 'POST', '/safety/resume', undefined, 409, 'NOOP_ERROR');
  });

  it('ids that are none, and ids of nothing', async () => {
    for (const [method, path, body] of [
      ['GET', '/triggers/{id}'],
      ['PATCH', '/triggers/{id}', { expiresAt: null }],
      ['POST', '/triggers/{id}/cancel'],
      ['GET', '/schedules/{id}'],
      ['POST', '/schedules/{id}/pause'],
      ['GET', '/ladders/{ladderId}'],
      ['POST', '/ladders/{ladderId}/cancel'],
      ['GET', '/orders/{id}'],
      ['PUT', '/positions/{id}/brackets', { stopLoss: null }],
      ['POST', '/positions/{id}/close', { type: 'TWAP', durationSeconds: 600 }],
      ['POST', '/positions/{id}/reverse', {}],
      ['POST', '/positions/{id}/margin', { symbol: 'BTC-PERP', amount: '10' }],
    ] as const) {
      const name = /\{(\w+)\}/.exec(path)?.[1];
      const at = (id: string) => path.replace(/\{\w+\}/, id);
      const { details } = await refused(bot, method, at('7'.repeat(65)), body, 400, 'VALIDATION_ERROR');
      expect(details[0].path).to.equal(name);
      for (const id of ['7', NOBODY]) await refused(bot, method, at(id), body, 404, 'RESOURCE_NOT_FOUND');
    }
  });
});
