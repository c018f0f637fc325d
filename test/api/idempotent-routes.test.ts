/** Every route that can move money or make something rest takes an `Idempotency-Key`: the list is walked, none is picked. */
import { expect } from 'chai';
import { EVERY_ROUTE } from '../../gateway/contract/every-route.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway, whileTimePasses } from '../support/gateway.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { routeName, SERVICE_SURFACE } from '../support/service-surface.ts';
import { SurfaceCalls } from '../support/surface-calls.ts';
import { traderForSuite } from '../support/trader.ts';

/** Routes that change something and can neither move money nor leave an order, a trigger or the like behind. */
const HARMLESS = new Set([
  // Sessions, keys, agents
  'POST /auth/logout',
  'POST /auth/password',
  'POST /auth/ws-ticket',
  'DELETE /auth/sessions/{id}',
  'POST /api-keys',
  'DELETE /api-keys/{id}',
  'POST /integrations',
  'PATCH /integrations/{id}',
  'POST /interaction/{uid}/confirm',
  'POST /interaction/{uid}/abort',
  'DELETE /oauth2/grants/{id}',
  // A repeated one finds it done; a change of limits names the version that it replaces
  'PUT /agents/limits',
  'PUT /agents/{id}/mandate',
  'POST /agents/pause-all',
  'POST /agents/{id}/suspend',
  'POST /agents/{id}/resume',
  // Says a choice in sentences, changes nothing
  'POST /interaction/{uid}/terms',
  // Accounts and their credentials
  'POST /trade-accounts',
  'PATCH /trade-accounts/{id}',
  'DELETE /trade-accounts/{id}',
  'PUT /trade-accounts/{id}/credentials',
  'PUT /trade-accounts/{id}/arming',
  'DELETE /trade-accounts/{id}/arming',
  'POST /trade-accounts/{id}/credentials',
  'DELETE /trade-accounts/{id}/credentials',
  // A repeated one makes one more key that nobody has approved; an approval is of one key, and ends once
  'POST /connectors/{id}/wallet-approvals',
  'POST /connectors/{id}/wallet-approvals/{approvalId}',
  'DELETE /connectors/{id}/wallet-approvals/{approvalId}',
  'POST /connectors/{id}/check',
  // An approval ends once: a repeated decision changes nothing and says so
  'POST /approvals/{id}/approve',
  'POST /approvals/{id}/deny',
  'DELETE /approvals/mine/{id}',
  // Names and marks
  'POST /saved-baskets',
  'PATCH /saved-baskets/{id}',
  'DELETE /saved-baskets/{id}',
  'POST /notifications/read',
  'POST /notifications/unread',
  // Webhooks and channels: a repeat adds one more (visible, removable, at most twenty) or sends one more test
  'POST /webhooks',
  'PATCH /webhooks/{id}',
  'DELETE /webhooks/{id}',
  'POST /webhooks/{id}/rotate-secret',
  'POST /webhooks/{id}/test',
  'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver',
  'POST /notification-channels',
  'PATCH /notification-channels/{id}',
  'DELETE /notification-channels/{id}',
  'POST /notification-channels/{id}/test',
  // Faults concern play money only and end by themselves
  'POST /trade-accounts/{id}/paper/faults',
  'DELETE /trade-accounts/{id}/paper/faults',
  'DELETE /trade-accounts/{id}/paper/faults/{faultId}',
  // Questions
  'POST /markets/baskets/positions',
  'POST /positions/{id}/rebalance/plan',
  'POST /positions/{id}/close/plan',
  'POST /positions/{id}/reverse/plan',
  'POST /positions/{id}/adjust/plan',
  'POST /positions/{id}/brackets/plan',
  'POST /positions/close-all/plan',
  'POST /sync',
  'POST /sync/positions/plan',
]);

/** Live venues' own set-up, answered by nobody yet. */
const isExchangeSetup = (path: string) => path.includes('/misc/exchange/');

describe('routes that take an Idempotency-Key', () => {
  const gateway = openForSuite(() => startTestGateway({ clock }));
  const bot = traderForSuite(gateway);
  const calls = openForSuite(() => SurfaceCalls.prepare(gateway, bot, clock));
  const clock = createFakeClock();

  it('are all that change something, but for those that are harmless', () => {
    const without = [...EVERY_ROUTE]
      .filter(
        ([, { method, auth, idempotent }]) => method !== 'GET' && auth !== 'P' && idempotent === undefined,
      )
      .map(([name]) => name)
      .filter((name) => !HARMLESS.has(name) && !isExchangeSetup(name));
    expect(without).to.deep.equal([]);
    for (const name of HARMLESS) expect(EVERY_ROUTE.get(name)?.idempotent, name).to.equal(undefined);
  });

  const keyed = SERVICE_SURFACE.filter(
    (route) => EVERY_ROUTE.get(routeName(route))?.idempotent !== undefined,
  );
  for (const route of keyed) {
    it(`${routeName(route)} answers a repeated key as the first time, to ten at once`, async () => {
      const { path, body, headers } = await calls.call(route, true);
      const key = `walk ${routeName(route)}`;
      const send = (over: unknown = body) =>
        bot.call(route.method, path, over, { ...headers, 'idempotency-key': key });
      // Calls may wait for a venue.
      const first = await whileTimePasses(gateway.clock, send());
      expect(first.status, first.text).to.equal(route.status);
      expect(first.headers.get('idempotency-replayed')).to.equal(null);
      await calls.settle(first);
      for (const again of await Promise.all(Array.from({ length: 10 }, () => send()))) {
        expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
        expect(again.headers.get('idempotency-replayed')).to.equal('true');
      }
    });
  }
  it('at least thirty of them', () => expect(keyed.length).to.be.greaterThan(29));

  it('a paper order outside the gateway is executed once under one key, and its key with another body is refused', async () => {
    const path = `/trade-accounts/${bot.accountId}/paper/outside-order`;
    const order = (usd: string) =>
      bot.call('POST', path, { symbol: 'BTC-PERP', side: 'BUY', usd }, { 'idempotency-key': 'one order' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => order('500')));
    const cloids = answers.filter(({ status }) => status === 200).map(({ json }) => json.cloid);
    expect(new Set(cloids).size).to.equal(1);
    expect((await order('500')).json.cloid).to.equal(cloids[0]);
    const other = await order('600');
    expect([other.status, other.json.details[0].path]).to.deep.equal([400, 'idempotency-key']);
  });

  it('a key that is limited to some accounts does not hear the answer of one that is not', async () => {
    const limited = await gateway.request('POST', '/api-keys', {
      headers: { authorization: `Bearer ${bot.accessToken}` },
      body: { label: 'limited', scope: 'read_write', tradeAccountIds: [bot.accountId] },
    });
    const headers = (key: string) => ({ 'x-api-key': key, 'idempotency-key': 'pause once' });
    await gateway.request('POST', '/safety/resume', { headers: { 'x-api-key': bot.key } });
    await gateway.expect('POST', '/safety/pause', { headers: headers(bot.key) });
    const theirs = await gateway.request('POST', '/safety/pause', { headers: headers(limited.json.key) });
    expect(theirs.status).to.be.oneOf([400, 403]);
  });
});
