/** A standard account has sixty requests a minute for everything: questions about orders find room among the others. */
import { expect } from 'chai';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';

const PER_MINUTE = 60;
const MINUTE_MS = 60_000;

describe('requests at Lighter, where few are left', () => {
  const desk = openForEachTest(() => VenueDesk.start({ perMinute: PER_MINUTE }));
  beforeEach(async () => {
    desk.script.setRequestsPerMinute(PER_MINUTE);
  });

  /** Plans of a trader ask for positions all the time. */
  async function untilScarce(): Promise<void> {
    const ends = desk.clock.uptime() + MINUTE_MS;
    while (desk.clock.uptime() < ends) await desk.venue.positions(desk.test.account);
    desk.script.clearTraffic();
  }

  it('questions about orders of many baskets share the request that waits for its turn', async () => {
    desk.script.streamFaults({ silent: ['account_all_orders', 'account_all_trades', 'account_tx'] });
    const baskets = [desk.basket(), desk.basket(), desk.basket()];
    for (const basket of baskets) await desk.place(...basket);
    const cursor = await desk.cursor();
    await untilScarce();
    const histories = Array.from({ length: 5 }, () => desk.venue.history(desk.test.account, cursor));
    const found: Promise<unknown>[] = [];
    for (const basket of baskets) {
      found.push(desk.lookUp(...basket));
      await desk.clock.advance(50);
    }
    await Promise.all(found);
    expect(desk.count('accountOrders')).to.equal(1);
    await Promise.all(histories);
  });

  it('an account is read every four seconds, however many plans ask', async () => {
    const cursor = await desk.cursor();
    const reads = async (read: () => Promise<unknown>, ms: number) => {
      const ends = desk.clock.uptime() + ms;
      while (desk.clock.uptime() < ends) await read();
    };
    const history = () => desk.venue.history(desk.test.account, cursor);
    const positions = () => desk.venue.positions(desk.test.account);
    await reads(history, MINUTE_MS);
    desk.script.clearTraffic();
    await Promise.all([reads(history, MINUTE_MS), reads(positions, MINUTE_MS)]);
    expect(desk.count('account')).to.be.within(5, 16);
    expect(desk.count('trades')).to.be.greaterThan(15);
  });
});
