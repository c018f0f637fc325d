/** `onLegFailure: RETRY`: what is tried again, when, how often, and inside which price. */

import { expect } from 'chai';
import { dec, sum, text } from '../../../gateway/domain/decimal.ts';
import type { PlaceOrder } from '../../../gateway/engine/ports/venue.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';
import type { Behaviour } from '../../support/scripted-venue.ts';

const RETRY = { onLegFailure: 'RETRY' } as const;

describe('retrying a leg', () => {
  const desk = engineDeskForEachTest();

  const sentOf = (symbol: string): PlaceOrder[] =>
    desk.venue.sent.filter((order) => order.symbol === `${symbol}-PERP`);
  /** The nth attempt of an instrument's order, from 1. */
  const attempts = (symbol: string, decide: (attempt: number) => Behaviour) =>
    desk.venue.behave((order) =>
      order.symbol === `${symbol}-PERP` ? decide(sentOf(symbol).length) : { fraction: '1' },
    );

  it('asks for what is left, after 250, 500 and 1,000 ms, three times at most, then keeps what filled', async () => {
    const arrivals: number[] = [];
    desk.venue.onArrival(() => void arrivals.push(desk.clock.now()));
    attempts('AAA', () => ({ fraction: '0.5' }));
    const execution = await desk.opened([leg('AAA', 'BUY', '8000')], RETRY);
    expect(sentOf('AAA').map((order) => order.quantity)).to.deep.equal(['80', '40', '20', '10']);
    expect(arrivals.map((at, index) => at - (arrivals[index - 1] ?? at))).to.deep.equal([0, 250, 500, 1_000]);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'SLIPPAGE_EXCEEDED' });
    expect(execution.orders[0]).to.include({ status: 'CANCELLED', filledQuantity: '75', attempt: 4 });
    expect((await desk.position(execution.positionId)).legs[0]?.quantity).to.equal('75');
    expect(new Set(desk.venue.sent.map((order) => order.clientOrderId)).size).to.equal(4);
  });

  for (const [side, marks, limits] of [
    ['BUY', ['102', '105', '99'], ['101', '101', '101', '99.9']],
    ['BUY', ['98', '103', '90'], ['101', '98.9', '98.9', '90.9']],
    ['SELL', ['98', '95', '101'], ['99', '99', '99', '100']],
    ['SELL', ['102', '97', '110'], ['99', '101', '101', '108.9']],
  ] as const) {
    it(`${side} at 100 ± 1 %: with the mark at ${marks.join(', ')} the limits are ${limits.join(', ')}`, async () => {
      attempts('AAA', (attempt) => {
        const mark = marks[attempt - 1];
        if (mark !== undefined) desk.venue.setMark('AAA-PERP', mark);
        return { fraction: '0.5' };
      });
      await desk.opened([leg('AAA', side, '8000')], RETRY);
      expect(sentOf('AAA').map((order) => order.limitPrice)).to.deep.equal(limits);
      const bound = side === 'BUY' ? '101' : '99';
      for (const order of sentOf('AAA')) {
        const worse = dec(order.limitPrice)
          .minus(bound)
          .mul(side === 'BUY' ? 1 : -1);
        expect(worse.lte(0), order.limitPrice).to.equal(true);
      }
    });
  }

  it('a fresh limit that would not reach the book leaves the old one in place', async () => {
    attempts('AAA', () => {
      desk.venue.setMark('AAA-PERP', '98');
      desk.venue.setSpread('AAA-PERP', '97', '99.5');
      return { fraction: '0.5' };
    });
    await desk.opened([leg('AAA', 'BUY', '8000')], RETRY);
    expect(sentOf('AAA').map((order) => order.limitPrice)).to.deep.equal(['101', '101', '101', '101']);
  });

  it('a leg that the venue refused is not tried again, and keeps its reason while another leg is', async () => {
    desk.venue.behave((order) => {
      if (order.symbol === 'BBB-PERP')
        return { rejects: { reason: 'other', message: 'the market is in auction' } };
      return { fraction: sentOf('AAA').length === 1 ? '0.5' : '1' };
    });
    const execution = await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')], RETRY);
    expect(sentOf('AAA')).to.have.length(2);
    expect(sentOf('BBB')).to.have.length(1);
    expect(desk.venue.asked, 'the venue has answered; nothing is to be asked').to.deep.equal([]);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'VENUE_REJECTED' });
    expect(execution.orders[0]).to.include({ status: 'FILLED', attempt: 2 });
    expect(execution.orders[1]).to.include({ status: 'REJECTED', errorCode: 'VENUE_REJECTED', attempt: 1 });
    expect(execution.orders[1]?.error).to.include('the market is in auction');
  });

  it('a remainder below the venue’s minimum is not tried again', async () => {
    attempts('AAA', () => ({ fraction: '0.95' }));
    const execution = await desk.opened([leg('AAA', 'BUY', '100')], RETRY);
    expect(sentOf('AAA')).to.have.length(1);
    expect(execution.orders[0]).to.include({ status: 'CANCELLED', filledQuantity: '0.95' });
  });

  it('closing tries a remainder of any size again: the venue waives its minimum for reduce-only orders', async () => {
    const { positionId } = await desk.opened([leg('AAA', 'BUY', '100')]);
    const opened = sentOf('AAA').length;
    attempts('AAA', (attempt) => ({ fraction: attempt === opened + 1 ? '0.95' : '1' }));
    const execution = await desk.ended(await desk.close(positionId ?? ''));
    expect(execution.status).to.equal('COMPLETED');
    expect(sentOf('AAA').slice(opened)).to.have.length(2);
    expect(sentOf('AAA').at(-1)).to.include({ quantity: '0.05', reduceOnly: true });
    expect((await desk.position(positionId)).status).to.equal('CLOSED');
  });

  describe('closing about the minimum, while nobody knows of another order of the instrument', () => {
    // 10 USD at the mark, the minimum; 9.90 inside the slippage bound.
    const opened = async () => (await desk.opened([leg('AAA', 'BUY', '10')])).positionId ?? '';
    const other = async (behaviour: Behaviour) => {
      desk.venue.behave(({ side, reduceOnly }) => (side === 'SELL' && !reduceOnly ? behaviour : {}));
      return desk.open([leg('AAA', 'SELL', '33')]);
    };
    const dust = () => desk.state.unassigned.of(desk.account.id, 'AAA-PERP');
    beforeEach(() => desk.venue.keepRules());

    it('sends it reduce-only, so that nothing is left at the venue when that order never arrived', async () => {
      const positionId = await opened();
      const unknown = await other({ lost: true });
      const closed = await desk.ended(await desk.close(positionId));
      expect(closed).to.include({ status: 'COMPLETED' });
      expect(sentOf('AAA').at(-1)).to.include({ quantity: '0.1', reduceOnly: true });
      expect(desk.venue.held('AAA-PERP')).to.equal('0');
      expect(dust()).to.deep.equal([]);
      expect(await desk.ended(unknown)).to.include({ status: 'FAILED' });
    });

    it('opens nothing when that order had executed: what the venue refuses is left over as dust', async () => {
      const positionId = await opened();
      const unknown = await other({ answer: 'silent', streamed: 0, lookups: ['no_answer', 'no_answer'] });
      const closed = await desk.ended(await desk.close(positionId));
      expect(closed).to.include({ status: 'COMPLETED' });
      expect(await desk.ended(unknown)).to.include({ status: 'COMPLETED' });
      expect(desk.venue.held('AAA-PERP')).to.equal('-0.23');
      expect(dust().map(({ quantity, source }) => [source, quantity])).to.deep.equal([['DUST', '0.1']]);
    });
  });

  it('an attempt without an answer is asked about and not counted as missed liquidity', async () => {
    attempts('AAA', (attempt) => (attempt === 1 ? { fraction: '0.5' } : { answer: 'silent' }));
    const execution = await desk.opened([leg('AAA', 'BUY', '1000')], RETRY);
    expect(execution.status).to.equal('COMPLETED');
    expect(sentOf('AAA')).to.have.length(2);
    expect(text(sum((await desk.fills()).map((fill) => dec(fill.quantity))))).to.equal('10');
  });

  it('KEEP tries nothing again', async () => {
    attempts('AAA', () => ({ fraction: '0.5' }));
    await desk.opened([leg('AAA', 'BUY', '1000')]);
    expect(sentOf('AAA')).to.have.length(1);
  });
});
