/**
 * A venue reports for a while that it holds nothing although it does. Its answer alone closes no basket and ends no
 * stop. A report confirmed by its history or by the account's margin is believed at once.
 */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { type LiveLeg, liveGatewayForEachTest } from '../support/venues/hyperliquid/live-gateway.ts';

const LONG: readonly LiveLeg[] = [['BTC', 'BUY', '200']];

describe('API: Hyperliquid, emulated: positions that the venue does not tell', () => {
  const live = liveGatewayForEachTest();
  const bot = openForEachTest(() => live.account());
  let positionId: string;
  beforeEach(async () => {
    positionId = (await bot.open(LONG)).positionId;
  });

  const pass = (ms: number) => live.gateway.clock.advance(ms);
  const emptied = async (change: (state: Json) => Json) => {
    bot.script.fault({
      on: 'clearinghouseState',
      do: 'change',
      json: (state) => change({ ...state, assetPositions: [] }),
      times: null,
      user: bot.address,
    });
    // Earlier readings are kept for a while.
    await pass(10_000);
  };
  const NOTHING = { accountValue: '0.0', totalNtlPos: '0.0', totalRawUsd: '0.0', totalMarginUsed: '0.0' };
  const FAULTS: Readonly<Record<string, (state: Json) => Json>> = {
    'the list of positions': (state) => state,
    'the whole account': (state) => ({
      ...state,
      marginSummary: NOTHING,
      crossMarginSummary: NOTHING,
      crossMaintenanceMarginUsed: '0.0',
      withdrawable: '0.0',
    }),
  };
  const position = () => bot.position(positionId);
  const status = async () => (await position()).status;

  for (const [what, change] of Object.entries(FAULTS)) {
    it(`${what} empty for a minute: closes leave the basket open, and the next one closes it${what === Object.keys(FAULTS)[0] ? '' : ' @long'}`, async () => {
      await emptied(change);
      for (let seconds = 0; seconds < 60; seconds += 20) {
        expect((await bot.close(positionId)).orders[0]).to.include({ errorCode: 'UNDER_REVIEW' });
        await pass(20_000);
      }
      expect(await status()).to.equal('OPEN');
      expect(bot.held()).to.deep.equal({ BTC: '0.002' });
      bot.script.clearFaults();
      expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
      expect(bot.held()).to.deep.equal({});
    });
  }

  it('a stop-loss that fires meanwhile goes on until the venue tells again, and closes @long', async () => {
    await bot.ask('PUT', `/positions/${positionId}/brackets`, {
      stopLoss: { type: 'PERCENTAGE', value: '5' },
    });
    await emptied((state) => state);
    bot.script.setMark('BTC', '90000');
    await pass(40_000);
    expect(await status()).to.equal('OPEN');
    bot.script.clearFaults();
    await live.until('the stop-loss has closed it', async () => (await status()) === 'CLOSED');
    expect(bot.held()).to.deep.equal({});
  });

  it('an outside close that the history tells is believed at once @long', async () => {
    bot.script.tradeElsewhere(bot.address, 'BTC', 'sell', '0.002', '100000');
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(await status()).to.equal('CLOSED');
  });

  it('one that only the margin of the account confirms is believed after 15 seconds', async () => {
    const { address: user } = bot;
    bot.script.streamFaults({ silent: ['userFills', 'orderUpdates'] });
    bot.script.fault({ on: 'userFillsByTime', do: 'answer', json: [], times: null, user });
    bot.script.tradeElsewhere(user, 'BTC', 'sell', '0.002', '100000');
    await bot.close(positionId);
    await pass(20_000);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    expect(await status()).to.equal('CLOSED');
  });
});
