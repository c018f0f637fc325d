/**
 * Take-profit and stop-loss as a careless trader relies on them: an open position that was given a stop has one at work
 * until it is closed, whatever the book does to the order, and whatever is done to the position meanwhile.
 */
import { expect } from 'chai';
import { closingDeskForEachTest } from '../support/closing-desk.ts';
import type { Json } from '../support/json.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const STOP = { type: 'PERCENTAGE', value: '5' };
const SOL = [usd('SOL', 'BUY', '10000')];

describe('a stop-loss that does not fill at once', () => {
  const desk = closingDeskForEachTest();
  let positionId: string;
  beforeEach(async () => {
    positionId = await desk.basket(SOL, { stopLoss: STOP, takeProfit: { type: 'PERCENTAGE', value: '50' } });
  });

  /** Applies `action` to the next orders at the venue, then drops the price through the stop. */
  const falls = async (
    action: Parameters<typeof desk.venue.setFaults>[0]['rules'][number]['action'],
    times: number,
  ) => {
    desk.venue.setFaults({ rules: [{ match: { times }, action }] });
    await desk.venue.shock('SOL-PERP', 0.9);
  };
  const protectedUntilClosed = () =>
    until(
      desk.gateway.clock,
      'it is closed',
      async () => {
        const position = await desk.position(positionId);
        if (position.status === 'CLOSED') return true;
        expect(position.stopLoss, 'the stop-loss of an open position').to.not.equal(null);
        return false;
      },
      60_000,
    );

  it('filled in part, round after round, it goes on until nothing is left', async () => {
    await falls({ kind: 'fill', fraction: '0.3' }, 8);
    await protectedUntilClosed();
    expect(await desk.venuePositions()).to.deep.equal({});
  });

  it('refused for a while, it goes on', async () => {
    // The waits double from 0.25 s: seven rounds take 32 s, eight would take 62 s.
    await falls({ kind: 'reject', reason: 'other', message: 'not now' }, 7);
    await protectedUntilClosed();
    expect(await desk.venuePositions()).to.deep.equal({});
  });

  it('a take-profit that fails leaves the stop-loss where it was', async () => {
    desk.venue.setFaults({
      rules: [{ match: { times: 6 }, action: { kind: 'reject', reason: 'other', message: 'not now' } }],
    });
    await desk.venue.shock('SOL-PERP', 1.8);
    await protectedUntilClosed();
  });

  it('its slippage is a field of it', async () => {
    const stopLoss = { ...STOP, slippage: '0.05' };
    const answer = await desk.bot.expect('PUT', `/positions/${positionId}/brackets`, { stopLoss });
    expect(answer.stopLoss.slippage).to.equal('0.05');
  });
});

describe('brackets of a position that changes', () => {
  const desk = closingDeskForEachTest();
  let positionId: string;
  beforeEach(async () => {
    positionId = await desk.basket(SOL, { stopLoss: { type: 'PERCENTAGE', value: '3' } });
  });

  const reversed = async (): Promise<Json> => {
    await desk.untilClosed(positionId);
    return until(desk.gateway.clock, 'the opposite is open', async () => (await desk.bot.positions())[0]);
  };

  it('reversed: relative ones go over, absolute ones are dropped, and the answer says so', async () => {
    const mark = (await desk.position(positionId)).legs[0].markPrice;
    const takeProfit = { type: 'PRICE', value: String(Math.round(Number(mark) * 2)) };
    await desk.bot.expect('PUT', `/positions/${positionId}/brackets`, { takeProfit });
    const answer = await desk.post(`/positions/${positionId}/reverse`, {});
    expect(answer, 'the answer').to.have.property('brackets');
    const position = await reversed();
    expect(position.stopLoss).to.include({ type: 'PERCENTAGE', value: '3', status: 'ACTIVE' });
    expect(position.takeProfit).to.equal(null);
  });

  it('reversed with `brackets: DROP`: none goes over', async () => {
    await desk.post(`/positions/${positionId}/reverse`, { brackets: 'DROP' });
    expect((await reversed()).stopLoss).to.equal(null);
  });

  it('added to with a stop of its own: the present one stays, and the answer says so', async () => {
    const body = {
      type: 'MARKET',
      legs: [usd('SOL', 'BUY', '1000')],
      stopLoss: { type: 'PERCENTAGE', value: '1' },
    };
    const answer = await desk.post('/trade/open', body);
    await desk.bot.ended(answer.execution.id);
    expect((await desk.position(positionId)).stopLoss.value).to.equal('3');
    expect(answer.brackets.kept).to.have.length(1);
  });

  it('added to with `brackets: REPLACE`: the new one counts', async () => {
    const stopLoss = { type: 'PERCENTAGE', value: '1' };
    const body = { type: 'MARKET', legs: [usd('SOL', 'BUY', '1000')], stopLoss, brackets: 'REPLACE' };
    const { execution } = await desk.post('/trade/open', body);
    await desk.bot.ended(execution.id);
    expect((await desk.position(positionId)).stopLoss.value).to.equal('1');
  });

  it('added to by a trigger with a stop of its own: the present one stays', async () => {
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '0.01', symbol: 'SOL-PERP' };
    const { id } = await desk.post(
      '/triggers/open',
      {
        legs: [usd('SOL', 'BUY', '1000')],
        condition,
        allowImmediate: true,
        stopLoss: { type: 'PERCENTAGE', value: '1' },
      },
      200,
    );
    await until(
      desk.gateway.clock,
      'it has fired',
      async () => (await desk.get(`/triggers/${id}`)).status === 'COMPLETED',
    );
    expect((await desk.position(positionId)).stopLoss.value).to.equal('3');
  });
});
