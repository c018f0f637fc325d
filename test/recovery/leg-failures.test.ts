/**
 * Faults of the venue, by its script, on a basket under each leg-failure policy: the right end, error and events,
 * and fills that match the venue's to the digit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import type { FaultAction, FaultMatch } from '../../gateway/venues/paper/venue/faults.ts';
import type { PaperVenue } from '../../gateway/venues/paper/venue/paper-venue.ts';
import { eventReader } from '../support/event-reader.ts';
import { faultScript } from '../support/fault-script.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { type Trader, trader, usd } from '../support/trader.ts';

const LEGS = [usd('BTC', 'BUY', '1000'), usd('ETH', 'SELL', '600'), usd('SOL', 'SELL', '400')] as const;

describe('faults of the venue', () => {
  let gateway: TestGateway;
  let venue: PaperVenue;
  let bot: Trader;
  let events: Awaited<ReturnType<typeof eventReader>>;
  before(async () => {
    gateway = await startTestGateway();
    venue = gateway.gateway.paperVenue('paper');
    bot = await trader(gateway);
    events = await eventReader(gateway, bot);
  });
  after(async () => {
    events.close();
    await gateway.close();
  });
  afterEach(async () => {
    venue.setFaults({ rules: [] });
    for (const position of await bot.positions()) {
      await bot.execute(`/positions/${position.id}/close`, { type: 'MARKET' });
    }
    expect(await bot.positions()).to.deep.equal([]);
    await agreesWithVenue();
  });

  const script = (...rules: readonly [FaultMatch, FaultAction][]) =>
    venue.setFaults(rules.reduce((built, [match, action]) => built.at(match, action), faultScript()).done());

  const reject = { kind: 'reject', reason: 'other', message: 'risk engine says no' } as const;

  /** Fills, positions and sums of the gateway are the venue's. */
  async function agreesWithVenue(): Promise<void> {
    const account = { tradeAccountId: bot.accountId, exchangeIdentifier: bot.accountId };
    const history = await venue.history(account, null);
    if (!history.ok) throw new Error('no history');
    expect(history.value.more).to.equal(false);
    const fills: Json[] = (await bot.call('GET', '/fills?limit=2000&orderBy=timestamp')).json.fills;
    const shape = (fill: Json) =>
      `${fill.tradeId} ${fill.symbol} ${fill.side} ${fill.quantity} ${fill.price} ${fill.fee}`;
    expect(fills.map(shape).sort()).to.deep.equal(history.value.fills.map(shape).sort());
    const held = await venue.positions(account);
    if (!held.ok) throw new Error('no positions');
    const baskets = await bot.positions();
    for (const { symbol, quantity } of held.value) {
      const legs = baskets
        .flatMap((basket: Json) => basket.legs)
        .filter((leg: Json) => leg.symbol === symbol);
      const own = sum(
        legs.map((leg: Json) => (leg.side === 'BUY' ? dec(leg.quantity) : dec(leg.quantity).neg())),
      );
      expect(text(own), symbol).to.equal(quantity);
    }
  }

  const positionOf = async (execution: Json): Promise<Json> =>
    (await bot.call('GET', `/positions/${execution.positionId}`)).json;

  for (const leg of [0, 1, 2]) {
    const symbol = LEGS[leg]?.symbol ?? '';

    it(`KEEP: leg ${leg + 1} rejected → FAILED, that order REJECTED with VENUE_REJECTED, the others stay${leg === 0 ? '' : ' @long'}`, async () => {
      script([{ batch: 1, leg }, reject]);
      const execution = await bot.open(LEGS);
      expect(execution).to.include({ status: 'FAILED', errorCode: 'VENUE_REJECTED' });
      expect(execution.activeAt).to.be.a('string');
      expect(execution.error)
        .to.include(`Leg ${leg + 1} (${symbol}`)
        .and.to.include('risk engine says no');
      for (const [index, order] of execution.orders.entries()) {
        expect(order.status).to.equal(index === leg ? 'REJECTED' : 'FILLED');
        expect(order.errorCode).to.equal(index === leg ? 'VENUE_REJECTED' : null);
      }
      const position = await positionOf(execution);
      expect(position.legs[leg].quantity).to.equal('0');
      const told = await events.until(
        ({ event, data }) => event === 'position.created' && data.entityId === position.id,
      );
      const ended = told.filter(
        ({ data }) => data.entityId === execution.id || data.entityId === position.id,
      );
      expect(ended.map(({ event }) => event)).to.deep.equal(['execution.failed', 'position.created']);
      expect(told.filter(({ event }) => event === 'order.updated').length).to.be.at.least(LEGS.length);
      await agreesWithVenue();
    });

    it(`UNWIND: leg ${leg + 1} rejected → what filled is closed again, reduce-only, by an execution of its own${leg === 0 ? '' : ' @long'}`, async () => {
      script([{ batch: 1, leg }, reject]);
      const execution = await bot.open(LEGS, { onLegFailure: 'UNWIND' });
      expect(execution.status).to.equal('FAILED');
      const closed = await until(async () => {
        const position = await positionOf(execution);
        return position.status === 'CLOSED' ? position : null;
      });
      expect(closed.legs.map((row: Json) => row.quantity)).to.deep.equal(['0', '0', '0']);
      const all: Json[] = (await bot.call('GET', '/executions')).json.executions;
      const unwind = all.find((row) => row.parentId === execution.id);
      expect(unwind).to.include({ status: 'COMPLETED', intent: 'CLOSE' });
      expect(unwind.orders.map((order: Json) => [order.symbol, order.reduceOnly])).to.deep.equal(
        LEGS.filter((_, index) => index !== leg).map((row) => [row.symbol, true]),
      );
      await agreesWithVenue();
    });
  }

  it('UNWIND of an addition closes only what the addition filled @long', async () => {
    const first = await bot.open(LEGS);
    const before = await positionOf(first);
    script([{ batch: 1, leg: 1 }, reject]);
    const added = await bot.open(LEGS, { onLegFailure: 'UNWIND' });
    expect(added).to.include({ status: 'FAILED', intent: 'ADJUST' });
    const after = await until(async () => {
      const position = await positionOf(first);
      return position.legs[0].quantity === before.legs[0].quantity ? position : null;
    });
    expect(after.legs.map((row: Json) => row.quantity)).to.deep.equal(
      before.legs.map((row: Json) => row.quantity),
    );
  });

  it('KEEP: a partial fill ends CANCELLED with its filledQuantity kept and SLIPPAGE_EXCEEDED', async () => {
    script([
      { batch: 1, leg: 2 },
      { kind: 'fill', fraction: '0.25' },
    ]);
    const execution = await bot.open(LEGS);
    const order = execution.orders[2];
    expect(execution.status).to.equal('FAILED');
    expect(order).to.include({ status: 'CANCELLED', errorCode: 'SLIPPAGE_EXCEEDED' });
    expect(Number(order.filledQuantity) / Number(order.quantity)).to.be.closeTo(0.25, 0.02);
    expect((await positionOf(execution)).legs[2].quantity).to.equal(order.filledQuantity);
  });

  it('RETRY: a partial fill is completed by a second attempt with its own client order id, and COMPLETED', async () => {
    script([
      { batch: 1, leg: 2 },
      { kind: 'fill', fraction: '0.5' },
    ]);
    const execution = await bot.open(LEGS, { onLegFailure: 'RETRY' });
    expect(execution.status, execution.error).to.equal('COMPLETED');
    const order = execution.orders[2];
    expect(order).to.include({ status: 'FILLED', attempt: 2, filledQuantity: order.quantity });
    const fills: Json[] = (await bot.call('GET', '/fills?limit=2000')).json.fills.filter(
      (fill: Json) => fill.orderId === order.id,
    );
    expect(new Set(fills.map((fill) => fill.cloid)).size).to.equal(2);
    expect(text(sum(fills.map((fill) => dec(fill.quantity))))).to.equal(order.quantity);
  });

  it('an answer lost after execution: asked for by client order id, found filled, sent once', async () => {
    script([{ batch: 1, leg: 0 }, { kind: 'drop_answer' }]);
    const execution = await bot.open(LEGS);
    expect(execution.status, execution.error).to.equal('COMPLETED');
    expect(execution.orders[0]).to.include({ status: 'FILLED', attempt: 1, errorCode: null });
  });

  it('an answer lost and lookups that fail for a while: UNKNOWN_OUTCOME is shown meanwhile, then the truth', async () => {
    // The account stream would tell the fills at once.
    script(
      [{ batch: 1, leg: 0 }, { kind: 'drop_answer' }],
      [{ batch: 1 }, { kind: 'disconnect_stream', forMs: 8_000 }],
      [{ times: 2 }, { kind: 'lookup_unknown' }],
    );
    const answer = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: LEGS });
    const id = answer.json.execution.id;
    const asking = await until(async () => {
      const { execution } = (await bot.call('GET', `/executions/${id}`)).json;
      return execution.orders[0].errorCode === 'UNKNOWN_OUTCOME' ? execution : null;
    });
    expect(asking).to.include({ status: 'ACTIVE' });
    expect(asking.orders[0]).to.include({ status: 'PENDING' });
    const execution = await bot.ended(id);
    expect(execution.status).to.equal('COMPLETED');
    expect(execution.orders[0]).to.include({ status: 'FILLED', error: null, errorCode: null });
  });

  it('a request that never arrived: never sent again, ends REJECTED once the venue can no longer execute it', async () => {
    script([{ batch: 1, leg: 1 }, { kind: 'drop_request' }]);
    const execution = await bot.open(LEGS);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
    expect(execution.orders[1]).to.include({
      status: 'REJECTED',
      errorCode: 'UNKNOWN_OUTCOME',
      filledQuantity: '0',
    });
  });

  it('a fill told twice, and events told backwards, change nothing', async () => {
    script(
      [{ batch: 1, times: null }, { kind: 'duplicate_fill' }],
      [{ batch: 1 }, { kind: 'reorder_stream' }],
    );
    const execution = await bot.open(LEGS);
    expect(execution.status).to.equal('COMPLETED');
    await agreesWithVenue();
  });

  it('a stream cut in the middle of the fills loses nothing @long', async () => {
    script(
      [{ batch: 1 }, { kind: 'disconnect_stream', forMs: 300 }],
      [{ batch: 1, leg: 0 }, { kind: 'drop_answer' }],
    );
    const execution = await bot.open(LEGS);
    expect(execution.status, execution.error).to.equal('COMPLETED');
    await agreesWithVenue();
  });

  it('a slow venue only takes longer @long', async () => {
    script([{ batch: 1 }, { kind: 'delay', delayMs: 700 }]);
    const answer = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: LEGS });
    const busy = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: LEGS });
    expect(busy.json.errorCode).to.equal('RESOURCE_BUSY');
    expect((await bot.ended(answer.json.execution.id)).status).to.equal('COMPLETED');
  });

  it('a venue that goes down as the batch arrives: nothing executed, the end is known when it is back', async () => {
    script([{ batch: 1 }, { kind: 'down', forMs: 800 }]);
    const execution = await bot.open(LEGS);
    expect(execution.status).to.equal('FAILED');
    expect(execution.orders.every((order: Json) => order.filledQuantity === '0')).to.equal(true);
  });
});

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (let tries = 0; tries < 4_000; tries += 1) {
    const seen = await look();
    if (seen !== null) return seen;
    await sleep(10);
  }
  throw new Error('it did not come to that');
}
