import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { Listener } from '../../../../support/venues/lighter/trader.ts';

describe('emulated Lighter: streams', () => {
  let on: Funded;
  let listener: Listener;

  beforeEach(async () => {
    on = await startFunded();
    listener = await Listener.open(on.venue.wsUrl);
    await until(on.clock, 'it is greeted', () => listener.of('connected').length === 1);
  });
  afterEach(async () => {
    listener.close();
    await on.close();
  });

  it('lets the account’s orders be heard with a token of the account only', async () => {
    const refused = async (channel: string, auth?: string) => {
      const before = listener.messages.length;
      listener.send({ type: 'subscribe', channel, ...(auth === undefined ? {} : { auth }) });
      await until(on.clock, 'it is answered', () => listener.messages.length > before);
      return listener.messages[before].error?.code;
    };
    expect(await refused(`account_all_orders/${ACCOUNT}`)).to.equal(20001);
    expect(await refused(`account_all_orders/${ACCOUNT}`, 'nonsense')).to.equal(20013);
    expect(await refused(`account_tx/${ACCOUNT}`, on.trader.token(1))).to.equal(20013);
    expect(await refused('account_all_orders/99')).to.equal(21100);
    expect(await refused('order_book/200')).to.equal(21602);
    expect(await refused('weather/0')).to.equal(30005);
    await listener.subscribe('order_book/0');
    expect(await refused('order_book/0')).to.equal(30003);
    expect(await refused(`account_all_orders/${ACCOUNT}`, on.trader.token())).to.equal(undefined);
  });

  it('hears two hundred messages a minute, and asks whether its clients are there', async () => {
    await on.close();
    on = await startFunded({ idleMs: 200 });
    const talking = await Listener.open(on.venue.wsUrl);
    await until(on.clock, 'it asks', () => talking.of('ping').length > 0);
    for (let n = 0; n < 205; n += 1) talking.send({ type: 'pong' });
    await until(on.clock, 'it has enough', () => talking.messages.some(({ error }) => error?.code === 30009));
    talking.close();
  });
});
