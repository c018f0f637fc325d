import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { type Answer, makeKey, Trader } from '../../../../support/venues/lighter/trader.ts';

const HOUR_S = 3600;

const nowS = ({ clock }: Funded) => Math.floor(clock.now() / 1000);

describe('emulated Lighter: keys, numbers and tokens', () => {
  let on: Funded;

  beforeEach(async () => {
    on = await startFunded();
  });
  afterEach(() => on.close());

  const nonce = async () =>
    (await on.trader.get('nextNonce', { account_index: ACCOUNT, api_key_index: 4 })).nonce;
  const buy = { base: 1_000, price: 404_000 };

  it('refuses a signature of another key, for another network, and an account or key that there is not', async () => {
    const stranger = makeKey('stranger');
    const fields = on.trader.orderFields(buy);
    const send = (tx_info: string) => on.trader.post('sendTx', { tx_type: '14', tx_info });
    const forged = await send(on.trader.signed('createOrder', fields, { nonce: 0 }, stranger));
    expect([forged.status, forged.json.code]).to.deep.equal([400, 21120]);
    const { key } = on.trader;
    const elsewhere = new Trader(on.venue.url, {
      account: ACCOUNT,
      key,
      network: 'testnet',
      clock: on.clock,
    });
    expect((await elsewhere.order(buy)).code).to.equal(21120);
    expect((await new Trader(on.venue.url, { account: 99, key, clock: on.clock }).order(buy)).code).to.equal(
      21100,
    );
    expect(
      (await new Trader(on.venue.url, { account: ACCOUNT, apiKey: 5, key, clock: on.clock }).order(buy)).code,
    ).to.equal(21109);
    on.venue.script.revokeApiKey(ACCOUNT, 4);
    expect((await on.trader.order(buy)).code).to.equal(21109);
    expect(await nonce()).to.equal(0);
  });

  it('refuses what was changed after it was signed, has fields too many or too few, and types that it has not', async () => {
    const signed = JSON.parse(on.trader.signed('createOrder', on.trader.orderFields(buy), { nonce: 0 }));
    const send = async (tx: object, type = '14') =>
      (await on.trader.post('sendTx', { tx_type: type, tx_info: JSON.stringify(tx) })).json.code;
    expect(await send({ ...signed, Price: signed.Price + 1 })).to.equal(21120);
    expect(await send({ ...signed, Colour: 'red' })).to.equal(21501);
    const { Price: _, ...rest } = signed;
    expect(await send(rest)).to.equal(21501);
    expect(await send({ ...signed, BaseAmount: '1000' })).to.equal(21501);
    expect(await send(signed, '99')).to.equal(21505);
    expect(await send(signed)).to.equal(200);
  });

  it('answers questions about orders to bearers of a token of the account only', async () => {
    const ask = async (auth?: string) => {
      const given = auth === undefined ? {} : { auth };
      return on.trader.get('accountActiveOrders', { account_index: ACCOUNT, ...given });
    };
    const tokens: readonly (readonly [string | undefined, number])[] = [
      [undefined, 20001],
      ['nonsense', 20013],
      [on.trader.token(nowS(on) - 1), 20013],
      [on.trader.token(nowS(on) + 9 * HOUR_S), 20013],
      [new Trader('', { account: ACCOUNT, key: makeKey('stranger'), clock: on.clock }).token(), 20013],
      [new Trader('', { account: 8, key: on.trader.key, clock: on.clock }).token(), 20013],
      [on.trader.token(nowS(on) + 8 * HOUR_S - 5), 200],
    ];
    for (const [token, code] of tokens) expect((await ask(token)).code, `${token}`).to.equal(code);
    const headers = { authorization: on.trader.token() };
    const url = `${on.venue.url}/api/v1/accountActiveOrders?account_index=${ACCOUNT}`;
    expect((await fetch(url, { headers })).status).to.equal(200);
    on.venue.script.revokeApiKey(ACCOUNT, 4);
    expect((await ask(on.trader.token())).code).to.equal(20013);
  });

  it('finds orders by at most twenty of the client’s indexes, and refuses what is none', async () => {
    await on.trader.order({ ...buy, client: 5 });
    await until(on.clock, 'it is known', () => on.trader.lookUp(5));
    const ask = async (indexes: string) => on.trader.own('accountOrders', { client_order_indexes: indexes });
    expect((await ask('5,6')).orders.map((one: Answer) => one.client_order_index)).to.deep.equal([5]);
    expect((await ask(Array.from({ length: 21 }, (_, at) => at + 1).join())).code).to.equal(20001);
    expect((await ask('0')).code).to.equal(20001);
    expect((await ask('five')).code).to.equal(20001);
  });
});
