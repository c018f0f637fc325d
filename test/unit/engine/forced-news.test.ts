/** Notifications of positions that the venue closes by itself: one for each event, however many fills it comes in. */

import { expect } from 'chai';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

describe('a liquidation is told', () => {
  const desk = engineDeskForEachTest();

  const base = (symbol: string, side: 'BUY' | 'SELL', amount: string) => leg(symbol, side, amount, 'BASE');
  const notifications = async () => (await notificationsOf(desk)).toReversed();

  it('once although its fills are apart, and again where it is another one', async () => {
    await desk.opened([base('AAA', 'BUY', '5')]);
    const told = async () => (await notifications()).length;
    const liquidated = { symbol: 'AAA-PERP', side: 'SELL', quantity: '1', isLiquidation: true } as const;
    const venueOrderId = 'liquidation-1';
    desk.venue.trade({ ...liquidated, venueOrderId });
    await desk.pass(3);
    desk.venue.trade({ ...liquidated, venueOrderId });
    await desk.pass(40_000);
    desk.venue.trade({ ...liquidated, venueOrderId });
    await desk.quiet();
    expect(await told()).to.equal(1);
    await desk.pass(40_000);
    desk.venue.trade({ ...liquidated, venueOrderId: 'liquidation-2' });
    await desk.quiet();
    expect(await told()).to.equal(2);
  });

  it('apart from a deleveraging in the same millisecond ', async () => {
    await desk.opened([base('AAA', 'BUY', '3'), base('BBB', 'SELL', '3')]);
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '1', isLiquidation: true });
    desk.venue.trade({ symbol: 'BBB-PERP', side: 'BUY', quantity: '1', forced: 'ADL' });
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '1', isLiquidation: true });
    await desk.quiet();
    expect((await notifications()).map(({ category }) => category)).to.have.members([
      ...['POSITION_LIQUIDATED', 'EXTERNAL_CLOSE'],
    ]);
  });
});
