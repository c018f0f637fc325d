/** `GET /positions/closed` and `GET /fills/{positionId}`. */
import { expect } from 'chai';
import { listClosedTrades, listFundingPayments, listPositionFills } from '../../gateway/contract/history.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import type { Position } from '../../gateway/domain/model.ts';
import type { Json } from '../support/json.ts';
import { readPages, seededGatewayForEachTest } from '../support/seeded-gateway.ts';
import { fill, nextId, position, START } from '../support/store-records.ts';
import { startTimedGateway } from '../support/timed-gateway.ts';
import { PAIR, type Trader, trader, traderForEachTest } from '../support/trader.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';
const ids = (rows: readonly Json[]) => rows.map(({ id }) => id);

async function closedTrades(bot: Trader, query = ''): Promise<Json[]> {
  const answer = await bot.expect('GET', `/positions/closed${query}`);
  return listClosedTrades.success[200].parse(answer).positions;
}

describe('a closed trade', () => {
  it('says what each leg was entered and left at, over all its steps', async () => {
    const gateway = await startTimedGateway({ paperProfile: 'realistic', paperSpeed: 1_800 });
    try {
      const bot = await trader(gateway);
      const opened = await gateway.trade(bot, '/trade/open', {
        type: 'MARKET',
        legs: PAIR,
        slippage: '0.05',
      });
      const id = opened.positionId;
      // Two hours of the market, so that funding has been paid.
      await gateway.clock.advance(5_000);
      const steps = [
        opened,
        await gateway.trade(bot, `/positions/${id}/adjust`, {
          intent: 'INCREASE',
          usd: '700',
          slippage: '0.05',
        }),
        await gateway.trade(bot, `/positions/${id}/adjust`, {
          intent: 'REDUCE',
          fraction: '0.25',
          slippage: '0.05',
        }),
        await gateway.trade(bot, `/positions/${id}/close`, { type: 'MARKET', slippage: '0.05' }),
      ];
      expect(await closedTrades(bot)).to.have.length(1);
      const [trade] = await closedTrades(bot, '?includeSteps=true');
      const fills: Json[] = (await bot.call('GET', `/fills/${id}`)).json.fills;
      const whole = (await bot.call('GET', `/positions/${id}`)).json;
      expect(trade).to.include({
        id,
        basketKey: whole.basketKey,
        origin: 'GATEWAY',
        closedAt: whole.closedAt,
      });
      const held = Date.parse(whole.closedAt) - Date.parse(whole.createdAt);
      expect(trade.durationSeconds).to.equal(Math.round(held / 1_000));
      const average = (own: readonly Json[]) =>
        text(
          sum(own.map((one) => dec(one.notional)))
            .div(sum(own.map((one) => dec(one.quantity))))
            .toDecimalPlaces(18),
        );
      for (const leg of trade.legs) {
        const own = fills.filter(({ symbol }) => symbol === leg.symbol);
        const entries = own.filter(({ side }) => side === leg.side);
        const exits = own.filter(({ side }) => side !== leg.side);
        expect(entries.length, leg.symbol).to.be.at.least(2);
        expect(leg.entryPrice).to.equal(average(entries));
        expect(leg.exitPrice).to.equal(average(exits));
        expect(leg.quantity).to.equal(text(sum(entries.map(({ quantity }) => dec(quantity)))));
        expect(leg.quantity).to.equal(text(sum(exits.map(({ quantity }) => dec(quantity)))));
        expect(leg.fees).to.equal(text(sum(own.map(({ fee }) => dec(fee)))));
        expect(leg.realizedPnl).to.equal(text(sum(own.map(({ realizedPnl }) => dec(realizedPnl)))));
        expect(leg.funding).to.not.equal('0');
      }
      expect(trade.netPnl).to.equal(text(dec(trade.realizedPnl).minus(trade.fees).plus(trade.funding)));
      expect(whole.netPnl, 'the position says the same').to.equal(trade.netPnl);
      expect(trade.steps.map(({ kind }: Json) => kind)).to.deep.equal([
        'OPEN',
        'INCREASE',
        'REDUCE',
        'CLOSE',
      ]);
      expect(trade.steps.map(({ executionId }: Json) => executionId)).to.deep.equal(ids(steps));
      // Each payment is a row of the history of funding, and they add up to what the legs were paid.
      const list = async (query = '') =>
        listFundingPayments.success[200].parse((await bot.call('GET', `/funding/payments?${query}`)).json);
      const { payments, total } = await list('limit=200');
      expect(payments.length).to.be.at.least(4);
      for (const leg of trade.legs) {
        const own = payments.filter(({ symbol }) => symbol === leg.symbol);
        expect(text(sum(own.map(({ amount }) => dec(amount)))), leg.symbol).to.equal(leg.funding);
        for (const paid of own) {
          expect(paid).to.include({ positionId: id, paidOn: 'POSITION', tradeAccountId: bot.accountId });
          expect(paid.legs.map(({ symbol }) => symbol)).to.deep.equal(['BTC-PERP', 'ETH-PERP']);
          if (paid.notional === null) continue;
          // The notional then held is close to the opened one, and on the side of the leg.
          expect(Number(paid.notional)).to.be.within(700, 1_600);
          expect(paid.side).to.equal(leg.side);
        }
      }
      expect(total).to.equal(trade.funding);
      const times = payments.map(({ timestamp }) => timestamp);
      expect(times).to.deep.equal([...times].sort().reverse());
      const [last = '', first = ''] = [times[0], times.at(-1)];
      const pages = await readPages(bot, '/funding/payments?limit=1', 'payments');
      expect(ids(pages.flat())).to.deep.equal(ids(payments as Json[]));
      for (const query of [`endDate=${first}`, `startDate=${last}`, `startDate=${first}&endDate=${last}`]) {
        const part = await list(`limit=200&${query}`);
        expect(part.total, query).to.equal(text(sum(part.payments.map(({ amount }) => dec(amount)))));
        expect(part.payments.length, query).to.be.above(0);
      }
      const next = new Date(Date.parse(last) + 1).toISOString();
      expect(await list(`startDate=${next}`)).to.deep.equal({ payments: [], total: '0' });
      await bot.expect('GET', `/funding/payments?startDate=${last}&endDate=2020-01-01`, undefined, 400);

      const stepFees = trade.steps.flatMap(({ legs }: Json) => legs.map(({ fee }: Json) => dec(fee)));
      expect(text(sum(stepFees))).to.equal(trade.fees);
      expect((await closedTrades(bot, '?includeSteps=false'))[0]).to.not.have.property('steps');
    } finally {
      await gateway.close();
    }
  });
});

describe('GET /positions/closed', () => {
  const gateway = seededGatewayForEachTest();
  const bot = traderForEachTest(gateway);

  /** Closed `minute` minutes after the start; with a confirmed fill, a provisional one, or none. */
  async function close(
    minute: number,
    with_: 'confirmed' | 'provisional' | 'none' = 'confirmed',
    id = nextId(),
  ) {
    const closedAt = START + minute * 60_000;
    const closed: Position = {
      ...position({ id, tradeAccountId: bot.accountId, status: 'CLOSED', createdAt: START - 60_000 }),
      updatedAt: closedAt,
      closedAt,
    };
    const made = fill({
      tradeAccountId: bot.accountId,
      positionId: id,
      isProvisional: with_ === 'provisional',
      timestamp: closedAt,
    });
    await gateway.seed({ positions: [closed], fills: with_ === 'none' ? [] : [made] });
    return id;
  }

  it('newest close first, open positions not among them', async () => {
    const [first, second, third] = [await close(1), await close(3), await close(2)];
    await bot.open(PAIR);
    expect(ids(await closedTrades(bot))).to.deep.equal([second, third, first]);
  });

  it('a page may be shorter than its limit, even empty, and still have a next one', async () => {
    const made: string[] = [];
    for (let minute = 0; minute < 12; minute += 1) {
      const id = await close(
        minute,
        minute % 4 === 0 ? 'confirmed' : minute % 4 === 1 ? 'provisional' : 'none',
      );
      if (minute % 4 === 0) made.push(id);
    }
    const pages = await readPages(bot, '/positions/closed?limit=2', 'positions');
    expect(pages.map((page) => page.length)).to.deep.equal([0, 1, 0, 1, 0, 1]);
    expect(ids(pages.flat())).to.deep.equal(made.reverse());
  });

  it('pages neither repeat nor skip while positions close, also within one millisecond', async () => {
    const before: string[] = [];
    for (let number = 0; number < 11; number += 1) before.push(await close(Math.floor(number / 4)));
    let later = 100;
    const pages = await readPages(bot, '/positions/closed?limit=3', 'positions', async () => {
      later += 1;
      await close(later);
    });
    expect(ids(pages.flat()).sort()).to.deep.equal([...before].sort());
    expect(new Set(ids(pages.flat())).size).to.equal(11);
  });

  it('startDate and endDate are about the close, both inclusive, also behind a cursor', async () => {
    const made = [await close(0), await close(1), await close(2), await close(3)];
    const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
    expect(ids(await closedTrades(bot, `?startDate=${at(1)}&endDate=${at(2)}`))).to.deep.equal([
      made[2],
      made[1],
    ]);
    expect(await closedTrades(bot, `?startDate=${at(3.5)}`)).to.deep.equal([]);
    expect(await closedTrades(bot, `?startDate=2025-11-21&endDate=2025-11-21`)).to.have.length(4);
    expect(await closedTrades(bot, `?endDate=2025-11-20`)).to.deep.equal([]);
    const pages = await readPages(bot, `/positions/closed?limit=1&endDate=${at(2)}`, 'positions');
    expect(ids(pages.flat())).to.deep.equal([made[2], made[1], made[0]]);
  });

  it('limit: 20 unless said, 1 to 200; includeSteps and cursor are checked', async () => {
    for (let number = 0; number < 25; number += 1) await close(number);
    expect(await closedTrades(bot)).to.have.length(20);
    expect(await closedTrades(bot, '?limit=200')).to.have.length(25);
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'includeSteps=1', 'cursor=x', 'cursor=']) {
      const answer = await bot.call('GET', `/positions/closed?${query}`);
      expect(answer.status, query).to.equal(400);
      expect(answer.json.details[0].path, query).to.equal(query.split('=')[0]);
    }
  });

  it('shows only the account that is asked for', async () => {
    await close(1);
    const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
    const headers = { 'x-trade-account-id': other.json.id };
    expect((await bot.call('GET', '/positions/closed', undefined, headers)).json).to.deep.equal({
      positions: [],
    });
  });
});

describe('GET /fills/{positionId}', () => {
  const gateway = seededGatewayForEachTest();
  const bot = traderForEachTest(gateway);

  it('all fills of that position and of no other, newest first, in pages if asked', async () => {
    const mine = position({ tradeAccountId: bot.accountId });
    const made = Array.from({ length: 30 }, (_, number) =>
      fill({ tradeAccountId: bot.accountId, positionId: mine.id, timestamp: START + Math.floor(number / 3) }),
    );
    const others = [
      fill({ tradeAccountId: bot.accountId, positionId: nextId() }),
      fill({ tradeAccountId: bot.accountId }),
    ];
    await gateway.seed({ positions: [mine], fills: [...made, ...others] });
    const answer = await bot.expect('GET', `/fills/${mine.id}`);
    const found: Json[] = listPositionFills.success[200].parse(answer).fills;
    expect(ids(found)).to.deep.equal(made.map(({ id }) => id).reverse());
    const pages = await readPages(bot, `/fills/${mine.id}?limit=7`, 'fills');
    expect(pages.map((page) => page.length)).to.deep.equal([7, 7, 7, 7, 2]);
    expect(ids(pages.flat())).to.deep.equal(ids(found));
  });

  it('404 for a position that is not there, and for one of another account', async () => {
    const execution = await bot.open(PAIR);
    const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
    const headers = { 'x-trade-account-id': other.json.id };
    for (const answer of [
      await bot.call('GET', `/fills/${NOBODY}`),
      await bot.call('GET', '/fills/not-a-position'),
      await bot.call('GET', `/fills/${execution.positionId}`, undefined, headers),
    ]) {
      expect(answer.status).to.equal(404);
      expect(answer.json.errorCode).to.equal('RESOURCE_NOT_FOUND');
    }
    expect((await bot.call('GET', `/fills/${execution.positionId}`)).json.fills.length).to.be.at.least(2);
    expect((await bot.call('GET', `/fills/${execution.positionId}?cursor=x`)).status).to.equal(400);
  });
});
