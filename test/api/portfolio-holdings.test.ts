/** `GET /portfolio?includeHoldings=true`: rows and sums of one moment, whatever moves while the answer is made. */
import { expect } from 'chai';
import { getPortfolio } from '../../gateway/contract/portfolio.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import type { Clock } from '../../gateway/engine/ports/system.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

/** A paper venue that takes as long as three ticks of its market to say what it holds, once it is told to be slow. */
function slowVenue(clock: Clock) {
  const slow = { is: false };
  const plug: typeof paper = {
    ...paper,
    async create(settings, host) {
      const venues = await paper.create(settings, host);
      return venues.map((venue) => {
        const held = venue.positions.bind(venue);
        return Object.assign(venue, {
          positions: async (...asked: Parameters<typeof held>) => {
            if (slow.is) await clock.sleep(300);
            return held(...asked);
          },
        });
      });
    },
  };
  return { plug, slow };
}

describe('GET /portfolio with holdings', () => {
  const clock = createFakeClock();
  const { plug, slow } = slowVenue(clock);
  const gateway = openForSuite(() =>
    startTestGateway({
      clock,
      settings: { paperSpeed: 60 },
      overrides: { venues: [plug] },
    }),
  );
  const bot = traderForSuite(gateway);
  before(async () => {
    await bot.open(PAIR, { slippage: '0.05' });
    await bot.open([usd('SOL', 'BUY', '700')], { slippage: '0.05' });
    const order = { symbol: 'BTC-PERP', side: 'BUY', quantity: '0.25' };
    await bot.expect('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
    // The venue's stream tells of it.
    await until(clock, 'it is known', async () => {
      const { json } = await bot.call('GET', '/positions/unassigned');
      return Object.values(json).some((rows) => Array.isArray(rows) && rows.length > 0);
    });
  });
  afterEach(() => {
    slow.is = false;
  });

  const read = async (query: string): Promise<Json> => {
    const answer = await whileTimePasses(clock, bot.call('GET', `/portfolio?${query}`));
    expect(answer.status, answer.text).to.equal(200);
    getPortfolio.success[200].parse(answer.json);
    return answer.json;
  };

  it('has rows that come to the unrealised PnL of the account, to the last digit, while prices move', async () => {
    slow.is = true;
    const seen = new Set<string>();
    for (let times = 0; times < 4; times += 1) {
      const { unrealizedPnl, equity, balance, holdings } = await read('includeHoldings=true&includeDay=true');
      const rows: readonly Json[] = [...holdings.positions, ...holdings.unassigned];
      expect(rows).to.have.length(3);
      expect(text(sum(rows.map((row) => dec(row['unrealizedPnl']))))).to.equal(unrealizedPnl);
      expect(text(dec(equity).minus(balance))).to.equal(unrealizedPnl);
      const [mark] = holdings.unassigned.map((lot: Json) => lot['markPrice']);
      const [leg] = holdings.positions[1].legs;
      expect([leg.symbol, leg.markPrice], 'one mark').to.deep.equal(['BTC-PERP', mark]);
      seen.add(unrealizedPnl);
    }
    expect(seen.size, 'prices have moved').to.be.greaterThan(2);
  });

  it('has the rows of `GET /positions` and of `GET /positions/unassigned`, and none unless asked', async () => {
    expect(await read('includeDay=true')).to.not.have.property('holdings');
    const stop = { stopLoss: { type: 'PERCENTAGE', value: '40' } };
    const [{ id }] = await bot.positions();
    expect((await bot.call('PUT', `/positions/${id}/brackets`, stop)).status).to.equal(200);
    const { holdings } = await read('includeHoldings=true&source=external');
    /** Drops the fields that move with the market. */
    const still = (row: Json): Json =>
      Object.fromEntries(
        Object.entries<Json>(row)
          .filter(
            ([name]) => !/^(mark|notional|gross|net|marginUsed|unrealized|current|liquidation)/.test(name),
          )
          .map(([name, value]) => [name, name === 'legs' ? value.map(still) : value]),
      );
    const positions: readonly Json[] = await bot.positions('status=OPEN');
    expect(positions[0]?.['stopLoss']).to.not.equal(null);
    expect(holdings.positions.map(still)).to.deep.equal(positions.map(still));
    expect(Object.keys(holdings.positions[0])).to.deep.equal(Object.keys(positions[0] ?? {}));
    const { items } = (await bot.call('GET', '/positions/unassigned')).json;
    expect(holdings.unassigned.map(still)).to.deep.equal(items.map(still));
  });
});
