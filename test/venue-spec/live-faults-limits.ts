/** Requests that a live venue refuses for their number, and how the adapter does with few of them. */
import { expect } from 'chai';
import type { Begin, Desk, LiveVenue } from './live-venue.ts';

const MINUTE_MS = 60_000;

/** @param keep has the desk closed after its test */
export function limitsSpec<D extends Desk>(
  venue: LiveVenue<D>,
  begin: Begin<D>,
  keep: (started: Promise<D>) => Promise<D>,
): void {
  const repeat = async (desk: D, ms: number, act: () => Promise<unknown>) => {
    const ends = desk.clock.uptime() + ms;
    while (desk.clock.uptime() < ends) await act();
  };

  it('too many requests: the order is not sent, nor another that opens; what closes goes a second later', async () => {
    const desk = await begin();
    desk.buyElsewhere('BTC', '0.001', '100000');
    desk.script.fault({ on: venue.orderRequest, do: 'status', code: 429 });
    const order = desk.order();
    const outcome = await desk.placeOne(order);
    expect(outcome).to.include({ kind: 'not_sent' });
    const waits = outcome.kind === 'not_sent' ? outcome.retryAt - desk.clock.now() : 0;
    expect(waits).to.be.within(...venue.retriesWithin);
    // The allowance that comes back until then is for closing orders.
    expect(desk.venue.status()).to.include({ status: 'UP', trading: 'CLOSE_ONLY' });
    expect(desk.venue.status().until).to.be.greaterThan(desk.clock.now() + 500);
    desk.script.clearTraffic();
    expect(await desk.placeOne(order)).to.include({ kind: 'not_sent' });
    expect(desk.count(venue.orderTraffic)).to.equal(0);
    expect(await desk.trade(desk.closing())).to.include({ kind: 'done', state: 'filled' });
    expect([desk.count(venue.orderTraffic), desk.held()]).to.deep.equal([1, '0']);
  });

  it('questions that are too many are throttled, with the time to ask again', async () => {
    const desk = await begin();
    desk.script.fault({ on: venue.stateRequest, do: 'status', code: 429 });
    const told = await desk.venue.positions(desk.test.account);
    expect(told.ok ? null : told.error.kind).to.equal('throttled');
  });

  it(`where requests are scarce, payments of an hour are asked for once a minute, and trades as before${venue.long}`, async () => {
    const desk = await keep(venue.startScarce());
    const cursor = await desk.cursor();
    await desk.trade();
    await repeat(desk, MINUTE_MS, () => desk.venue.positions(desk.test.account));
    desk.script.clearTraffic();
    desk.script.settleFunding();
    let paid = 0;
    await repeat(desk, 3 * MINUTE_MS, async () => {
      const told = await desk.venue.history(desk.test.account, cursor);
      paid += told.ok ? told.value.funding.length : 0;
    });
    const { fillsRequest, paymentsRequest, leastReadings } = venue.scarce;
    expect(desk.count(paymentsRequest)).to.be.within(1, 4);
    expect(desk.count(fillsRequest)).to.be.greaterThan(leastReadings);
    expect(paid).to.be.greaterThan(0);
  });

  it(`where few orders are left, a close goes before the openings that wait${venue.long}`, async () => {
    const desk = await keep(venue.startWithFewOrders());
    await desk.trade();
    let waiting = venue.openings;
    const opens = Array.from({ length: venue.openings }, () =>
      desk.place(desk.order({ quantity: '0.0003' })),
    );
    for (const open of opens)
      void open.finally(() => {
        waiting -= 1;
      });
    const close = desk.closing();
    expect((await desk.placeOne(close)).kind).to.be.oneOf(['accepted', 'done']);
    expect(waiting).to.be.greaterThan(0);
    const outcomes = (await Promise.all(opens)).flat();
    expect(outcomes.filter(({ kind }) => kind === 'not_sent').length).to.be.greaterThan(10);
    expect(outcomes.filter(({ kind }) => kind === 'rejected')).to.deep.equal([]);
    expect(await desk.ended(close)).to.include({ state: 'filled' });
  });
}
