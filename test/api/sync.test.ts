/** Trades past the gateway: provisional at first, then a position's, by name or by reconciliation; and the four conflicts. */
import { expect } from 'chai';
import {
  listDifferences,
  listProvisionalFills,
  paperOrderRoute,
  planSyncPosition,
  syncAccountRoute,
  syncPositionRoute,
} from '../../gateway/contract/sync.ts';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { faultScript } from '../support/fault-script.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { paperAlone } from '../support/paper-alone.ts';
import { trader, traderForEachTest } from '../support/trader.ts';

const LONG_BTC = { symbol: 'BTC-PERP', side: 'BUY' } as const;
const SHORT_ETH = { symbol: 'ETH-PERP', side: 'SELL' } as const;
const PAIR = [LONG_BTC, SHORT_ETH];

describe('trades outside the gateway', () => {
  const clock = openForEachTest(() => createFakeClock());
  const gateway = gatewayForEachTest({ clock, overrides: { venues: [paperAlone] } });
  const bot = traderForEachTest(gateway);

  beforeEach(async () => {
    await clock.advance(1_000);
  });

  async function outside(order: Json): Promise<Json> {
    const answer = await bot.expect('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
    return paperOrderRoute.success[200].parse(answer);
  }

  /** Until the gateway has written the order's fills down. */
  async function noticed(order: Json): Promise<Json> {
    for (let tries = 0; tries < 500; tries += 1) {
      const known = new Set((await fills()).map(({ tradeId }) => tradeId));
      if (order.fills.every(({ tradeId }: Json) => known.has(tradeId))) return order;
      await clock.advance(10);
    }
    throw new Error('the fills were not noticed');
  }
  const buy = async (symbol: string, quantity: string, more: Json = {}) =>
    noticed(await outside({ symbol: `${symbol}-PERP`, side: 'BUY', quantity, ...more }));
  const sell = async (symbol: string, quantity: string, more: Json = {}) =>
    noticed(await outside({ symbol: `${symbol}-PERP`, side: 'SELL', quantity, ...more }));

  async function provisional(): Promise<Json[]> {
    const answer = await bot.expect('GET', '/fills/provisionals-lite');
    return listProvisionalFills.success[200].parse(answer).fills;
  }

  const ask = (legs: readonly Json[], cloids?: readonly string[]) =>
    bot.call('POST', '/sync/positions', { legs, ...(cloids === undefined ? {} : { cloids }) });

  async function made(legs: readonly Json[], cloids?: readonly string[]): Promise<Json> {
    const answer = await ask(legs, cloids);
    expect(answer.status, answer.text).to.equal(201);
    return syncPositionRoute.success[201].parse(answer.json);
  }

  async function sync(): Promise<Json> {
    const answer = await bot.expect('POST', '/sync');
    return syncAccountRoute.success[200].parse(answer);
  }

  async function open(legs: readonly Json[]): Promise<Json> {
    const answer = await bot.expect('POST', '/trade/open', { type: 'MARKET', legs }, 202);
    return ended(answer.execution.id);
  }

  async function ended(id: string): Promise<Json> {
    for (let tries = 0; tries < 200; tries += 1) {
      const { execution } = (await bot.call('GET', `/executions/${id}`)).json;
      if (execution.finishedAt !== null) return execution;
      await clock.advance(50);
    }
    throw new Error('the execution did not end');
  }

  const base = (leg: Json, amount: string) => ({ ...leg, mode: 'BASE', amount });
  const position = async (id: string) => (await bot.call('GET', `/positions/${id}`)).json;
  const fills = async (): Promise<Json[]> => (await bot.call('GET', '/fills?limit=200')).json.fills;
  const refused = (answer: TestAnswer, status: number, errorCode: string) =>
    expect([answer.status, answer.json.errorCode], answer.text).to.deep.equal([status, errorCode]);

  it('are provisional fills first', async () => {
    const order = await buy('BTC', '0.01', { cloid: 'my-own-order' });
    expect(order).to.include({ status: 'filled', filledQuantity: '0.01', cloid: 'my-own-order' });
    const [fill, ...others] = await provisional();
    expect(others).to.deep.equal([]);
    expect(fill).to.include({ symbol: 'BTC-PERP', side: 'BUY', quantity: '0.01', cloid: 'my-own-order' });
    expect((await fills())[0]).to.include({
      id: fill?.id,
      isProvisional: true,
      positionId: null,
      executionId: null,
    });
    expect(await bot.positions()).to.deep.equal([]);
  });

  it('are told as a difference, of all accounts at once, until a position has them', async () => {
    const differences = async (): Promise<Json[]> => {
      const answer = await gateway.expect('GET', '/sync/differences', { headers: { 'x-api-key': bot.key } });
      const { accounts } = listDifferences.success[200].parse(answer);
      return accounts.find(({ tradeAccountId }) => tradeAccountId === bot.accountId)?.differences ?? [];
    };
    const btc = { symbol: 'BTC-PERP', ticker: 'BTC' };
    await open([base(LONG_BTC, '0.05')]);
    expect(await differences()).to.deep.equal([]);
    await buy('BTC', '0.01');
    // Figures are current, but the venue was last compared before the trade.
    const told = { ...btc, baskets: '0.05', unassigned: '0.01', outside: '0.01' };
    expect(await differences()).to.deep.equal([{ ...told, venue: null }]);
    await sync();
    expect(await differences()).to.deep.equal([{ ...told, venue: '0.06' }]);
    await clock.advance(15_000);
    await made([LONG_BTC]);
    expect(await differences()).to.deep.equal([]);
  });

  it('become a position of origin EXTERNAL, whose fills, PnL and events are as of one of the gateway', async () => {
    await buy('BTC', '0.01');
    await buy('BTC', '0.03');
    await sell('ETH', '0.5');
    const first = await provisional();
    await clock.advance(15_000);
    const position = await made(PAIR);
    expect(position).to.include({
      origin: 'EXTERNAL',
      status: 'OPEN',
      realizedPnl: '0',
      createdAt: first[0]?.timestamp,
    });
    expect(position.legs.map(({ symbol, side, quantity }: Json) => [symbol, side, quantity])).to.deep.equal([
      ['BTC-PERP', 'BUY', '0.04'],
      ['ETH-PERP', 'SELL', '0.5'],
    ]);
    const weights = position.legs.map(({ targetWeight }: Json) => Number(targetWeight));
    expect(weights[0] + weights[1]).to.be.closeTo(1, 1e-15);
    expect(await provisional()).to.deep.equal([]);
    const own = await fills();
    expect(own.map(({ positionId, isProvisional }) => [positionId, isProvisional])).to.deep.equal(
      own.map(() => [position.id, false]),
    );
    expect(position.feesPaid).to.equal(text(sum(own.map(({ fee }) => dec(fee)))));
    expect(await bot.positions()).to.have.length(1);
    expect((await sync()).differences).to.deep.equal([]);
    const closing = await bot.call('POST', `/positions/${position.id}/close`, { type: 'MARKET' });
    expect((await ended(closing.json.execution.id)).status).to.equal('COMPLETED');
    expect((await sync()).differences).to.deep.equal([]);
  });

  it('are MIXED from the first fill of an execution on', async () => {
    await buy('BTC', '0.01');
    await clock.advance(15_000);
    const { id } = await made([LONG_BTC]);
    const adjusting = await bot.expect(
      'POST',
      `/positions/${id}/adjust`,
      {
        intent: 'INCREASE',
        targets: [{ symbol: 'BTC-PERP', quantity: '0.03' }],
      },
      202,
    );
    await ended(adjusting.execution.id);
    const mixed = await position(id);
    expect(mixed).to.include({ origin: 'MIXED', status: 'OPEN' });
    expect(mixed.legs[0].quantity).to.equal('0.03');
  });

  it('are not taken out of a basket in the middle of its close @long', async () => {
    await open([base(LONG_BTC, '0.02'), base(SHORT_ETH, '0.4')]);
    const { positionId } = await open([base(LONG_BTC, '0.02')]);
    await clock.advance(10_000);
    await sell('BTC', '0.01');
    await clock.advance(20_000);
    const [taken, closing] = await Promise.all([
      ask([LONG_BTC]),
      bot.call('POST', `/positions/${positionId}/close`, { type: 'MARKET' }),
    ]);
    // Either came first, and the other has to wait.
    if (taken.status !== 201) {
      expect(taken.status, taken.text).to.equal(409);
      expect(taken.json.errorCode).to.be.oneOf([
        'SYNC_CREATE_EXECUTION_IN_FLIGHT',
        'SYNC_CREATE_EXECUTION_JUST_SETTLED',
      ]);
    }
    if (closing.status === 202) await ended(closing.json.execution.id);
    else refused(closing, 409, 'RESOURCE_BUSY');
    const unowned = (await fills()).filter((fill) => fill.positionId === null);
    expect(unowned.every(({ executionId }) => executionId === null)).to.equal(true);
    // Named by the trader, or taken out by the close: either way it has gone somewhere, once.
    expect((await sync()).differences).to.deep.equal([]);
  });

  it('that were over before anybody asked become a closed position with its result @long', async () => {
    await buy('SOL', '2');
    await clock.advance(60_000);
    await sell('SOL', '2');
    const over = (await provisional()).at(-1)?.timestamp;
    await clock.advance(60_000);
    const closed = await made([{ symbol: 'SOL-PERP', side: 'BUY' }]);
    expect(closed).to.include({ status: 'CLOSED', origin: 'EXTERNAL', closedAt: over });
    const own = await fills();
    expect(closed.realizedPnl).to.equal(text(sum(own.map(({ realizedPnl }) => dec(realizedPnl)))));
    const [out, into] = own;
    expect(closed.realizedPnl).to.equal(text(dec(out?.price).minus(into?.price).mul('2')));
    expect(await bot.positions()).to.deep.equal([]);
  });

  it('go to the open position of the same legs, which is MIXED from then on @long', async () => {
    const execution = await open([base(LONG_BTC, '0.02'), base(SHORT_ETH, '0.4')]);
    await buy('BTC', '0.01');
    await clock.advance(20_000);
    const mixed = await made(PAIR);
    expect(mixed).to.include({ id: execution.positionId, origin: 'MIXED' });
    expect(mixed.legs[0]).to.include({ quantity: '0.03' });
    expect((await sync()).differences).to.deep.equal([]);
  });

  it('are shown first as what they make of a position, without any of it being done @long', async () => {
    const plan = async (legs: readonly Json[]) => {
      const answer = await bot.expect('POST', '/sync/positions/plan', { legs });
      return planSyncPosition.success[200].parse(answer);
    };
    const { positionId } = await open([base(LONG_BTC, '0.05'), base(SHORT_ETH, '0.4')]);
    refused(await bot.call('POST', '/sync/positions/plan', { legs: PAIR }), 409, 'NOOP_ERROR');
    await sell('BTC', '0.02');
    const fills = (await provisional()).length;
    const reduces = await plan(PAIR);
    expect(reduces).to.include({ positionId, status: 'OPEN', fills });
    expect(
      reduces.legs.map(({ symbol, side, before, after }) => [symbol, side, before, after]),
    ).to.deep.equal([
      ['BTC-PERP', 'BUY', '0.05', '0.03'],
      ['ETH-PERP', 'SELL', '0.4', '0.4'],
    ]);
    const own = await plan([{ symbol: 'BTC-PERP', side: 'SELL' }]);
    expect(own).to.deep.include({ positionId: null, status: 'OPEN', realizedPnl: '0' });
    expect((await position(positionId)).legs[0].quantity, 'nothing is done').to.equal('0.05');
    expect(await provisional()).to.have.length(fills);
    // Just as it is planned it is done, by reconciliation: the fills are old enough.
    await clock.advance(20_000);
    const taken = await position(positionId);
    expect(taken).to.include({ origin: 'MIXED', realizedPnl: reduces.realizedPnl });
    expect(taken.legs[0]).to.include({ quantity: '0.03', entryPrice: reduces.legs[0]?.entryPrice });
    // A plan that would turn a leg over is refused, as making it would be.
    await sell('BTC', '0.04');
    const over = await bot.call('POST', '/sync/positions/plan', { legs: PAIR });
    refused(over, 400, 'VALIDATION_ERROR');
    expect(over.text).to.contain('turn this leg over');
  });

  it('against a basket are taken out of it by reconciliation, where nothing else can be meant', async () => {
    const { positionId } = await open([base(LONG_BTC, '0.02'), base(SHORT_ETH, '0.4')]);
    await clock.advance(10_000);
    await sell('BTC', '0.015');
    expect((await sync()).differences).to.deep.equal([
      { symbol: 'BTC-PERP', baskets: '0.02', unassigned: '-0.015', venue: '0.005' },
    ]);
    await clock.advance(15_000);
    expect((await sync()).differences).to.deep.equal([]);
    const reduced = await position(positionId);
    expect(reduced).to.include({ origin: 'MIXED', status: 'OPEN' });
    expect(reduced.legs[0].quantity).to.equal('0.005');
    const fill = (await fills())[0];
    expect(fill).to.include({ positionId, isProvisional: false });
    expect(reduced.realizedPnl).to.equal(fill?.realizedPnl);
  });

  it('against a basket are taken out of it within minutes without being asked @long', async () => {
    const { positionId } = await open([base(LONG_BTC, '0.02')]);
    await clock.advance(10_000);
    await sell('BTC', '0.02');
    await clock.advance(150_000);
    expect(await position(positionId)).to.include({ status: 'CLOSED', origin: 'MIXED' });
  });

  it('that could mean one basket or another wait for the trader', async () => {
    const one = await open([base(LONG_BTC, '0.02'), base(SHORT_ETH, '0.4')]);
    const two = await open([base(LONG_BTC, '0.02')]);
    await sell('BTC', '0.01');
    await clock.advance(150_000);
    expect((await sync()).differences).to.have.length(1);
    expect((await position(one.positionId)).origin).to.equal('GATEWAY');
    const named = await made([LONG_BTC]);
    expect(named).to.include({ id: two.positionId, origin: 'MIXED' });
    expect(named.legs[0].quantity).to.equal('0.01');
    expect((await sync()).differences).to.deep.equal([]);
  });

  it('that are older than the basket are not taken out of it @long', async () => {
    await sell('BTC', '0.01');
    await clock.advance(1_000);
    const { positionId } = await open([base(LONG_BTC, '0.02')]);
    await clock.advance(150_000);
    expect((await sync()).differences).to.deep.equal([
      { symbol: 'BTC-PERP', baskets: '0.02', unassigned: '-0.01', venue: '0.01' },
    ]);
    expect((await position(positionId)).origin).to.equal('GATEWAY');
    expect(await provisional()).to.have.length(1);
  });

  it('named by their client order IDs are told apart', async () => {
    await buy('BTC', '0.01', { cloid: 'first' });
    await buy('BTC', '0.02', { cloid: 'second' });
    await clock.advance(15_000);
    const position = await made([LONG_BTC], ['second']);
    expect(position.legs[0].quantity).to.equal('0.02');
    expect((await provisional()).map(({ cloid }) => cloid)).to.deep.equal(['first']);
    const again = await ask([LONG_BTC], ['second']);
    refused(again, 400, 'VALIDATION_ERROR');
    expect(again.json.details[0].path).to.equal('cloids.0');
  });

  it('are given to a position once, however often and however quickly it is asked for', async () => {
    await buy('BTC', '0.01');
    await clock.advance(15_000);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask([LONG_BTC])));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) refused(answer, 409, 'NOOP_ERROR');
    const [position] = await bot.positions();
    expect(position?.legs[0].quantity).to.equal('0.01');
  });

  it('and their positions are there after a restart, and nothing is taken in again', async () => {
    await buy('BTC', '0.01');
    await sell('ETH', '0.2');
    await clock.advance(15_000);
    const before = await made([LONG_BTC]);
    await gateway.restart();
    await clock.advance(1_000);
    const [after] = await bot.positions();
    expect(after).to.deep.include({ id: before.id, origin: 'EXTERNAL', feesPaid: before.feesPaid });
    expect((await provisional()).map(({ symbol }) => symbol)).to.deep.equal(['ETH-PERP']);
    expect((await sync()).provisionalFills).to.equal(1);
    refused(await ask([LONG_BTC]), 409, 'NOOP_ERROR');
  });

  it('count in the portfolio once: when they happened, with the result that they turn out to have @long', async () => {
    await buy('SOL', '2');
    await clock.advance(30_000);
    await sell('SOL', '2');
    await clock.advance(15_000);
    const before = await bot.call('GET', '/portfolio');
    const closed = await made([{ symbol: 'SOL-PERP', side: 'BUY' }]);
    const after = await bot.call('GET', '/portfolio');
    expect(after.json.volume).to.equal(before.json.volume);
    expect(after.json.fees).to.equal(before.json.fees);
    expect(after.json.realizedPnl).to.equal(closed.realizedPnl);
  });

  describe('conflicts that go away', () => {
    it('SYNC_CREATE_FILLS_TOO_RECENT: a fill is younger than 15 s', async () => {
      await buy('BTC', '0.01');
      const early = await ask([LONG_BTC]);
      refused(early, 409, 'SYNC_CREATE_FILLS_TOO_RECENT');
      expect(early.json.details).to.include({ minimumFillAgeSeconds: 15, settleWindowSeconds: 10 });
      await clock.advance(Date.parse(early.json.details.retryAt) - clock.now() - 1);
      refused(await ask([LONG_BTC]), 409, 'SYNC_CREATE_FILLS_TOO_RECENT');
      expect(await bot.positions()).to.deep.equal([]);
      await clock.advance(1);
      await made([LONG_BTC]);
    });

    it('SYNC_CREATE_EXECUTION_IN_FLIGHT: an execution on the account is still running', async () => {
      await buy('BTC', '0.01');
      await clock.advance(15_000);
      gateway.gateway
        .paperVenue('paper')
        .setFaults(faultScript().at({}, { kind: 'delay', delayMs: 4_000 }).done());
      const placed = await bot.call('POST', '/trade/open', {
        type: 'MARKET',
        legs: [base(SHORT_ETH, '0.1')],
      });
      refused(await ask([LONG_BTC]), 409, 'SYNC_CREATE_EXECUTION_IN_FLIGHT');
      expect((await sync()).differences).to.equal(null);
      await ended(placed.json.execution.id);
      refused(await ask([LONG_BTC]), 409, 'SYNC_CREATE_EXECUTION_JUST_SETTLED');
    });

    it('SYNC_CREATE_EXECUTION_JUST_SETTLED: an execution on the account ended less than 10 s ago', async () => {
      await buy('BTC', '0.01');
      await clock.advance(15_000);
      await open([base(SHORT_ETH, '0.1')]);
      const early = await ask([LONG_BTC]);
      refused(early, 409, 'SYNC_CREATE_EXECUTION_JUST_SETTLED');
      await clock.advance(Date.parse(early.json.details.retryAt) - clock.now() - 1);
      refused(await ask([LONG_BTC]), 409, 'SYNC_CREATE_EXECUTION_JUST_SETTLED');
      await clock.advance(1);
      await made([LONG_BTC]);
    });

    it('SYNC_CREATE_CLOID_ALREADY_PROVISIONAL: the history has yet to confirm the fill that the order was given', async () => {
      const late = faultScript()
        .at({}, { kind: 'late_history', forMs: 40_000 })
        .at({}, { kind: 'disconnect_stream', forMs: 40_000 });
      gateway.gateway.paperVenue('paper').setFaults(late.done());
      await outside({ ...LONG_BTC, quantity: '0.01', cloid: 'late' });
      expect(await provisional()).to.deep.equal([]);
      await clock.advance(15_000);
      const position = await made([LONG_BTC], ['late']);
      expect(position.legs[0].quantity).to.equal('0.01');
      expect((await provisional()).map(({ cloid }) => cloid)).to.deep.equal(['late']);
      const again = await ask([LONG_BTC], ['late']);
      refused(again, 409, 'SYNC_CREATE_CLOID_ALREADY_PROVISIONAL');
      expect(again.json.details).to.include({ cloid: 'late', positionId: position.id });
      await clock.advance(40_000);
      await sync();
      expect(await provisional()).to.deep.equal([]);
      refused(await ask([LONG_BTC], ['late']), 400, 'VALIDATION_ERROR');
      const own = await fills();
      expect(own).to.have.length(1);
      expect(own[0]).to.include({ positionId: position.id, isProvisional: false });
    });
  });

  describe('bad requests leave nothing behind', () => {
    const refusedAt = async (path: string, legs: readonly Json[], cloids?: readonly string[]) => {
      const answer = await ask(legs, cloids);
      refused(answer, 400, 'VALIDATION_ERROR');
      expect(answer.json.details[0].path).to.equal(path);
    };

    it('an instrument that is not there, one named twice, none, twenty-one', async () => {
      await refusedAt('legs.0.symbol', [{ symbol: 'NOPE-PERP', side: 'BUY' }]);
      await refusedAt('legs.1.symbol', [LONG_BTC, { symbol: 'BTC-PERP', side: 'SELL' }]);
      await refusedAt('legs', []);
      await refusedAt(
        'legs',
        Array.from({ length: 21 }, (_, index) => ({ symbol: `X${index}`, side: 'BUY' })),
      );
      await refusedAt('legs.0.side', [{ symbol: 'BTC-PERP', side: 'LONG' }]);
    });

    it('a side that the fills do not add up to, a leg without fills, an order of another instrument', async () => {
      await buy('BTC', '0.01', { cloid: 'mine' });
      await clock.advance(15_000);
      await refusedAt('legs.0.side', [{ symbol: 'BTC-PERP', side: 'SELL' }]);
      await refusedAt('legs.1.symbol', PAIR);
      await refusedAt('cloids', [SHORT_ETH], ['mine']);
      await refusedAt('cloids.0', [LONG_BTC], ['nobody-sent-this']);
      await refusedAt('cloids', [LONG_BTC], ['mine', 'mine']);
      await refusedAt('cloids.0', [LONG_BTC], ['not a cloid']);
      expect(await bot.positions('limit=20')).to.deep.equal([]);
      expect(await provisional()).to.have.length(1);
    });

    it('nothing to do is NOOP_ERROR', async () => {
      refused(await ask([LONG_BTC]), 409, 'NOOP_ERROR');
    });

    it('outside orders: both amounts, neither, too small, unknown instrument, another’s account', async () => {
      const path = `/trade-accounts/${bot.accountId}/paper/outside-order`;
      const call = (body: Json) => bot.call('POST', path, { ...LONG_BTC, ...body });
      refused(await call({}), 400, 'VALIDATION_ERROR');
      refused(await call({ usd: '10', quantity: '1' }), 400, 'VALIDATION_ERROR');
      refused(await call({ quantity: '0.000001' }), 400, 'VALIDATION_ERROR');
      refused(await call({ quantity: 1 }), 400, 'VALIDATION_ERROR');
      refused(await call({ usd: '100', symbol: 'NOPE-PERP' }), 400, 'VALIDATION_ERROR');
      refused(await call({ usd: '100000000' }), 400, 'VALIDATION_ERROR');
      const other = await trader(gateway, { email: 'eve@example.test' });
      refused(await other.call('POST', path, { ...LONG_BTC, usd: '100' }), 404, 'RESOURCE_NOT_FOUND');
      expect(await provisional()).to.deep.equal([]);
    });
  });
});
