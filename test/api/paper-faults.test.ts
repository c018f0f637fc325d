/** Faults that a user puts on a paper account: what a bot sees of each, where they end, and that nothing live takes one. */
import { expect } from 'chai';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { startTestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { paperAlone } from '../support/paper-alone.ts';
import { trader, traderForSuite, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const PAIR = [usd('BTC', 'BUY', '1000'), usd('ETH', 'SELL', '1000')];

describe('faults on a paper account', () => {
  const gateway = openForSuite(() => startTestGateway({ overrides: { venues: [paperAlone, hyperliquid] } }));
  const bot = traderForSuite(gateway);

  afterEach(async () => {
    await bot.call('DELETE', path());
    await bot.call('POST', '/positions/close-all');
    await until(gateway.clock, 'all is closed', async () => (await bot.positions()).length === 0);
  });

  const path = () => `/trade-accounts/${bot.accountId}/paper/faults`;
  const set = (body: Json) => bot.expect('POST', path(), body, 201);
  const on = async (): Promise<Json[]> => (await bot.call('GET', path())).json.paperFaults;
  const leg = (execution: Json, symbol: string) =>
    execution.orders.find((order: Json) => order.symbol === symbol);

  it('reject: one leg is refused, then the fault is used up', async () => {
    await set({ kind: 'REJECT', symbol: 'ETH-PERP' });
    const failed = await bot.open(PAIR);
    expect([failed.status, leg(failed, 'ETH-PERP').status, leg(failed, 'ETH-PERP').errorCode]).to.deep.equal([
      'FAILED',
      'REJECTED',
      'VENUE_REJECTED',
    ]);
    expect(leg(failed, 'BTC-PERP').status).to.equal('FILLED');
    expect(await on()).to.deep.equal([]);
    expect((await bot.open(PAIR)).status).to.equal('COMPLETED');
  });

  it('partial fill: the share fills, the rest is cancelled', async () => {
    await set({ kind: 'PARTIAL_FILL', symbol: 'BTC-PERP', fraction: '0.5' });
    const order = leg(await bot.open(PAIR), 'BTC-PERP');
    expect(order.status).to.equal('CANCELLED');
    expect(Number(order.filledQuantity) / Number(order.quantity)).to.be.closeTo(0.5, 0.01);
  });

  it('unknown outcome: the gateway finds the fill whose answer was lost, once', async () => {
    await set({ kind: 'UNKNOWN_OUTCOME', times: 2, silentSeconds: 1 });
    const placed = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    const { id } = placed.json.execution;
    await until(gateway.clock, 'both were sent', async () => (await on()).length === 0);
    expect((await bot.call('GET', `/executions/${id}`)).json.execution.status).to.equal('ACTIVE');
    const found = await bot.ended(id);
    expect(found.status).to.equal('COMPLETED');
    const fills = (await bot.call('GET', `/fills/${found.positionId}`)).json.fills;
    const filled = fills
      .filter((fill: Json) => fill.symbol === 'BTC-PERP')
      .reduce((sum: number, fill: Json) => sum + Number(fill.quantity), 0);
    expect(filled).to.equal(Number(leg(found, 'BTC-PERP').filledQuantity));
  });

  it('forced fill: an order larger than the book fills at the mark', async () => {
    const thin = await startTestGateway({ settings: { paperProfile: 'brutal' } });
    try {
      const other = await trader(thin);
      const legs = [usd('BTC', 'BUY', '90000')];
      const faults = `/trade-accounts/${other.accountId}/paper/faults`;
      expect((await other.call('POST', faults, { kind: 'FILL' })).status).to.equal(201);
      const filled = await other.open(legs);
      expect([filled.status, filled.orders[0].filledQuantity]).to.deep.equal([
        'COMPLETED',
        filled.orders[0].quantity,
      ]);
    } finally {
      await thin.close();
    }
  });

  it('stale feed: nothing opens on its instrument until it ends, everything else does', async () => {
    await set({ kind: 'STALE_FEED', symbol: 'SOL-PERP', seconds: 600 });
    const stale = await until(
      gateway.clock,
      'the price is old',
      async () => {
        const answer = await bot.call('POST', '/trade/open', {
          type: 'MARKET',
          dryRun: true,
          legs: [usd('SOL', 'BUY', '100')],
        });
        return answer.text.includes('PRICE_STALE') && answer.json;
      },
      20_000,
    );
    expect(stale.plan.problems[0].code).to.equal('PRICE_STALE');
    expect((await bot.open(PAIR)).status).to.equal('COMPLETED');
    expect((await bot.call('DELETE', path())).json).to.deep.equal({ ended: 1 });
    await until(
      gateway.clock,
      'the price is back',
      async () => (await bot.open([usd('SOL', 'BUY', '100')])).status === 'COMPLETED',
    );
  });

  it('says on the account that a fault is on, and ends it by time', async () => {
    const set1 = await set({ kind: 'REJECT', symbol: 'BTC-PERP', seconds: 2, times: 5 });
    const read = async () => (await bot.call('GET', `/trade-accounts/${bot.accountId}`)).json;
    const { status, checks } = await read();
    expect(status).to.equal('READY');
    const told = checks.find(({ name }: Json) => name === 'fault');
    expect(told.ok).to.equal(false);
    expect(told.detail).to.match(/^REJECT, the next 5 orders of BTC-PERP, until .*Z at the latest/);
    expect(Date.parse(set1.endsAt) - Date.parse(set1.createdAt)).to.equal(2_000);
    await until(gateway.clock, 'it has ended', async () => (await on()).length === 0);
    expect((await read()).checks.map(({ name }: Json) => name)).to.not.include('fault');
  });

  it('refuses what it cannot do, and ends one by its id', async () => {
    const refused = async (body: Json) => {
      const { status, json } = await bot.call('POST', path(), body);
      return [status, json.details?.[0]?.path];
    };
    expect(await refused({ kind: 'PARTIAL_FILL' })).to.deep.equal([400, 'fraction']);
    expect(await refused({ kind: 'PARTIAL_FILL', fraction: '1' })).to.deep.equal([400, 'fraction']);
    expect(await refused({ kind: 'REJECT', symbol: 'NIX-PERP' })).to.deep.equal([400, 'symbol']);
    expect(await refused({ kind: 'REJECT', seconds: 601 })).to.deep.equal([400, 'seconds']);
    expect(await refused({ kind: 'STALE_FEED', times: 3 })).to.deep.equal([400, 'times']);
    const { id } = await set({ kind: 'FILL', symbol: 'DOGE-PERP' });
    expect((await bot.call('DELETE', `${path()}/${id}`)).status).to.equal(204);
    expect((await bot.call('DELETE', `${path()}/${id}`)).status).to.equal(404);
    for (let made = 0; made < 20; made += 1) await set({ kind: 'FILL', symbol: 'DOGE-PERP' });
    expect((await bot.call('POST', path(), { kind: 'FILL' })).json.errorCode).to.equal('RESOURCE_BUSY');
  });

  it('hits its account alone, and no live one', async () => {
    const second = await bot.call('POST', '/trade-accounts', { alias: 'Second', connector: 'paper' });
    await set({ kind: 'REJECT', times: 10 });
    const answer = await bot.call(
      'POST',
      '/trade/open',
      { type: 'MARKET', legs: PAIR },
      { 'x-trade-account-id': second.json.id },
    );
    const ended = await until(gateway.clock, 'it has ended', async () => {
      const { json } = await bot.call('GET', `/executions/${answer.json.execution.id}`, undefined, {
        'x-trade-account-id': second.json.id,
      });
      return json.execution.finishedAt !== null && json.execution;
    });
    expect(ended.status).to.equal('COMPLETED');
    const live = await bot.expect(
      'POST',
      '/trade-accounts',
      { alias: 'Live', connector: 'hyperliquid' },
      201,
    );
    const refused = await bot.call('POST', `/trade-accounts/${live.id}/paper/faults`, {
      kind: 'REJECT',
    });
    expect([refused.status, refused.json.errorCode]).to.deep.equal([501, 'NOT_IMPLEMENTED_ERROR']);
  });
});
