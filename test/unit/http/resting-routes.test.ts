/** The routes of what waits, over a real socket and on a real store: what they ask of the services, and what they answer. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { z } from 'zod';
import { createAuditTrail } from '../../../gateway/auth/audit.ts';
import type { BoundRoute } from '../../../gateway/call/call.ts';
import { ALERTS_OF_AGENT, ALERTS_OF_KEY, MOST_ALERTS } from '../../../gateway/contract/alerts.ts';
import type { RouteContract } from '../../../gateway/contract/route.ts';
import type { Principal } from '../../../gateway/domain/model.ts';
import type { EngineError } from '../../../gateway/engine/core/errors.ts';
import { LiveState } from '../../../gateway/engine/core/live-state.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { authorityNames } from '../../../gateway/http/present/authority.ts';
import { positionPresenter } from '../../../gateway/http/routes/positions.ts';
import { restingRoutes } from '../../../gateway/http/routes/resting.ts';
import {
  ladderWithRungs,
  notice,
  rebalanceConfig,
  trailingStop,
  twap,
  waitingTrigger,
} from '../../support/resting-rows.ts';
import { BUSY, type RestingStandIn, restingStandIn } from '../../support/resting-stand-in.ts';
import {
  execution,
  nextId,
  position,
  START,
  temporaryFolder,
  testStore,
} from '../../support/store-records.ts';
import { authenticator, OWN_ACCOUNT, type Rig, startRig } from './rig.ts';

const SEEN = { peak: '2.25', level: null, trailingNow: { delta: '2', activation: null } };
const ID = nextId();
const PAIR = [
  { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' },
  { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
];
const CONDITION = { type: 'PRICE', direction: 'MORE_THAN', value: '100000', symbol: 'BTC-PERP' };
const LIMITED: Principal = {
  kind: 'api_key',
  userId: 'u1',
  keyId: 'k9',
  scope: 'read_write',
  tradeAccountIds: new Set([OWN_ACCOUNT]),
};

interface Good {
  readonly path: string;
  readonly status: number;
  readonly body?: unknown;
  /** Calls to the services; null: the store answers. */
  readonly asks: readonly unknown[] | null;
}

const LADDER_BODY = {
  legs: PAIR.slice(0, 1),
  metric: 'PRICE',
  direction: 'LESS_THAN',
  start: '90000',
  end: '80000',
  levels: 3,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
  expiresAt: '2026-01-31T13:00:00+01:00',
};

/** A good call of every route that asks a service, by `METHOD path`. */
const CALLS: Readonly<Record<string, Good>> = {
  'POST /triggers/open': {
    path: '/triggers/open',
    status: 200,
    body: {
      legs: PAIR,
      condition: CONDITION,
      expiresAt: '2026-01-31T12:00:01Z',
      takeProfit: { type: 'DOLLAR', value: '5', trailing: { delta: '1' } },
    },
    asks: [
      'triggers.open',
      'key-1',
      {
        legs: PAIR,
        totalUsd: null,
        condition: CONDITION,
        priceSource: 'MARK',
        expiresAt: Date.UTC(2026, 0, 31, 12, 0, 1),
        allowImmediate: false,
        onMissed: 'FIRE',
        ...{ slippage: '0.01', onLegFailure: 'RETRY' },
        takeProfit: { type: 'DOLLAR', value: '5', trailing: { delta: '1', activation: null } },
        stopLoss: null,
        clientId: null,
      },
    ],
  },
  'PATCH /triggers/:id': {
    path: `/triggers/${ID}`,
    status: 200,
    body: { condition: { value: '7' }, expiresAt: null, stopLoss: null },
    asks: ['triggers.change', ID, { allowImmediate: false, level: '7', expiresAt: null, stopLoss: null }],
  },
  'POST /triggers/:id/cancel': {
    path: `/triggers/${ID}/cancel`,
    status: 200,
    asks: ['triggers.cancel', ID],
  },
  'POST /triggers/:id/pause': { path: `/triggers/${ID}/pause`, status: 200, asks: ['triggers.pause', ID] },
  'POST /triggers/:id/resume': {
    path: `/triggers/${ID}/resume`,
    status: 200,
    asks: ['triggers.resume', ID],
  },
  'POST /triggers/cancel-all': { path: '/triggers/cancel-all', status: 200, asks: ['triggers.cancelAll'] },
  'POST /alerts': {
    path: '/alerts',
    status: 200,
    body: { legs: [], condition: CONDITION, expiresAt: '2026-01-31T12:00:01Z' },
    asks: [
      'triggers.tell',
      'key-1',
      {
        legs: [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '1' }],
        totalUsd: null,
        condition: CONDITION,
        priceSource: 'MARK',
        expiresAt: Date.UTC(2026, 0, 31, 12, 0, 1),
        allowImmediate: false,
        onMissed: 'FIRE',
        bounds: { most: MOST_ALERTS, ofAgent: ALERTS_OF_AGENT, ofKey: ALERTS_OF_KEY },
      },
    ],
  },
  'PATCH /alerts/:id': {
    path: `/alerts/${ID}`,
    status: 200,
    body: { condition: { value: '7' }, expiresAt: null },
    asks: ['triggers.changeAlert', ID, { allowImmediate: false, level: '7', expiresAt: null }],
  },
  'POST /alerts/:id/cancel': {
    path: `/alerts/${ID}/cancel`,
    status: 200,
    asks: ['triggers.cancelAlert', ID],
  },
  'POST /schedules': {
    path: '/schedules',
    status: 200,
    body: { legs: PAIR, durationSeconds: 600, limitRatio: '21.5', reduceOnly: true },
    asks: [
      'schedules.create',
      'key-1',
      {
        ...{ legs: PAIR, totalUsd: null },
        ...{ durationSeconds: 600, intervalSeconds: 30, randomize: false },
        limitRatio: '21.5',
        missedSlicePolicy: 'CATCH_UP',
        ...{ slippage: '0.01', onLegFailure: 'RETRY' },
        takeProfit: null,
        ...{ stopLoss: null, afterBracket: 'STOP' },
        reduceOnly: true,
        clientId: null,
      },
    ],
  },
  'POST /schedules/:id/pause': { path: `/schedules/${ID}/pause`, status: 200, asks: ['schedules.pause', ID] },
  'POST /schedules/:id/resume': {
    path: `/schedules/${ID}/resume`,
    status: 200,
    asks: ['schedules.resume', ID],
  },
  'POST /schedules/:id/cancel': {
    path: `/schedules/${ID}/cancel`,
    status: 200,
    asks: ['schedules.cancel', ID],
  },
  'POST /ladders': {
    path: '/ladders',
    status: 200,
    body: LADDER_BODY,
    asks: [
      'ladders.create',
      'key-1',
      {
        ...LADDER_BODY,
        totalUsd: null,
        symbol: 'BTC-PERP',
        allowImmediate: false,
        expiresAt: Date.UTC(2026, 0, 31, 12),
        ...{ slippage: '0.01', onLegFailure: 'KEEP' },
        clientId: null,
      },
    ],
  },
  'POST /ladders/:ladderId/cancel': {
    path: `/ladders/${ID}/cancel`,
    status: 202,
    asks: ['ladders.cancel', ID],
  },
  'PUT /positions/:id/brackets': {
    path: `/positions/${ID}/brackets`,
    status: 200,
    body: { takeProfit: null, stopLoss: { type: 'PERCENTAGE', value: '5' } },
    asks: [
      'brackets.set',
      ID,
      { takeProfit: null, stopLoss: { type: 'PERCENTAGE', value: '5', trailing: null } },
    ],
  },
  'POST /positions/:id/reverse': {
    path: `/positions/${ID}/reverse`,
    status: 202,
    asks: [
      'positions.reverse',
      'key-1',
      { positionId: ID, slippage: null, onLegFailure: 'KEEP', brackets: 'CARRY', clientId: null },
    ],
  },
  'POST /positions/close-all': {
    path: '/positions/close-all',
    status: 202,
    body: { slippage: '0.02' },
    asks: ['positions.closeAll', 'key-1', { connector: null, slippage: '0.02', clientId: null }],
  },
  'POST /positions/:id/margin': {
    path: `/positions/${ID}/margin`,
    status: 200,
    body: { symbol: 'BTC-PERP', amount: '-12.5' },
    asks: ['positions.changeMargin', 'key-1', { positionId: ID, symbol: 'BTC-PERP', amount: '-12.5' }],
  },
  'PUT /positions/:id/auto-rebalance': {
    path: `/positions/${ID}/auto-rebalance`,
    status: 200,
    body: { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.05', timeframe: '4h' },
    asks: [
      'rebalances.set',
      ID,
      {
        mode: 'TARGET_WEIGHTS',
        action: 'NOTIFY',
        minimumDrift: '0.05',
        timeframe: null,
        cooldownSeconds: 3_600,
        ...{ maxTradeUsd: null, onLegFailure: 'RETRY' },
      },
    ],
  },
  'POST /positions/:id/auto-rebalance/pause': {
    path: `/positions/${ID}/auto-rebalance/pause`,
    status: 200,
    asks: ['rebalances.pause', ID],
  },
  'POST /positions/:id/auto-rebalance/resume': {
    path: `/positions/${ID}/auto-rebalance/resume`,
    status: 200,
    asks: ['rebalances.resume', ID],
  },
  'DELETE /positions/:id/auto-rebalance': {
    path: `/positions/${ID}/auto-rebalance`,
    status: 204,
    asks: ['rebalances.end', ID],
  },
  'POST /positions/:id/rebalance/plan': {
    path: `/positions/${ID}/rebalance/plan`,
    status: 200,
    body: { mode: 'LIVE_BETA' },
    asks: ['rebalances.plan', ID, { mode: 'LIVE_BETA', timeframe: null, maxTradeUsd: null }],
  },
  'POST /positions/:id/rebalance': {
    path: `/positions/${ID}/rebalance`,
    status: 202,
    asks: [
      'rebalances.rebalance',
      'key-1',
      ID,
      {
        ...{ mode: null, timeframe: null, maxTradeUsd: null },
        ...{ slippage: null, onLegFailure: 'RETRY', clientId: null },
      },
    ],
  },
  'POST /orders/:id/cancel': { path: `/orders/${ID}/cancel`, status: 200, asks: ['orders.cancel', ID] },
  'POST /orders/cancel-all': { path: '/orders/cancel-all', status: 200, asks: ['orders.cancelAll'] },
  'GET /safety': { path: '/safety', status: 200, asks: null },
  'POST /safety/pause': { path: '/safety/pause', status: 200, asks: ['safety.pause', 'u1'] },
  'POST /safety/resume': { path: '/safety/resume', status: 200, asks: ['safety.resume', 'u1'] },
  'POST /safety/panic': {
    path: '/safety/panic',
    status: 202,
    body: { confirm: 'CLOSE ALL' },
    asks: ['safety.panic'],
  },
};

const NAMES = authorityNames({ keyLabel: () => 'bot', agentName: () => 'Agent' });

const nameOf = ({ method, path }: Pick<RouteContract, 'method' | 'path'>) => `${method} ${path}`;

describe('HTTP: routes of resting orders', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: Store;
  let rig: Rig;
  let standIn: RestingStandIn;
  let routes: readonly BoundRoute[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await testStore(join(folder.path, 'tandem.db'));
    standIn = restingStandIn(OWN_ACCOUNT);
    const positions = positionPresenter({
      market: NO_MARKET,
      state: new LiveState(),
      venues: { get: () => undefined, all: () => [] },
      clock: { after: () => () => {} },
      resting: standIn.services,
      names: NAMES,
    });
    routes = restingRoutes({
      resting: standIn.services,
      store,
      positions,
      clock: { now: () => START + 77 },
      names: NAMES,
      audit: createAuditTrail({ clock: { now: () => START }, ids: { next: nextId } }),
      ...{ protectionWhenFilled: () => [], isAgent: () => false },
    });
    rig = await startRig({
      routes,
      authenticator: {
        authenticate: (headers) =>
          headers['x-api-key'] === 'key-limited'
            ? { ok: true, principal: LIMITED, via: 'header' }
            : authenticator.authenticate(headers),
      },
    });
  });

  afterEach(async () => {
    await rig.close();
    await store.close();
    await folder.remove();
  });

  function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return rig.request(method, path, {
      headers: { 'x-api-key': 'key-rw', 'x-trade-account-id': OWN_ACCOUNT, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  function answerSchema(name: string, status: number): z.ZodType | null | undefined {
    const contract = routes.find((route) => nameOf(route.contract) === name)?.contract;
    return contract?.success[status];
  }

  for (const [name, good] of Object.entries(CALLS)) {
    it(`${name} asks as the body says and answers as the contract says`, async () => {
      const [method = ''] = name.split(' ');
      const answer = await call(method, good.path, good.body, { 'idempotency-key': 'key-1' });
      expect(answer.status, answer.text).to.equal(good.status);
      const asked = standIn.asked.map((one) => [one.method, ...one.args]);
      expect(asked).to.deep.equal(good.asks === null ? [] : [good.asks]);
      const schema = answerSchema(name, good.status);
      if (schema === null) expect(answer.text).to.equal('');
      else expect(schema?.safeParse(answer.json).error, answer.text).to.equal(undefined);
    });
  }

  it('has a call for every route that asks a service', () => {
    const reads = routes.filter(
      ({ contract }) => contract.method === 'GET' || contract.tag === 'Notifications',
    );
    const tried = [...Object.keys(CALLS), ...reads.map(({ contract }) => nameOf(contract))];
    expect(new Set(tried)).to.deep.equal(new Set(routes.map(({ contract }) => nameOf(contract))));
  });

  it('gives each refusal of the services its status and code', async () => {
    const codes: Readonly<Record<EngineError['code'], number>> = {
      VALIDATION_ERROR: 400,
      RESOURCE_NOT_FOUND: 404,
      RESOURCE_BUSY: 409,
      NOOP_ERROR: 409,
      DATABASE_ERROR: 500,
      CONFIGURATION_ERROR: 500,
      NOT_IMPLEMENTED_ERROR: 501,
      AUTO_REBALANCE_POSITION_NOT_FOUND: 404,
      AUTO_REBALANCE_CONFIG_NOT_FOUND: 404,
      AUTO_REBALANCE_POSITION_NOT_OPEN: 409,
      AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS: 409,
      AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE: 400,
      ACCOUNT_NOT_ARMED: 409,
      CALLER_NOT_ALLOWED: 403,
      CAP_EXCEEDED: 409,
      AGENT_LIMIT: 403,
      SYNC_CREATE_CLOID_ALREADY_PROVISIONAL: 409,
      SYNC_CREATE_EXECUTION_IN_FLIGHT: 409,
      SYNC_CREATE_EXECUTION_JUST_SETTLED: 409,
      SYNC_CREATE_FILLS_TOO_RECENT: 409,
    };
    for (const [code, status] of Object.entries(codes)) {
      standIn.refusal = { ...BUSY, code: code as EngineError['code'], details: { reason: 'PAUSED' } };
      for (const [name, good] of Object.entries(CALLS)) {
        if (good.asks === null) continue;
        const answer = await call(name.split(' ')[0] ?? '', good.path, good.body);
        expect([answer.status, answer.json.errorCode, answer.json.details], name).to.deep.equal([
          status,
          code,
          { reason: 'PAUSED' },
        ]);
      }
    }
  });

  it('asks no service for a body that is not as the contract says', async () => {
    for (const [name, good] of Object.entries(CALLS)) {
      const [method = ''] = name.split(' ');
      if (method === 'GET') continue;
      const answer = await call(method, good.path, { surprise: 1 });
      expect([answer.status, answer.json.errorCode], name).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
    expect(standIn.asked).to.deep.equal([]);
  });

  it('reads triggers with what their watcher has seen since, page by page', async () => {
    const older = trailingStop({ tradeAccountId: OWN_ACCOUNT, createdAt: START });
    const newer = waitingTrigger({ tradeAccountId: OWN_ACCOUNT, createdAt: START + 1 });
    await store.commit({ triggers: [older, newer, waitingTrigger()] });
    const first = await call('GET', '/triggers?limit=1');
    expect(first.json.triggers.map((row: { id: string }) => row.id)).to.deep.equal([newer.id]);
    const second = await call('GET', `/triggers?limit=1&cursor=${first.json.nextCursor}`);
    expect(second.json.triggers.map((row: { id: string }) => row.id)).to.deep.equal([older.id]);
    expect(second.json).to.not.have.property('nextCursor');
    expect((await call('GET', '/triggers?kind=CLOSE')).json.triggers).to.have.length(1);
    expect((await call('GET', '/triggers?connector=nowhere')).json.details[0].path).to.equal('connector');

    standIn.observation = { ...SEEN, window: null, value: '99.5', at: START + 5 };
    const { json } = await call('GET', `/triggers/${older.id}`);
    expect(json).to.deep.include({
      lastValue: '99.5',
      lastCheckedAt: new Date(START + 5).toISOString(),
      bracket: {
        type: 'PERCENTAGE',
        value: '5',
        trailing: { delta: '2', activation: null },
        slippage: '0.03',
        ...{ ...SEEN, rounds: 0, nextRoundAt: null },
      },
      condition: null,
    });
    expect(answerSchema('GET /triggers/:id', 200)?.safeParse(json).success).to.equal(true);
    expect(answerSchema('GET /triggers', 200)?.safeParse(first.json).success).to.equal(true);
  });

  it('reads schedules and ladders', async () => {
    const schedule = twap({ tradeAccountId: OWN_ACCOUNT });
    const { ladder, triggers } = ladderWithRungs(3, { tradeAccountId: OWN_ACCOUNT });
    await store.commit({ newSchedules: [schedule], ladders: [ladder], triggers });
    const one = await call('GET', `/schedules/${schedule.id}`);
    expect(one.json).to.deep.include({
      totalUsd: '1000',
      filledUsd: '0',
      remainingUsd: '1000',
      sliceCount: 5,
    });
    expect(one.json.slices).to.have.length(5);
    expect(answerSchema('GET /schedules/:id', 200)?.safeParse(one.json).success).to.equal(true);
    const listed = await call('GET', '/schedules?status=ACTIVE');
    const { slices, ...summary } = one.json;
    expect(listed.json).to.deep.equal({ schedules: [summary] });

    const rungs = (await call('GET', `/ladders/${ladder.id}`)).json;
    expect(rungs).to.deep.include({ levels: 3, filledLevels: 1, totalUsd: '300' });
    expect(rungs.rungs.map(({ status }: { status: string }) => status)).to.deep.equal([
      'COMPLETED',
      'ACTIVE',
      'ACTIVE',
    ]);
    expect((await call('GET', '/ladders')).json).to.deep.equal({ ladders: [rungs] });
    expect(answerSchema('GET /ladders', 200)?.safeParse({ ladders: [rungs] }).success).to.equal(true);
  });

  it('reads orders with what their execution says', async () => {
    const made = execution({ tradeAccountId: OWN_ACCOUNT }, 2);
    await store.commit({ newExecutions: [made] });
    const { json } = await call('GET', '/orders?status=PENDING&limit=1');
    expect(answerSchema('GET /orders', 200)?.safeParse(json).success).to.equal(true);
    expect(json.orders[0]).to.deep.include({ id: made.orders[0]?.id, executionId: made.id, origin: 'API' });
    const next = await call('GET', `/orders?status=PENDING&limit=1&cursor=${json.nextCursor}`);
    expect(next.json.orders[0].id).to.equal(made.orders[1]?.id);
    const single = await call('GET', `/orders/${made.orders[1]?.id}`);
    expect(single.json).to.deep.equal(next.json.orders[0]);
  });

  it('answers 404 for what is not there and for what is another account’s', async () => {
    const foreign = { trigger: waitingTrigger(), schedule: twap(), ...ladderWithRungs(2), made: execution() };
    await store.commit({
      triggers: [foreign.trigger, ...foreign.triggers],
      newSchedules: [foreign.schedule],
      ladders: [foreign.ladder],
      newExecutions: [foreign.made],
    });
    const paths = [
      `/triggers/${foreign.trigger.id}`,
      `/schedules/${foreign.schedule.id}`,
      `/ladders/${foreign.ladder.id}`,
      `/orders/${foreign.made.orders[0]?.id}`,
      ...['triggers', 'schedules', 'ladders', 'orders'].map((kind) => `/${kind}/${ID}`),
    ];
    for (const path of paths) {
      const answer = await call('GET', path);
      expect([answer.status, answer.json.errorCode], path).to.deep.equal([404, 'RESOURCE_NOT_FOUND']);
    }
  });

  it('tells a position that is not there from one without a rebalance', async () => {
    const held = position({ tradeAccountId: OWN_ACCOUNT });
    await store.commit({ positions: [held, position({ id: ID })] });
    const codeOf = async (id: string) =>
      (await call('GET', `/positions/${id}/auto-rebalance`)).json.errorCode;
    expect(await codeOf(ID)).to.equal('AUTO_REBALANCE_POSITION_NOT_FOUND');
    expect(await codeOf(held.id)).to.equal('AUTO_REBALANCE_CONFIG_NOT_FOUND');
    standIn.config = rebalanceConfig({ tradeAccountId: OWN_ACCOUNT, positionId: held.id });
    const { json } = await call('GET', `/positions/${held.id}/auto-rebalance`);
    expect(json).to.deep.include({ positionId: held.id, minimumDrift: '0.05' });
    expect(answerSchema('GET /positions/:id/auto-rebalance', 200)?.safeParse(json).success).to.equal(true);
  });

  it('shows and marks notifications, of its own accounts where the key is limited', async () => {
    const mine = notice({ userId: 'u1', parameters: { tradeAccountId: OWN_ACCOUNT }, createdAt: START });
    const other = notice({ userId: 'u1', parameters: {}, createdAt: START + 1 });
    const foreign = notice({ createdAt: START + 2 });
    await store.commit({ notifications: [mine, other, foreign] });
    const ids = async (query: string, key = 'key-rw') => {
      const { json } = await call('GET', `/notifications${query}`, undefined, { 'x-api-key': key });
      expect(answerSchema('GET /notifications', 200)?.safeParse(json).success).to.equal(true);
      return json.notifications.map(({ id }: { id: string }) => id);
    };
    expect(await ids('')).to.deep.equal([other.id, mine.id]);
    expect(await ids('', 'key-limited')).to.deep.equal([mine.id]);
    expect(await ids(`?endDate=${START}`)).to.deep.equal([mine.id]);
    expect(await ids(`?startDate=${new Date(START + 1).toISOString()}`)).to.deep.equal([other.id]);

    const mark = async (path: string, body: unknown, key = 'key-rw') =>
      (await call('POST', path, body, { 'x-api-key': key })).json;
    expect(await mark('/notifications/read', { id: other.id }, 'key-limited')).to.deep.equal({ updated: 0 });
    expect(await mark('/notifications/read', { id: foreign.id })).to.deep.equal({ updated: 0 });
    expect(await mark('/notifications/read', { before: START })).to.deep.equal({ updated: 1 });
    expect(await ids('?scope=unread')).to.deep.equal([other.id]);
    expect(await ids('?scope=read')).to.deep.equal([mine.id]);
    expect(await mark('/notifications/read', { before: '2030-01-01T00:00:00Z' })).to.deep.equal({
      updated: 1,
    });
    expect(await mark('/notifications/unread', { id: mine.id })).to.deep.equal({ updated: 1 });
    expect(await ids('?scope=unread')).to.deep.equal([mine.id]);
  });
});

const NO_MARKET = {
  instrument: () => undefined,
  instruments: () => [],
  quote: () => undefined,
  funding: () => undefined,
  isStale: () => true,
  feed: () => undefined,
  feeds: () => [],
  isFeedStale: () => true,
  onInstruments: () => () => {},
  onTick: () => () => {},
};
