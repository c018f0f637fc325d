import { expect } from 'chai';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import { basketOf, type EngineDesk, engineDesk, leg, PRINCIPAL } from '../../support/engine-desk.ts';
import { storeForEachTest, user } from '../../support/store-records.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];

describe('the first contact with a live account', () => {
  const store = storeForEachTest();
  let desk: EngineDesk;
  beforeEach(async () => {
    desk = await engineDesk(store, 'LIVE');
    await store.commit({ users: [user({ id: 'user' })], accounts: [desk.account] });
  });
  afterEach(() => desk.kill());

  const begin = async () => {
    await desk.start();
    const limits = { armed: true, perOrderUsd: '100000', totalUsd: '900000' };
    await desk.advanceUntil(desk.limits.change(desk.account, limits, {}));
  };
  const ask = () => desk.engine.openBasket(PRINCIPAL, desk.command(), basketOf(LEGS, {}));
  const outside = async () =>
    (await store.unassignedLots()).map(({ symbol, quantity }) => `${quantity} ${symbol}`);

  it('nothing is opened before, and a caller hears that it may ask again', async () => {
    desk.venue.answerHistory(false);
    await begin();
    const refused = await ask();
    expect(refused).to.deep.include({ ok: false });
    if (!refused.ok) {
      expect(refused.error).to.include({ code: 'CONFIGURATION_ERROR' });
      expect(refused.error.details).to.deep.equal({ reason: 'NOT_READY', retry: true });
      expect(refused.error.message).to.match(/^Not yet: /u);
    }
    expect(desk.venue.sent).to.have.length(0);
  });

  it('is tried again while the venue does not answer, and holds from then on', async () => {
    desk.venue.trade({ symbol: 'CCC-PERP', side: 'BUY', quantity: '2' });
    desk.venue.answerHistory(false);
    await begin();
    await desk.pass(5_000);
    desk.venue.answerHistory(true);
    await desk.pass(16_000);
    expect(await outside()).to.deep.equal(['2 CCC-PERP']);
    expect(await desk.opened(LEGS)).to.include({ status: 'COMPLETED' });
    // Once it was, silence of the history refuses nothing, over restarts too.
    desk.venue.answerHistory(false);
    await desk.start();
    expect((await ask()).ok).to.equal(true);
  });

  it('an order that never arrived, in a life without it, ends in the next', async () => {
    desk.venue.deniesFalsely();
    desk.venue.answerHistory(false);
    await begin();
    desk.venue.behave(() => ({ answer: 'silent', lost: true }));
    const asked = await ask();
    await desk.pass(400);
    await desk.start();
    desk.venue.answerHistory(true);
    await desk.pass(120_000);
    expect(await desk.unfinished()).to.deep.equal([]);
    expect(asked.ok).to.equal(false);
  });

  it('of an account that another program trades counts what it holds once', async () => {
    let left = 2;
    const { history } = desk.venue;
    desk.venue.history = async (account, cursor) => {
      const page = await history(account, cursor);
      // Between the two readings somebody buys, twice in a row.
      if (cursor === null || left === 0) return page;
      left -= 1;
      desk.venue.trade({ symbol: 'CCC-PERP', side: 'BUY', quantity: '1', told: 'history' });
      return history(account, cursor);
    };
    await begin();
    await desk.pass(60_000);
    const lots = await store.unassignedLots();
    expect(text(lots.reduce((sum, { quantity }) => sum.plus(dec(quantity)), dec('0')))).to.equal('2');
    expect(desk.venue.held('CCC-PERP')).to.equal('2');
    expect((await ask()).ok).to.equal(true);
  });
});
