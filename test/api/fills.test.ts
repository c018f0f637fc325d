/** `GET /fills`: both orders, pages, filter; and fees that are the venue's, to the digit. */
import { expect } from 'chai';
import { listFills } from '../../gateway/contract/trading.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import type { Fill } from '../../gateway/domain/model.ts';
import type { Json } from '../support/json.ts';
import { readPages, seededGatewayForEachTest } from '../support/seeded-gateway.ts';
import { fill, nextId, START } from '../support/store-records.ts';
import { startTimedGateway } from '../support/timed-gateway.ts';
import { PAIR, trader, traderForEachTest, usd } from '../support/trader.ts';
import { unwrap } from '../support/unwrap.ts';

describe('GET /fills', () => {
  const gateway = seededGatewayForEachTest({ hasCross: true });
  const bot = traderForEachTest(gateway);
  let made = 0;

  const record = (over: Partial<Fill> = {}): Fill => {
    made += 1;
    const timestamp = over.timestamp ?? START + made;
    return fill({ id: nextId(timestamp), tradeAccountId: bot.accountId, timestamp, ...over });
  };
  const seed = async (...fills: readonly Fill[]): Promise<readonly string[]> => {
    await gateway.seed({ fills });
    return fills.map(({ id }) => id);
  };
  const list = async (query = ''): Promise<Json[]> => {
    const answer = await bot.expect('GET', `/fills${query}`);
    return listFills.success[200].parse(answer).fills;
  };
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

  it('newest first unless said; orderBy=timestamp turns it round', async () => {
    const seeded = await seed(...Array.from({ length: 5 }, () => record()));
    expect(ids(await list())).to.deep.equal([...seeded].reverse());
    expect(ids(await list('?orderBy=-timestamp'))).to.deep.equal([...seeded].reverse());
    expect(ids(await list('?orderBy=timestamp'))).to.deep.equal(seeded);
  });

  it('limit: 20 unless said, 2,000 at most', async () => {
    await seed(...Array.from({ length: 2_005 }, () => record()));
    expect(await list()).to.have.length(20);
    const most = await bot.call('GET', '/fills?limit=2000');
    expect(most.json.fills).to.have.length(2_000);
    expect(most.json.nextCursor).to.be.a('string');
  });

  for (const orderBy of ['timestamp', '-timestamp'] as const) {
    it(`pages by ${orderBy} neither repeat nor skip while new ones come in, also within one millisecond`, async () => {
      const before = [
        ...(await seed(...Array.from({ length: 9 }, () => record({ timestamp: START + 10_000 })))),
        ...(await seed(...Array.from({ length: 10 }, () => record({ timestamp: START + 20_000 })))),
      ];
      let added = 0;
      const pages = await readPages(bot, `/fills?limit=4&orderBy=${orderBy}`, 'fills', async () => {
        added += 1;
        if (added < 8) await seed(record({ timestamp: START + 30_000 + added }));
      });
      const read = ids(pages.flat());
      expect(new Set(read).size, 'none twice').to.equal(read.length);
      const old = read.filter((id) => before.includes(id));
      const sorted = [...before].sort();
      expect(old).to.deep.equal(orderBy === 'timestamp' ? sorted : sorted.reverse());
      // Oldest first, what comes in while reading stands at the end and is read too.
      expect(read.length > before.length).to.equal(orderBy === 'timestamp');
      const times = pages.flat().map((row) => row.timestamp);
      const inOrder = [...times].sort();
      expect(times).to.deep.equal(orderBy === 'timestamp' ? inOrder : inOrder.reverse());
    });
  }

  it('connector: only that venue’s', async () => {
    const [, cross] = await seed(record(), record({ connector: 'paper-cross' }));
    expect(ids(await list('?connector=paper-cross'))).to.deep.equal([cross]);
  });

  it('shows only the account that is asked for', async () => {
    const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
    await bot.open(PAIR);
    expect(await list()).to.have.length.at.least(2);
    const theirs = await bot.call('GET', '/fills', undefined, { 'x-trade-account-id': other.json.id });
    expect(theirs.json).to.deep.equal({ fills: [] });
  });

  it('every digit that is stored is sent', async () => {
    const precise = {
      price: '97123.123456789012345678',
      quantity: '0.000000000000000001',
      fee: '-0.000000000001',
    };
    await seed(record(precise));
    expect((await list())[0]).to.include(precise);
  });
});

describe('the fills of a trade', () => {
  it('carry the venue’s ids, prices and fees; order and position sum them to the digit', async () => {
    const gateway = await startTimedGateway({ paperProfile: 'realistic' });
    try {
      const bot = await trader(gateway);
      const legs = [usd('BTC', 'BUY', '25000'), usd('ETH', 'SELL', '20000'), usd('SOL', 'SELL', '5000')];
      const opened = await gateway.trade(bot, '/trade/open', { type: 'MARKET', legs });
      const { positionId } = opened;
      const closed = await gateway.trade(bot, `/positions/${positionId}/close`, {
        type: 'MARKET',
        fraction: '0.4',
      });
      for (const one of [opened, closed]) expect(one.status, one.error).to.equal('COMPLETED');

      const fills: Json[] = (await bot.call('GET', '/fills?limit=2000&orderBy=timestamp')).json.fills;
      const venue = gateway.gateway.paperVenue('paper');
      const account = { tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId };
      const history = unwrap(await venue.history(account, null));
      const shape = (one: Json) =>
        [
          one.tradeId,
          one.symbol,
          one.side,
          one.price,
          one.quantity,
          one.fee,
          one.feeAsset,
          one.venueOrderId,
        ].join();
      expect(fills.map(shape).sort()).to.deep.equal(history.fills.map(shape).sort());

      const add = (rows: readonly Json[], field: string) => text(sum(rows.map((row) => dec(row[field]))));
      for (const execution of [opened, closed]) {
        for (const order of execution.orders) {
          const own = fills.filter((one) => one.orderId === order.id);
          expect(add(own, 'quantity')).to.equal(order.filledQuantity);
          for (const one of own) {
            expect(one).to.include({
              executionId: execution.id,
              positionId,
              cloid: order.clientOrderId,
              liquidity: 'TAKER',
              isLiquidation: false,
              isProvisional: false,
            });
            expect(one.notional).to.equal(text(dec(one.price).mul(one.quantity)));
            // The taker rate of the connector, on every fill, rounded by the venue to its unit.
            expect(Number(one.fee)).to.be.closeTo(Number(one.notional) * 0.00045, 1e-6);
            expect(Number(one.fee)).to.be.greaterThan(0);
          }
        }
      }
      const position = (await bot.call('GET', `/positions/${positionId}`)).json;
      expect(position.feesPaid).to.equal(add(fills, 'fee'));
      expect(position.realizedPnl).to.equal(add(fills, 'realizedPnl'));
      for (const leg of position.legs) {
        const own = fills.filter((one) => one.symbol === leg.symbol);
        expect(leg.feesPaid, leg.symbol).to.equal(add(own, 'fee'));
        expect(leg.realizedPnl, leg.symbol).to.equal(add(own, 'realizedPnl'));
      }
    } finally {
      await gateway.close();
    }
  });
});
