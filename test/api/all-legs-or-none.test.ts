/** Parts and reversals are sent with all their legs or with none, whatever is known to keep one leg back. */
import { expect } from 'chai';
import { base, closingDeskForEachTest } from '../support/closing-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';
import { liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

const POLICIES = ['KEEP', 'RETRY'] as const;

describe('a part-close whose small leg is below one quantity step', () => {
  const desk = closingDeskForEachTest();

  for (const onLegFailure of POLICIES) {
    it(`${onLegFailure}: is refused before anything is sent`, async () => {
      const position = await desk.basket([base('BTC', 'BUY', '0.1'), usd('SOL', 'SELL', '12')]);
      const before = await desk.venuePositions();
      const ended = await desk.close(position, { fraction: '0.0005', onLegFailure });
      expect(await desk.venuePositions()).to.deep.equal(before);
      expect(ended).to.include({ status: 'FAILED', errorCode: 'ZERO_QUANTITY' });
      expect(ended.error).to.contain('No orders were placed');
    });
  }

  it('as a TWAP: is refused on its fraction', async () => {
    const position = await desk.basket([base('BTC', 'BUY', '0.1'), usd('SOL', 'SELL', '12')]);
    const before = await desk.venuePositions();
    const twap = { type: 'TWAP', durationSeconds: 60, intervalSeconds: 30, fraction: '0.0005' };
    const refused = await desk.post(`/positions/${position}/close`, twap, 400);
    expect(JSON.stringify(refused)).to.contain('It comes to less than one quantity step of SOL-PERP');
    await desk.gateway.clock.advance(120_000);
    expect(await desk.venuePositions()).to.deep.equal(before);
  });
});

describe('a reversal of which a leg has no price', () => {
  const desk = closingDeskForEachTest();

  for (const onLegFailure of [...POLICIES, 'UNWIND']) {
    it(`${onLegFailure}: is refused before anything is sent`, async () => {
      const position = await desk.basket([usd('BTC', 'BUY', '500'), usd('SOL', 'SELL', '500')]);
      const before = await desk.venuePositions();
      const stale = { kind: 'STALE_FEED', symbol: 'SOL-PERP', seconds: 600 };
      await desk.post(`/trade-accounts/${desk.bot.accountId}/paper/faults`, stale, 201);
      await desk.gateway.clock.advance(10_000);
      const { execution } = await desk.post(`/positions/${position}/reverse`, { onLegFailure });
      const ended = await desk.bot.ended(execution.id);
      expect(await desk.venuePositions()).to.deep.equal(before);
      expect(ended).to.include({ status: 'FAILED', activeAt: null });
    });
  }
});

describe('API: Hyperliquid, emulated: a reversal whose opening half cannot be sent', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  it('a leg that is worth less than the minimum by now: nothing is closed', async () => {
    const { positionId } = await bot.open([
      ['BTC', 'BUY', '200'],
      ['ETH', 'SELL', '12'],
    ]);
    bot.script.setMark('ETH', '2400');
    await live.gateway.clock.advance(10_000);
    const before = bot.held();
    const { execution } = await bot.expect('POST', `/positions/${positionId}/reverse`, {}, 202);
    const ended = await bot.ended(execution.id);
    expect(bot.held()).to.deep.equal(before);
    expect(ended).to.include({ status: 'FAILED', errorCode: 'MIN_NOTIONAL' });
    expect(ended.error).to.contain('No orders were placed');
  });

  it('a leg above what the account is armed for: is refused at once', async () => {
    const { positionId } = await bot.open([
      ['BTC', 'BUY', '400'],
      ['ETH', 'SELL', '400'],
    ]);
    const terms = { alias: `live ${bot.address.slice(2, 8)}`, perOrderUsd: '100', totalUsd: '5000' };
    const armed = await live.ask('PUT', `/trade-accounts/${bot.id}/arming`, terms, bot.id);
    expect(armed.status, armed.text).to.equal(200);
    const before = bot.held();
    const answer = await bot.ask('POST', `/positions/${positionId}/reverse`, {});
    expect(answer.json.errorCode, answer.text).to.equal('CAP_EXCEEDED');
    await live.gateway.clock.advance(10_000);
    expect(bot.held()).to.deep.equal(before);
  });
});

describe('API: Hyperliquid, emulated: the plan of a close', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  it('names the leg that is too small to be closed while another basket holds its instrument too', async () => {
    const { positionId } = await bot.open([
      ['BTC', 'BUY', '200'],
      ['ETH', 'SELL', '12'],
    ]);
    await bot.open([
      ['SOL', 'BUY', '200'],
      ['ETH', 'SELL', '200'],
    ]);
    const problemsOf = async () => {
      const plan = await bot.expect('POST', `/positions/${positionId}/close/plan`, {}, 200);
      return plan.legs.map(({ problem }: Json) => problem?.code ?? null);
    };
    expect(await problemsOf()).to.deep.equal([null, null]);
    bot.script.setMark('ETH', '2400');
    await live.gateway.clock.advance(10_000);
    expect(await problemsOf()).to.deep.equal([null, 'MIN_NOTIONAL']);
  });
});

describe('API: Hyperliquid, emulated: a part-close whose small leg is below the minimum', () => {
  const live = liveGatewayForSuite();
  const bot = openForEachTest(() => live.account());

  for (const onLegFailure of POLICIES) {
    it(`${onLegFailure}: is refused before anything is sent`, async () => {
      const { positionId } = await bot.open([
        ['BTC', 'BUY', '200'],
        ['ETH', 'SELL', '12'],
      ]);
      const before = bot.held();
      const body = { type: 'MARKET', fraction: '0.5', onLegFailure };
      const { execution } = await bot.expect('POST', `/positions/${positionId}/close`, body, 202);
      const ended = await bot.ended(execution.id);
      expect(bot.held()).to.deep.equal(before);
      expect(ended).to.include({ status: 'FAILED', errorCode: 'MIN_NOTIONAL' });
      expect(ended.error).to.contain('No orders were placed');
    });
  }
});
