/** A paper account that was set back: what was traded before is history, and nobody's position. */
import { expect } from 'chai';
import { ClosingDesk } from '../support/closing-desk.ts';
import { until } from '../support/until.ts';

const LONG = { legs: [{ symbol: 'BTC-PERP', side: 'BUY' }] };

describe('trades past the gateway before a paper reset', () => {
  let desk: ClosingDesk;
  beforeEach(async () => {
    desk = await ClosingDesk.open();
  });
  afterEach(() => desk.end());

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
});
