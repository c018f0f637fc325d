/** A paper account that was set back: what was traded before is history, and nobody's position. */
import { expect } from 'chai';
import { closingDeskForEachTest } from '../support/closing-desk.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { faultScript } from '../support/fault-script.ts';
import { until } from '../support/until.ts';

const LONG = { legs: [{ symbol: 'BTC-PERP', side: 'BUY' }] };

describe('trades past the gateway before a paper reset', () => {
  const desk = closingDeskForEachTest();

  it('cannot become a basket afterwards, and the venue stays flat', async () => {
    const order = { symbol: 'BTC-PERP', quantity: '0.1' };
    const bought = await desk.outside({ ...order, side: 'BUY' });
    await desk.outside({ ...order, side: 'SELL' });
    await until(desk.gateway.clock, 'both are known', async () => (await desk.fills()).length >= 2);
    await desk.post(`/trade-accounts/${desk.bot.accountId}/paper/reset`, undefined, 200);
    expect((await desk.get('/fills/provisionals-lite')).fills).to.deep.equal([]);
    const asked = await until(desk.gateway.clock, 'fills are old enough to be asked for', async () => {
      const answer = await desk.bot.call('POST', '/sync/positions', { ...LONG, cloids: [bought.cloid] });
      return answer.json.errorCode !== 'SYNC_CREATE_FILLS_TOO_RECENT' && answer;
    });
    expect(asked.status, asked.text).to.equal(409);
    expect(asked.json.errorCode).to.equal('NOOP_ERROR');
    expect(await desk.bot.positions()).to.deep.equal([]);
    expect(await desk.venuePositions()).to.deep.equal({});
  });

  /** Buys 0.42528 BTC outside Tandem and resets the account before the gateway hears of the fill. */
  async function boughtAndReset(between: () => void = () => {}): Promise<string> {
    desk.venue.setFaults(faultScript().at({}, { kind: 'disconnect_stream', forMs: 5_000 }).done());
    const bought = await desk.outside({ symbol: 'BTC-PERP', quantity: '0.42528', side: 'BUY' });
    expect(await desk.fills()).to.deep.equal([]);
    between();
    await desk.post(`/trade-accounts/${desk.bot.accountId}/paper/reset`, undefined, 200);
    await until(desk.gateway.clock, 'the fill is recorded', async () => (await desk.fills()).length > 0);
    await desk.gateway.clock.advance(20_000);
    return bought.cloid;
  }

  async function expectNoPosition(cloids?: readonly string[]): Promise<void> {
    const asked = await desk.bot.call('POST', '/sync/positions', { ...LONG, ...(cloids && { cloids }) });
    expect([asked.status, asked.json.errorCode], asked.text).to.deep.equal([409, 'NOOP_ERROR']);
    expect(await desk.bot.positions()).to.deep.equal([]);
  }

  it('void a fill that the gateway hears of only after the reset', async () => {
    const cloid = await boughtAndReset();
    expect(await desk.unassigned()).to.deep.equal([]);
    expect((await desk.get('/fills/provisionals-lite')).fills).to.deep.equal([]);
    await expectNoPosition();
    await expectNoPosition([cloid]);
    expect((await desk.post('/sync', undefined, 200)).differences).to.deep.equal([]);
    expect((await desk.fills())[0]).to.include({ positionId: null, quantity: '0.42528' });
    // The venue paid its starting balance, so the lost holding is neither a profit nor a loss.
    expect((await desk.get('/portfolio')).equity).to.equal('100000');
  });

  it('take a fill made after the reset, beside a void one', async () => {
    await boughtAndReset();
    await desk.outside({ symbol: 'BTC-PERP', quantity: '0.1', side: 'BUY' });
    await desk.gateway.clock.advance(20_000);
    const made = await desk.post('/sync/positions', LONG, 201);
    expect(made.legs[0].quantity).to.equal('0.1');
    expect(await desk.venuePositions()).to.deep.equal({ 'BTC-PERP': '0.1' });
  });

  it('refuse a position that the venue does not hold, whatever the fills say', async () => {
    const clock = desk.gateway.clock as FakeClock;
    // The wall clock is set back between order and reset, so the fill is dated after the reset.
    const cloid = await boughtAndReset(() => clock.jump(-1_000));
    const plan = await desk.bot.call('POST', '/sync/positions/plan', LONG);
    expect([plan.status, plan.json.errorCode], plan.text).to.deep.equal([409, 'NOOP_ERROR']);
    await expectNoPosition();
    await expectNoPosition([cloid]);
  });
});
