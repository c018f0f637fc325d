/** A part of a basket closes with all its legs or with none, whatever keeps one leg from being sent. */
import { expect } from 'chai';
import { base, closingDeskForEachTest } from '../support/closing-desk.ts';
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
