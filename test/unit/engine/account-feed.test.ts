/** Funding, liquidations and foreign fills: given to the baskets exactly, once, whatever order they come in. */

import { expect } from 'chai';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';
import { settled } from '../../support/outstanding.ts';

describe('what happens on an account outside an execution', () => {
  const desk = engineDeskForEachTest();

  const base = (symbol: string, side: 'BUY' | 'SELL', amount: string) => leg(symbol, side, amount, 'BASE');
  const add = (values: readonly string[]) => text(sum(values.map(dec)));
  const fundingPaid = async (positionId: string | null, symbol = 'AAA-PERP') =>
    (await desk.position(positionId)).legs.find((one) => one.symbol === symbol)?.fundingPaid ?? '';
  /** Paid by the baskets, as the venue has it: what it received is negative. */
  const paidToVenue = () => text(sum(desk.venue.funding.map((one) => dec(one.amount))).neg());
  const names = (from = 0) => desk.events.slice(from).map(({ event, entityId }) => `${event} ${entityId}`);
  const expectSumsOfVenue = async (...symbols: readonly string[]) => {
    for (const symbol of symbols)
      expect(await desk.heldInBaskets(symbol), symbol).to.equal(desk.venue.held(symbol));
  };

  describe('funding', () => {
    it('of two baskets adds up to the venue’s amount, to the digit, also where it rounds', async () => {
      desk.venue.setMark('AAA-PERP', '97.3');
      const one = await desk.opened([base('AAA', 'BUY', '1.111'), base('BBB', 'SELL', '1')]);
      const two = await desk.opened([base('AAA', 'BUY', '2.223'), base('CCC', 'SELL', '1')]);
      const before = desk.events.length;
      const payment = desk.venue.settleFunding('AAA-PERP', '0.0000125');
      await desk.quiet();
      const paid = [await fundingPaid(one.positionId), await fundingPaid(two.positionId)];
      expect(payment.amount).to.equal('-0.004055');
      expect(add(paid)).to.equal('0.004055');
      expect(paid).to.deep.equal(['0.001351', '0.002704']);
      expect(names(before).sort()).to.deep.equal(
        [one, two].map(({ positionId }) => `position.updated ${positionId}`).sort(),
      );
    });

    it('of baskets on opposite sides: one pays more than the venue takes, the other receives the difference', async () => {
      const long = await desk.opened([base('AAA', 'BUY', '3')]);
      const short = await desk.opened([base('AAA', 'SELL', '1')]);
      desk.venue.settleFunding('AAA-PERP', '0.0001');
      await desk.quiet();
      expect(await fundingPaid(long.positionId)).to.equal('0.03');
      expect(await fundingPaid(short.positionId)).to.equal('-0.01');
    });

    it('told twice, by the stream and by the history, is booked once', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      const payment = desk.venue.settleFunding('AAA-PERP', '0.0001');
      desk.venue.tell({ kind: 'funding', funding: payment });
      desk.venue.tell({ kind: 'reconnected' });
      await desk.pass(120_000);
      await desk.start();
      await desk.pass(120_000);
      expect(await fundingPaid(positionId)).to.equal('0.03');
    });

    it('that the stream missed is found in the history when the stream is back', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      desk.venue.settleFunding('AAA-PERP', '0.0001', 'history');
      await desk.quiet();
      expect(await fundingPaid(positionId)).to.equal('0');
      desk.venue.tell({ kind: 'reconnected' });
      await desk.quiet();
      expect(await fundingPaid(positionId)).to.equal('0.03');
    });

    it('while the gateway was down is booked at the next start', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      desk.kill();
      desk.venue.settleFunding('AAA-PERP', '0.0001');
      desk.venue.settleFunding('AAA-PERP', '-0.0003');
      await desk.start();
      await desk.quiet();
      expect(await fundingPaid(positionId)).to.equal('-0.06');
    });

    it('is paid on the quantity of that moment, not on what was added before it was heard of', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      desk.venue.settleFunding('AAA-PERP', '0.0001', 'history');
      await desk.pass(1_000);
      await desk.opened([base('AAA', 'BUY', '7')]);
      desk.venue.tell({ kind: 'reconnected' });
      await desk.quiet();
      expect(await fundingPaid(positionId)).to.equal('0.03');
    });

    it('reaches the position that held it, although it was closed before it was heard of', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      desk.venue.settleFunding('AAA-PERP', '0.0001', 'history');
      await desk.pass(1_000);
      await desk.ended(await desk.close(positionId ?? ''));
      const before = desk.events.length;
      desk.venue.tell({ kind: 'reconnected' });
      await desk.quiet();
      const closed = await desk.position(positionId);
      expect(closed).to.include({ status: 'CLOSED' });
      expect(closed.legs[0]?.fundingPaid).to.equal('0.03');
      expect(names(before)).to.deep.equal([`position.updated ${positionId}`]);
    });

    it('on fills that are not on disk yet waits for them', async () => {
      desk.venue.behave(() => ({ answer: 'silent', streamed: 0, lookups: Array(6).fill('no_answer') }));
      const id = await desk.open([base('AAA', 'BUY', '3')]);
      await desk.advanceTo(() => desk.venue.asked.length > 0);
      desk.venue.settleFunding('AAA-PERP', '0.0001');
      const { positionId } = await desk.ended(id);
      await desk.pass(2_000);
      expect(await fundingPaid(positionId)).to.equal('0.03');
    });

    it('stamped a little before a fill that it was paid on is understood by its quantity', async () => {
      // A venue stamps the boundary, but computes on what is held when it gets round to it.
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      const payment = desk.venue.settleFunding('AAA-PERP', '0.0001', 'history');
      desk.venue.tell({ kind: 'funding', funding: { ...payment, timestamp: payment.timestamp - 60 } });
      await desk.quiet();
      expect(await fundingPaid(positionId)).to.equal('0.03');
    });

    it('over many payments and changes stays the venue’s sum', async () => {
      desk.venue.setMark('AAA-PERP', '103.7');
      await desk.opened([base('AAA', 'BUY', '1.237'), base('BBB', 'SELL', '1')]);
      for (const amount of ['0.311', '2.017', '0.173']) {
        desk.venue.settleFunding('AAA-PERP', '0.0000137');
        await desk.opened([base('AAA', 'BUY', amount), base('CCC', 'SELL', '1')]);
        desk.venue.settleFunding('AAA-PERP', '-0.0000211', 'history');
        await desk.pass(1_000);
      }
      desk.venue.tell({ kind: 'reconnected' });
      await desk.quiet();
      const legs = (await desk.positions()).flatMap((position) => position.legs);
      expect(add(legs.map((one) => one.fundingPaid))).to.equal(paidToVenue());
    });
  });

  for (const forced of ['ADL', 'SETTLEMENT', 'DELISTING'] as const) {
    it(`what the venue closes by itself (${forced}) is spread over its holders, named, and nobody's trade`, async () => {
      const one = await desk.opened([base('AAA', 'BUY', '3')]);
      const two = await desk.opened([base('AAA', 'BUY', '1'), base('BBB', 'SELL', '1')]);
      const from = desk.events.length;
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '4', forced });
      await desk.quiet();
      expect(await desk.position(one.positionId)).to.include({ status: 'CLOSED' });
      expect((await desk.position(two.positionId)).legs[0]).to.include({ quantity: '0' });
      const rows = (await desk.fills()).filter(({ cause }) => cause === forced);
      expect(
        rows.map(({ quantity, executionId, isLiquidation }) => ({ quantity, executionId, isLiquidation })),
      ).to.have.deep.members([
        { quantity: '3', executionId: null, isLiquidation: false },
        { quantity: '1', executionId: null, isLiquidation: false },
      ]);
      expect(names(from)).to.include(`position.closed ${one.positionId}`);
      const told = await notificationsOf(desk);
      expect(told.map(({ category }) => category)).to.deep.equal(['EXTERNAL_CLOSE', 'EXTERNAL_CLOSE']);
      expect(told[0]?.parameters.reason).to.match(/^The venue /);
      expect(await desk.heldInBaskets('AAA-PERP')).to.equal('0');
    });
  }

  describe('a liquidation', () => {
    it('of one basket closes it: a liquidation fill, realised PnL, position.closed', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      const before = desk.events.length;
      desk.venue.setMark('AAA-PERP', '80');
      const fill = desk.venue.trade({
        symbol: 'AAA-PERP',
        side: 'SELL',
        quantity: '3',
        fee: '1.2',
        isLiquidation: true,
      });
      await desk.quiet();
      const position = await desk.position(positionId);
      expect(position).to.include({ status: 'CLOSED' });
      expect(position.legs[0]).to.include({ quantity: '0', realizedPnl: '-60' });
      const [row] = (await desk.fills()).filter(({ isLiquidation }) => isLiquidation);
      expect(row).to.include({
        tradeId: fill.tradeId,
        positionId,
        quantity: '3',
        fee: '1.2',
        isProvisional: false,
      });
      const [closed, told] = names(before);
      expect(closed).to.equal(`position.closed ${positionId}`);
      expect(told).to.match(/^notification\.created /);
      expect(names(before)).to.have.length(2);
      expect(desk.state.positions.of(desk.account.id)).to.deep.equal([]);
    });

    it('of an instrument in three baskets is shared by what they hold; parts add up to the venue’s fill', async () => {
      const ids = [];
      for (const [amount, other] of [
        ['1', 'BUY'],
        ['2', 'SELL'],
      ] as const) {
        ids.push((await desk.opened([base('AAA', 'BUY', amount), base('BBB', other, '1')])).positionId);
      }
      ids.push((await desk.opened([base('AAA', 'BUY', '4'), base('CCC', 'SELL', '1')])).positionId);
      desk.venue.trade({
        symbol: 'AAA-PERP',
        side: 'SELL',
        quantity: '5.555',
        fee: '0.333333',
        isLiquidation: true,
      });
      await desk.quiet();
      const parts = (await desk.fills()).filter(({ isLiquidation }) => isLiquidation);
      expect(parts.map(({ positionId }) => positionId)).to.deep.equal(ids);
      expect(add(parts.map((part) => part.quantity))).to.equal('5.555');
      expect(add(parts.map((part) => part.fee))).to.equal('0.333333');
      for (const part of parts) expect(dec(part.quantity).mod('0.001').toString()).to.equal('0');
      await expectSumsOfVenue('AAA-PERP', 'BBB-PERP', 'CCC-PERP');
    });

    it('rounded to steps loses nothing: what is left over goes to a basket that can bear it', async () => {
      await desk.opened([base('AAA', 'BUY', '0.1'), base('BBB', 'BUY', '1')]);
      await desk.opened([base('AAA', 'BUY', '0.1'), base('BBB', 'SELL', '1')]);
      await desk.opened([base('AAA', 'BUY', '0.1'), base('CCC', 'SELL', '1')]);
      for (const quantity of ['0.299', '0.001']) {
        desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity, isLiquidation: true });
        await desk.quiet();
        await expectSumsOfVenue('AAA-PERP');
      }
      const held = (await desk.positions()).flatMap((position) => position.legs);
      expect(held.filter((one) => one.symbol === 'AAA-PERP').map((one) => one.quantity)).to.deep.equal([
        '0',
        '0',
        '0',
      ]);
    });

    it('of the net position hits only the side that was liquidated', async () => {
      const long = await desk.opened([base('AAA', 'BUY', '3')]);
      const short = await desk.opened([base('AAA', 'SELL', '1')]);
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '2', isLiquidation: true });
      await desk.quiet();
      expect((await desk.position(long.positionId)).legs[0]?.quantity).to.equal('1');
      expect((await desk.position(short.positionId)).legs[0]?.quantity).to.equal('1');
      await expectSumsOfVenue('AAA-PERP');
    });

    it('that is larger than what the baskets hold leaves the rest as a provisional fill', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '1')]);
      desk.venue.trade({
        symbol: 'AAA-PERP',
        side: 'SELL',
        quantity: '1.5',
        fee: '0.3',
        isLiquidation: true,
      });
      await desk.quiet();
      expect((await desk.position(positionId)).status).to.equal('CLOSED');
      const parts = (await desk.fills()).filter(({ isLiquidation }) => isLiquidation);
      expect(
        parts.map((part) => [part.positionId, part.quantity, part.fee, part.isProvisional]),
      ).to.deep.equal([
        [positionId, '1', '0.2', false],
        [null, '0.5', '0.1', true],
      ]);
    });

    it('told twice, split or not, is booked once', async () => {
      await desk.opened([base('AAA', 'BUY', '1')]);
      await desk.opened([base('AAA', 'BUY', '2'), base('BBB', 'SELL', '1')]);
      const shared = desk.venue.trade({
        symbol: 'AAA-PERP',
        side: 'SELL',
        quantity: '3',
        isLiquidation: true,
      });
      const alone = desk.venue.trade({ symbol: 'BBB-PERP', side: 'BUY', quantity: '1', isLiquidation: true });
      for (const fill of [shared, alone, shared]) desk.venue.tell({ kind: 'fill', fill });
      desk.venue.tell({ kind: 'reconnected' });
      await desk.pass(120_000);
      await desk.start();
      await desk.pass(120_000);
      expect((await desk.fills()).filter(({ isLiquidation }) => isLiquidation)).to.have.length(3);
      await expectSumsOfVenue('AAA-PERP', 'BBB-PERP');
    });

    it('of fills that are not on disk yet waits for them', async () => {
      desk.venue.behave(() => ({ answer: 'silent', streamed: 0, lookups: Array(6).fill('no_answer') }));
      const id = await desk.open([base('AAA', 'BUY', '3')]);
      await desk.advanceTo(() => desk.venue.asked.length > 0);
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '3', isLiquidation: true });
      const { positionId } = await desk.ended(id);
      await desk.pass(2_000);
      expect(await desk.position(positionId)).to.include({ status: 'CLOSED' });
      await expectSumsOfVenue('AAA-PERP');
    });

    it('told after an opening is on disk and before the engine has heard so: booked as soon as it has, without a wait', async () => {
      let told = false;
      desk.afterCommit = async (unit) => {
        if (told || unit.executions?.[0]?.finishedAt == null) return;
        told = true;
        desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '3', isLiquidation: true });
        // Room for the recorder to look at a book that does not have the position yet.
        await settled();
      };
      const id = await desk.open([base('AAA', 'BUY', '3')]);
      const { positionId } = await desk.ended(id);
      const at = desk.clock.now();
      await desk.quiet();
      expect(await desk.position(positionId)).to.include({ status: 'CLOSED' });
      expect(desk.clock.now()).to.equal(at);
      await expectSumsOfVenue('AAA-PERP');
    });

    it('is told once a position, however many fills it comes in, with the position and its legs', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3'), base('BBB', 'SELL', '1')]);
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '2', isLiquidation: true });
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '1', isLiquidation: true });
      await desk.quiet();
      const [told, ...more] = await notificationsOf(desk);
      expect(more).to.deep.equal([]);
      expect(told?.category).to.equal('POSITION_LIQUIDATED');
      expect(told?.parameters).to.deep.include({
        positionId,
        connector: 'scripted',
        tradeAccountId: desk.account.id,
        type: 'liquidation',
        legs: [
          { id: 'AAA-PERP', symbol: 'AAA', side: 'BUY' },
          { id: 'BBB-PERP', symbol: 'BBB', side: 'SELL' },
        ],
      });
      expect(desk.events.filter(({ event }) => event === 'notification.created')).to.have.length(1);
    });

    it('while an addition runs: what it fills makes a new position, and position.created', async () => {
      const gone = await desk.opened([base('AAA', 'BUY', '1')]);
      desk.venue.onArrival(async () => {
        desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '1', isLiquidation: true });
        desk.venue.onArrival(() => undefined);
        await desk.quiet();
      });
      const before = desk.events.length;
      const { positionId, intent } = await desk.opened([base('AAA', 'BUY', '2')]);
      expect(intent).to.equal('ADJUST');
      expect(await desk.position(gone.positionId)).to.include({ status: 'CLOSED' });
      expect(await desk.position(positionId)).to.include({ status: 'OPEN' });
      expect(names(before)).to.include(`position.created ${positionId}`);
      await expectSumsOfVenue('AAA-PERP');
    });

    it('while a close runs: what the close still fills elsewhere in the account is not turned into a position', async () => {
      // Reduce-only lets the close trade, because another basket holds the instrument; its own basket is gone by then.
      const gone = await desk.opened([base('AAA', 'BUY', '1')]);
      const other = await desk.opened([base('AAA', 'BUY', '5'), base('BBB', 'SELL', '1')]);
      desk.venue.onArrival(async () => {
        desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '6', isLiquidation: true });
        desk.venue.onArrival(() => undefined);
        await desk.quiet();
      });
      const id = await desk.close(gone.positionId ?? '');
      await desk.ended(id);
      const positions = await desk.positions();
      expect(positions.map((position) => position.id)).to.have.members([gone.positionId, other.positionId]);
      const stray = (await desk.fills()).filter((fill) => fill.executionId === id);
      expect(stray.map((fill) => [fill.positionId, fill.isProvisional])).to.deep.equal([[null, true]]);
    });
  });

  describe('a fill that is not ours', () => {
    it('is provisional and changes no basket; the difference is seen and said', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      const before = await desk.position(positionId);
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'BUY', quantity: '0.5' });
      await desk.pass(60_001);
      const [foreign] = (await desk.fills()).filter((fill) => fill.executionId === null);
      expect(foreign).to.include({ positionId: null, isProvisional: true, cloid: null, quantity: '0.5' });
      expect(await desk.position(positionId)).to.deep.equal(before);
      expect(desk.engine.differences.get(desk.account.id)).to.deep.equal([
        { symbol: 'AAA-PERP', baskets: '3', unassigned: '0.5', venue: '3.5' },
      ]);
    });

    it('is told: EXTERNAL_CLOSE against what a basket holds, else EXTERNAL_OPEN, once an order', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      const order = { symbol: 'AAA-PERP', side: 'SELL', venueOrderId: 'outside-1' } as const;
      for (const quantity of ['0.5', '0.25']) desk.venue.trade({ ...order, quantity });
      desk.venue.trade({ symbol: 'BBB-PERP', side: 'BUY', quantity: '1' });
      await desk.quiet();
      const told = (await notificationsOf(desk)).map(({ category, parameters }) => ({
        category,
        positionId: parameters.positionId,
        legs: parameters.legs?.map(({ id, side }) => `${side} ${id}`),
      }));
      expect(told).to.deep.equal([
        { category: 'EXTERNAL_CLOSE', positionId, legs: ['SELL AAA-PERP'] },
        { category: 'EXTERNAL_OPEN', positionId: undefined, legs: ['BUY BBB-PERP'] },
      ]);
    });

    it('that reduced the one basket that holds the instrument is taken out of it, when that is certain', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3'), base('BBB', 'SELL', '1')]);
      await desk.pass(10_000);
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '0.5', fee: '0.25' });
      await desk.pass(120_000);
      const reduced = await desk.position(positionId);
      expect(reduced).to.include({ origin: 'MIXED', status: 'OPEN' });
      expect(reduced.legs.map(({ quantity }) => quantity)).to.deep.equal(['2.5', '1']);
      const [foreign] = (await desk.fills()).filter((fill) => fill.executionId === null);
      expect(foreign).to.include({ positionId, isProvisional: false, quantity: '0.5' });
      expect(desk.engine.differences.get(desk.account.id)).to.deep.equal([]);
      await expectSumsOfVenue('AAA-PERP', 'BBB-PERP');
    });

    it('that may have reduced one basket or another, or more than one holds, waits', async () => {
      const one = await desk.opened([base('AAA', 'BUY', '3')]);
      await desk.opened([base('BBB', 'BUY', '1')]);
      await desk.opened([base('BBB', 'BUY', '1'), base('CCC', 'SELL', '1')]);
      await desk.pass(10_000);
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '3.5' });
      desk.venue.trade({ symbol: 'BBB-PERP', side: 'SELL', quantity: '0.5' });
      await desk.pass(200_000);
      expect((await desk.position(one.positionId)).origin).to.equal('GATEWAY');
      expect(desk.engine.differences.get(desk.account.id)).to.have.length(2);
      const waiting = (await desk.fills()).filter((fill) => fill.executionId === null);
      expect(waiting.map((fill) => fill.positionId)).to.deep.equal([null, null]);
    });

    it('is taken out of its basket once, although the process dies right after', async () => {
      const { positionId } = await desk.opened([base('AAA', 'BUY', '3')]);
      await desk.pass(10_000);
      desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '1' });
      await desk.pass(10_000);
      desk.dieAfterCommit = (unit) => (unit.changedFills ?? []).length > 0;
      await desk.pass(60_000);
      expect(desk.isAlive).to.equal(false);
      await desk.start();
      await desk.pass(120_000);
      expect((await desk.position(positionId)).legs[0]?.quantity).to.equal('2');
      expect(desk.state.positions.get(positionId ?? '')?.origin).to.equal('MIXED');
      expect(desk.engine.differences.get(desk.account.id)).to.deep.equal([]);
    });

    it('is recorded once however often it is told', async () => {
      const fill = desk.venue.trade({ symbol: 'AAA-PERP', side: 'BUY', quantity: '0.5' });
      desk.venue.tell({ kind: 'fill', fill });
      desk.venue.tell({ kind: 'reconnected' });
      await desk.pass(120_000);
      expect(await desk.fills()).to.have.length(1);
    });
  });

  it('nothing is different after trading, funding and a liquidation', async () => {
    await desk.opened([base('AAA', 'BUY', '3'), base('BBB', 'SELL', '2')]);
    await desk.opened([base('AAA', 'SELL', '1'), base('CCC', 'BUY', '2')]);
    desk.venue.settleFunding('BBB-PERP', '0.0001');
    desk.venue.trade({ symbol: 'BBB-PERP', side: 'BUY', quantity: '2', isLiquidation: true });
    await desk.pass(60_001);
    expect(desk.engine.differences.get(desk.account.id)).to.deep.equal([]);
    expect(desk.logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });
});
