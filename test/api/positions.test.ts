/** `GET /positions`, and figures of positions that are the venue's: funding, fees, liquidations, sums. */
import { expect } from 'chai';
import { listPositions, listPositionsLite } from '../../gateway/contract/positions.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import type { Position } from '../../gateway/domain/model.ts';
import type { VenueHistory, VenuePosition } from '../../gateway/engine/ports/venue.ts';
import { eventReader } from '../support/event-reader.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { readPages, seededGatewayForEachTest } from '../support/seeded-gateway.ts';
import { nextId, position, START } from '../support/store-records.ts';
import { startTimedGateway, type TimedGateway } from '../support/timed-gateway.ts';
import { PAIR, type Trader, trader, traderForEachTest, usd } from '../support/trader.ts';

const add = (values: readonly string[]) => text(sum(values.map(dec)));

describe('GET /positions', () => {
  const gateway = seededGatewayForEachTest({ hasCross: true });
  const bot = traderForEachTest(gateway);
  let userId: string;
  let made = 0;

  beforeEach(async () => {
    const headers = { authorization: `Bearer ${bot.accessToken}` };
    userId = (await gateway.request('GET', '/auth/me', { headers })).json.id;
  });

  const record = (over: Partial<Position> = {}): Position => {
    made += 1;
    const createdAt = over.createdAt ?? START + made;
    // One open position a basket: a closed one may share its key with others.
    return position({
      id: nextId(createdAt),
      userId,
      tradeAccountId: bot.accountId,
      basketKey: String(made).padStart(64, '0'),
      createdAt,
      updatedAt: createdAt,
      ...over,
    });
  };
  const seed = async (...positions: readonly Position[]): Promise<readonly string[]> => {
    await gateway.seed({ positions });
    return positions.map(({ id }) => id);
  };
  const list = async (query = ''): Promise<Json[]> => {
    const answer = await bot.expect('GET', `/positions${query}`);
    return listPositions.success[200].parse(answer).positions;
  };
  const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

  it('status: OPEN, CLOSED, both; everything when left out', async () => {
    const [open, closed] = await seed(record(), record({ status: 'CLOSED', closedAt: START + 5_000 }));
    expect(ids(await list('?status=OPEN'))).to.deep.equal([open]);
    expect(ids(await list('?status=CLOSED'))).to.deep.equal([closed]);
    for (const query of ['', '?status=OPEN,CLOSED', '?status=OPEN&status=CLOSED'])
      expect(ids(await list(query)).sort(), query).to.deep.equal([open, closed].sort());
    for (const status of ['open', 'IDLE', '']) {
      const answer = await bot.call('GET', `/positions?status=${status}`);
      expect(answer.status, status).to.equal(400);
      expect(answer.json.details[0].path).to.match(/^status/);
    }
  });

  it('orderBy: -createdAt unless said', async () => {
    const seeded = await seed(record(), record(), record());
    expect(ids(await list())).to.deep.equal([...seeded].reverse());
  });

  for (const orderBy of ['createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const) {
    it(`pages by ${orderBy} neither repeat nor skip while new ones come in, also within one millisecond${orderBy.endsWith('createdAt') ? '' : ' @long'}`, async () => {
      const descending = orderBy.startsWith('-');
      const byUpdate = orderBy.endsWith('updatedAt');
      // The two times run against each other, so that an order by the wrong one shows.
      const before = Array.from({ length: 18 }, (_, index) =>
        record({
          createdAt: START + 1_000 * Math.floor(index / 6),
          updatedAt: START + 90_000 - 1_000 * Math.floor(index / 6),
        }),
      );
      await seed(...before);
      const key = (row: Position) => `${byUpdate ? row.updatedAt : row.createdAt} ${row.id}`;
      const expected = ids(before.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)));
      let added = 0;
      const pages = await readPages(bot, `/positions?limit=4&orderBy=${orderBy}`, 'positions', async () => {
        added += 1;
        if (added < 7)
          await seed(record({ createdAt: START + 200_000 + added, updatedAt: START + 200_000 + added }));
      });
      const read = ids(pages.flat());
      expect(new Set(read).size, 'none twice').to.equal(read.length);
      expect(read.filter((id) => expected.includes(id))).to.deep.equal(
        descending ? expected.reverse() : expected,
      );
      expect(read.length > before.length, 'newer ones stand at the end of an ascending list').to.equal(
        !descending,
      );
    });
  }

  it('connector: only that venue’s', async () => {
    const [, cross] = await seed(record(), record({ connector: 'paper-cross' }));
    expect(ids(await list('?connector=paper-cross'))).to.deep.equal([cross]);
  });

  it('another account’s position is not listed, and a 404 by its id', async () => {
    const { positionId } = await bot.open(PAIR);
    const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
    const headers = { 'x-trade-account-id': other.json.id };
    expect((await bot.call('GET', '/positions', undefined, headers)).json).to.deep.equal({ positions: [] });
    for (const [method, path, body] of [
      ['GET', `/positions/${positionId}`],
      ['POST', `/positions/${positionId}/close`, { type: 'MARKET' }],
      ['POST', `/positions/${positionId}/adjust`, { intent: 'REDUCE', fraction: '0.5' }],
    ] as const) {
      const answer = await bot.call(method, path, body, headers);
      expect(answer.status, path).to.equal(404);
      expect(answer.json.errorCode).to.equal('RESOURCE_NOT_FOUND');
    }
    expect(await list('?status=OPEN')).to.have.length(1);
  });

  it('/positions/lite lists what is open, with its legs and nothing else', async () => {
    const first = await bot.open(PAIR);
    const second = await bot.open([usd('SOL', 'BUY', '500')]);
    const lite = async () => {
      const answer = await bot.call('GET', '/positions/lite');
      return listPositionsLite.success[200].parse(answer.json).positions;
    };
    expect(ids(await lite()).sort()).to.deep.equal([first.positionId, second.positionId].sort());
    await bot.execute(`/positions/${first.positionId}/close`, { type: 'MARKET' });
    const [left] = await lite();
    const full = (await bot.call('GET', `/positions/${second.positionId}`)).json;
    expect(left?.legs).to.deep.equal([{ symbol: 'SOL-PERP', side: 'BUY', quantity: full.legs[0].quantity }]);
  });
});

/** History and positions of the account as the venue reports them. */
async function venueOf(
  gateway: TestGateway,
  bot: Trader,
): Promise<{ readonly history: VenueHistory; readonly held: readonly VenuePosition[] }> {
  const venue = gateway.gateway.paperVenue('paper');
  const account = { tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId };
  const [history, held] = await Promise.all([venue.history(account, null), venue.positions(account)]);
  if (!history.ok || !held.ok) throw new Error('the venue did not answer');
  expect(history.value.more).to.equal(false);
  return { history: history.value, held: held.value };
}

async function allPositions(bot: Trader): Promise<Json[]> {
  return (await bot.call('GET', '/positions?limit=2000')).json.positions;
}

/** Per instrument, the baskets add up to what the venue holds. */
async function expectSumsOfVenue(gateway: TestGateway, bot: Trader): Promise<void> {
  const legs = (await bot.positions()).flatMap((one) => one.legs);
  const signed = (leg: Json) => (leg.side === 'BUY' ? leg.quantity : `-${leg.quantity}`);
  const { held } = await venueOf(gateway, bot);
  for (const symbol of new Set([...legs.map((leg: Json) => leg.symbol), ...held.map((one) => one.symbol)])) {
    const baskets = add(legs.filter((leg: Json) => leg.symbol === symbol).map(signed));
    expect(baskets, symbol).to.equal(held.find((one) => one.symbol === symbol)?.quantity ?? '0');
  }
}

async function expectNoDifference(gateway: TimedGateway, bot: Trader): Promise<void> {
  // The gateway looks once a minute.
  await gateway.clock.advance(61_000);
  const { json } = await gateway.request('GET', '/ready');
  expect(json.checks.find((check: Json) => check.name === 'reconciliation')).to.deep.equal({
    name: 'reconciliation',
    ok: true,
    detail: null,
  });
  await expectSumsOfVenue(gateway, bot);
}

describe('the figures of a position', () => {
  let gateway: TimedGateway;
  let bot: Trader;
  afterEach(() => gateway.close());

  it('funding, fees, entry and liquidation price are the venue’s, over hours, with two baskets on one instrument', async () => {
    // Half an hour of the market a second: an hourly boundary every other second.
    gateway = await startTimedGateway({ paperProfile: 'realistic', paperSpeed: 1_800 });
    bot = await trader(gateway);
    const first = await gateway.trade(bot, '/trade/open', {
      type: 'MARKET',
      legs: [usd('BTC', 'BUY', '20000'), usd('ETH', 'SELL', '12000')],
      slippage: '0.05',
    });
    await gateway.clock.advance(2_500);
    await gateway.trade(bot, '/trade/open', {
      type: 'MARKET',
      legs: [usd('BTC', 'BUY', '7777'), usd('SOL', 'SELL', '3333')],
      slippage: '0.05',
    });
    await gateway.clock.advance(4_300);
    await gateway.trade(bot, `/positions/${first.positionId}/adjust`, {
      intent: 'REDUCE',
      fraction: '0.3',
      slippage: '0.05',
    });
    await gateway.clock.advance(5_700);

    const { history, held } = await venueOf(gateway, bot);
    expect(history.funding.length).to.be.at.least(12);
    const positions = await allPositions(bot);
    const legs: Json[] = positions.flatMap((one) => one.legs);
    for (const symbol of ['BTC-PERP', 'ETH-PERP', 'SOL-PERP']) {
      const own = legs.filter((leg) => leg.symbol === symbol);
      const received = history.funding.filter((one) => one.symbol === symbol).map((one) => one.amount);
      expect(received.length, symbol).to.be.at.least(3);
      expect(add(own.map((leg) => leg.fundingPaid)), `funding of ${symbol}`).to.equal(
        text(dec(add(received)).neg()),
      );
      const fees = history.fills.filter((one) => one.symbol === symbol).map((one) => one.fee);
      expect(add(own.map((leg) => leg.feesPaid)), `fees of ${symbol}`).to.equal(add(fees));
      const net = held.find((one) => one.symbol === symbol);
      for (const leg of own) {
        expect(leg.liquidationPrice).to.equal(net?.liquidationPrice ?? null);
        expect(leg.leverage).to.equal(net?.leverage);
        if (own.length === 1) expect(Number(leg.entryPrice)).to.be.closeTo(Number(net?.entryPrice), 1e-6);
      }
    }
    for (const one of positions) {
      expect(one.fundingPaid).to.equal(add(one.legs.map((leg: Json) => leg.fundingPaid)));
      expect(one.feesPaid).to.equal(add(one.legs.map((leg: Json) => leg.feesPaid)));
      expect(Number(one.fundingPaid)).to.not.equal(0);
    }
    await expectSumsOfVenue(gateway, bot);
  });

  it('a liquidation of two baskets that share the instrument: its parts, events, and sums that agree', async () => {
    gateway = await startTimedGateway();
    bot = await trader(gateway);
    const reader = await eventReader(gateway, bot);
    const open = async (...legs: readonly object[]) =>
      (await gateway.trade(bot, '/trade/open', { type: 'MARKET', legs })).positionId;
    const ids: string[] = [
      await open(usd('BTC', 'BUY', '100000'), usd('ETH', 'SELL', '100000')),
      await open(usd('BTC', 'BUY', '150000'), usd('SOL', 'SELL', '50000')),
    ];
    const before = new Map((await allPositions(bot)).map((one) => [one.id, one]));
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 0.5);
    const closed = new Set<string>();
    for (const _ of ids) {
      const told = await reader.until(({ event }) => event === 'position.closed');
      closed.add(told.at(-1)?.data.entityId ?? '');
    }
    expect([...closed].sort()).to.deep.equal([...ids].sort());

    const fills: Json[] = (await bot.call('GET', '/fills?limit=2000')).json.fills;
    const liquidations = fills.filter((one) => one.isLiquidation);
    const { history } = await venueOf(gateway, bot);
    const ofVenue = history.fills.filter((one) => one.isLiquidation);
    expect(ofVenue.map((one) => one.symbol).sort()).to.deep.equal(['BTC-PERP', 'ETH-PERP', 'SOL-PERP']);
    for (const venueFill of ofVenue) {
      const parts = liquidations.filter((one) => one.symbol === venueFill.symbol);
      expect(add(parts.map((one) => one.quantity)), venueFill.symbol).to.equal(venueFill.quantity);
      expect(add(parts.map((one) => one.fee)), venueFill.symbol).to.equal(venueFill.fee);
      for (const part of parts) {
        expect(part).to.include({
          price: venueFill.price,
          isProvisional: false,
          executionId: null,
          orderId: null,
        });
        const leg = before.get(part.positionId)?.legs.find((one: Json) => one.symbol === part.symbol);
        expect(part.quantity, 'all of the leg').to.equal(leg?.quantity);
      }
    }
    expect(liquidations.filter((one) => one.symbol === 'BTC-PERP')).to.have.length(2);
    for (const id of ids) {
      const position = (await bot.call('GET', `/positions/${id}`)).json;
      expect(position).to.include({ status: 'CLOSED', grossNotional: '0', unrealizedPnl: '0' });
      expect(Number(position.realizedPnl)).to.be.lessThan(-40_000);
      const own = fills.filter((one) => one.positionId === id);
      expect(position.realizedPnl).to.equal(add(own.map((one) => one.realizedPnl)));
      expect(position.feesPaid).to.equal(add(own.map((one) => one.fee)));
    }
    expect((await bot.call('GET', '/positions/lite')).json.positions).to.deep.equal([]);
    expect(reader.all.map(({ seq }) => seq)).to.deep.equal(reader.all.map((_, index) => index + 1));
    reader.close();
    await expectNoDifference(gateway, bot);
  });

  it('a liquidation of one isolated instrument: the other legs stay, position.updated, sums that agree', async () => {
    gateway = await startTimedGateway();
    bot = await trader(gateway);
    const setting = { symbol: 'DOGE-PERP', leverage: 5, marginMode: 'isolated' };
    expect((await bot.call('PUT', '/leverage', setting)).status).to.equal(200);
    const reader = await eventReader(gateway, bot);
    const open = async (...legs: readonly object[]) =>
      (await gateway.trade(bot, '/trade/open', { type: 'MARKET', legs })).positionId;
    const ids: string[] = [
      await open(usd('DOGE', 'BUY', '1000'), usd('LTC', 'SELL', '1000')),
      await open(usd('DOGE', 'BUY', '3000'), usd('LINK', 'SELL', '1000')),
    ];
    await gateway.gateway.paperVenue('paper').shock('DOGE-PERP', 0.5);
    const updated = new Set<string>();
    for (const _ of ids) {
      const told = await reader.until(({ event }) => event === 'position.updated');
      updated.add(told.at(-1)?.data.entityId ?? '');
    }
    expect([...updated].sort()).to.deep.equal([...ids].sort());
    for (const id of ids) {
      const position = (await bot.call('GET', `/positions/${id}`)).json;
      expect(position.status).to.equal('OPEN');
      expect(position.legs[0]).to.include({ symbol: 'DOGE-PERP', quantity: '0', liquidationPrice: null });
      expect(Number(position.legs[0].realizedPnl)).to.be.lessThan(0);
      expect(Number(position.legs[1].quantity)).to.be.greaterThan(0);
      expect(position.legs[1].realizedPnl).to.equal('0');
    }
    reader.close();
    await expectNoDifference(gateway, bot);
    // The remaining legs can be closed.
    for (const id of ids) {
      const execution = await gateway.trade(bot, `/positions/${id}/close`, { type: 'MARKET' });
      expect(execution.status, execution.error).to.equal('COMPLETED');
      expect(execution.orders).to.have.length(1);
    }
    await expectNoDifference(gateway, bot);
  });
});
