/** An account of Lighter that is opened again, as all are whenever the venue is back. */
import { expect } from 'chai';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { makeKey } from '../../../../support/venues/lighter/trader.ts';
import { VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';

const ELSEWHERE_KEY = 9;

describe('an account of Lighter that is opened again', () => {
  const desk = openForEachTest(() => VenueDesk.start());

  const openWith = async (change: object = {}) => {
    const { account, access } = desk.test;
    const opened = await desk.venue.openAccount(account, {
      ...access,
      credentials: { ...access.credentials, ...change },
    });
    expect(opened.ok).to.equal(true);
  };

  it('goes on: nothing is asked, nothing subscribed, and an order on its way is heard of once', async () => {
    desk.script.setExecutionDelay(300);
    const order = desk.order();
    const placed = await desk.placeOne(order);
    expect(placed.kind).to.equal('accepted');
    desk.script.clearTraffic();
    await openWith();
    // Later the account is read as often as always.
    expect(desk.count('nextNonce') + desk.count('account')).to.equal(0);
    const ended = await desk.ended(order);
    expect(ended).to.deep.include({ kind: 'done', state: 'filled', filledQuantity: '0.001' });
    await desk.clock.advance(100);
    expect(desk.fills.map(({ clientOrderId }) => clientOrderId)).to.deep.equal([order.clientOrderId]);
    expect(desk.sent().filter((text) => /subscribe.*account_/.test(text))).to.deep.equal([]);
    expect(desk.count('nextNonce')).to.equal(0);
  });

  it('begins anew with another key, which signs from then on', async () => {
    const { privateKey, publicKey } = makeKey('another');
    desk.script.addApiKey(desk.index, ELSEWHERE_KEY, publicKey);
    await openWith({ apiKeyIndex: ELSEWHERE_KEY, apiPrivateKey: privateKey });
    await desk.untilSubscribed(2);
    desk.script.revokeApiKey(desk.index, 5);
    expect(await desk.trade()).to.deep.include({ kind: 'done', state: 'filled' });
  });

  it('begins anew where the venue has refused its key, and trades again once the venue takes it', async () => {
    desk.script.revokeApiKey(desk.index, 5);
    expect((await desk.placeOne()).kind).not.to.be.oneOf(['accepted', 'done']);
    expect(desk.venue.accountStatus?.(desk.test.account)?.status).to.equal('DEGRADED');
    desk.script.addApiKey(desk.index, 5, desk.test.key.publicKey);
    await openWith();
    await desk.untilSubscribed(2);
    expect(await desk.trade()).to.deep.include({ kind: 'done', state: 'filled' });
  });
});
