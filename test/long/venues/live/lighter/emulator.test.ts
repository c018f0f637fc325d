/** The rules and limits of the emulated venue that no adapter of ours runs into by itself, with a wallet of viem. */
import { expect } from 'chai';
import { privateKeyToAccount } from 'viem/accounts';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { POOL_ACCOUNT } from '../../../../support/venues/lighter/state/actions.ts';
import { Listener, makeKey, Trader } from '../../../../support/venues/lighter/trader.ts';
import { changePubKeyText, transferText } from '../../../../support/venues/lighter/wire/l1-messages.ts';
import { CHAINS } from '../../../../support/venues/lighter/wire/tx.ts';
import type { Answer } from '../../../../support/venues/shared/socket-listener.ts';

const HOUR_S = 3600;
const SUB_ACCOUNT = 140_737_488_355_400;
const OTHER = 8;
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`);

const nowS = ({ clock }: Funded) => Math.floor(clock.now() / 1000);

describe('emulated Lighter', () => {
  let on: Funded;

  beforeEach(async () => {
    const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`).address;
    on = await startFunded({
      accounts: [
        { index: OTHER, l1Address: stranger.address, collateral: '5' },
        { index: SUB_ACCOUNT, l1Address: owner, collateral: '0', master: ACCOUNT },
      ],
    });
  });
  afterEach(() => on.close());

  const state = () => on.venue.script.state(ACCOUNT);
  const ended = (client: number) =>
    until(
      on.clock,
      `order ${client} is known`,
      async () => (await on.trader.lookUp(client)) as Answer | undefined,
    );

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

  it('closes a position that is smaller than the smallest order, and opens none', async () => {
    on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '0.001', '4000');
    expect((await on.trader.order({ base: 10, price: 396_000, isAsk: true })).code).to.equal(21706);
    const close = { base: 10, price: 396_000, isAsk: true, reduceOnly: true, client: 9 };
    expect((await on.trader.order(close)).code).to.equal(200);
    expect((await ended(9)).status).to.equal('filled');
  });

  it('takes a batch as a whole or not at all, by consecutive numbers', async () => {
    const legs = [1, 2, 3].map((client) =>
      on.trader.signed('createOrder', on.trader.orderFields({ base: 1_000, price: 404_000, client })),
    );
    const batch = (infos: readonly string[]) =>
      on.trader.post('sendTxBatch', {
        tx_types: JSON.stringify(infos.map(() => 14)),
        tx_infos: JSON.stringify(infos),
      });
    const [first = '', second = '', third = ''] = legs;
    const torn = await batch([first, third]);
    expect([torn.status, torn.json.code]).to.deep.equal([400, 21105]);
    const wrong = await batch([second, third]);
    expect(wrong.json.code).to.equal(21104);
    const taken = await batch(legs);
    expect(taken.json.tx_hash).to.have.length(3);
    await ended(3);
    expect(state().orders.map(({ status }) => status)).to.deep.equal(['filled', 'filled', 'filled']);
  });

  const settled = async (hash: string) => {
    await until(on.clock, 'it is executed', async () => {
      const found = await on.trader.get('tx', { by: 'hash', value: hash });
      return found.status === 2;
    });
  };

  describe('a new key', () => {
    const key = makeKey('new');
    const newcomer = () => new Trader(on.venue.url, { account: ACCOUNT, apiKey: 9, key, clock: on.clock });
    const fields = (change: object = {}) => ({
      PubKey: Buffer.from(key.publicKey, 'hex').toString('base64'),
      ...change,
    });
    const text = (nonce = 0, account = ACCOUNT) =>
      changePubKeyText({
        ...{ PubKey: Buffer.from(key.publicKey, 'hex'), Nonce: nonce, AccountIndex: account, ApiKeyIndex: 9 },
        ...{ L1Sig: '', ExpiredAt: 0, Sig: Buffer.alloc(80) },
      });

    it('is refused with a signature of another wallet, of another message or none, and of another key', async () => {
      const trader = newcomer();
      const signatures = [
        await stranger.signMessage({ message: text() }),
        await on.owner.signMessage({ message: text(1) }),
        await on.owner.signMessage({ message: text(0, OTHER) }),
        ...['', `0x${'00'.repeat(65)}`],
      ];
      for (const L1Sig of signatures) {
        expect((await trader.send('changePubKey', fields({ L1Sig }))).code).to.equal(21504);
      }
      const L1Sig = await on.owner.signMessage({ message: text() });
      const tx_info = trader.signed('changePubKey', fields({ L1Sig }), {}, on.trader.key);
      expect((await trader.post('sendTx', { tx_type: '8', tx_info })).json.code).to.equal(21120);
      expect(state().keys.map(({ index }) => index)).to.deep.equal([4]);
    });
  });

  describe('money', () => {
    const transfer = (change: object = {}) => ({
      ...{ ToAccountIndex: OTHER, AssetIndex: 3, FromRouteType: 0, ToRouteType: 0, Amount: 25_000_000 },
      ...{ USDCFee: 3_000_000, Memo: new Array(32).fill(0), L1Sig: '', ...change },
    });
    const withWallet = async (wallet: typeof stranger, fields: Answer, nonce = 0) => {
      const rest = {
        FromAccountIndex: ACCOUNT,
        ApiKeyIndex: 4,
        Nonce: nonce,
        ExpiredAt: 0,
        Sig: Buffer.alloc(80),
      };
      const message = transferText({ ...fields, ...rest }, CHAINS.mainnet);
      return { ...fields, L1Sig: await wallet.signMessage({ message }) };
    };
    const memo = (address: string) => [...Buffer.from(address.slice(2).padEnd(64, '0'), 'hex')];

    it('goes to others with the owner’s wallet only, and between the owner’s accounts without', async () => {
      expect((await on.trader.send('transfer', transfer())).code).to.equal(21504);
      expect((await on.trader.send('transfer', await withWallet(stranger, transfer()))).code).to.equal(21504);
      // One digit of what was signed is another.
      const signed = await withWallet(on.owner, transfer());
      expect((await on.trader.send('transfer', { ...signed, Amount: 26_000_000 })).code).to.equal(21504);
      const made = await on.trader.send('transfer', signed);
      await settled(made.tx_hash);
      expect(on.venue.script.state(OTHER).collateral).to.equal('30');
      expect(state().collateral).to.equal('9972');
      const own = await on.trader.send('transfer', transfer({ ToAccountIndex: SUB_ACCOUNT, USDCFee: 0 }));
      await settled(own.tx_hash);
      expect(on.venue.script.state(SUB_ACCOUNT).collateral).to.equal('25');
      const fee = async (to: number) =>
        (await on.trader.own('transferFeeInfo', { to_account_index: to })).transfer_fee_usdc;
      expect([await fee(OTHER), await fee(SUB_ACCOUNT)]).to.deep.equal([3_000_000, 0]);
    });

    it('is withdrawn fast to the address that the wallet has signed, and to no other', async () => {
      const info = await on.trader.own('fastwithdraw/info');
      expect(info).to.deep.include({ to_account_index: POOL_ACCOUNT, max_withdrawal_amount: '10000.000000' });
      const to = stranger.address;
      const fields = await withWallet(on.owner, transfer({ ToAccountIndex: POOL_ACCOUNT, Memo: memo(to) }));
      const send = (tx_info: string, to_address: string, auth = on.trader.token()) =>
        on.trader.post('fastwithdraw', { tx_info, to_address, auth });
      const tx_info = on.trader.signed('transfer', fields, { nonce: 0 });
      expect((await send(tx_info, on.owner.address)).json.code).to.equal(20001);
      expect((await send(tx_info, to, '')).json.code).to.equal(20001);
      const changed = on.trader.signed('transfer', { ...fields, Memo: memo(on.owner.address) }, { nonce: 0 });
      expect((await send(changed, on.owner.address)).json.code).to.equal(21504);
      const elsewhere = on.trader.signed('transfer', await withWallet(on.owner, transfer()), { nonce: 0 });
      expect((await send(elsewhere, to)).json.code).to.equal(20001);
      expect(state().collateral).to.equal('10000');
      expect((await send(tx_info, to)).json).to.deep.equal({ code: 200 });
      await until(on.clock, 'it is gone', () => state().collateral === '9972');
      // The same once more has a number that is used.
      expect((await send(tx_info, to)).json.code).to.equal(21104);
      expect(state().withdrawals).to.equal('25');
    });
  });

  describe('streams', () => {
    let listener: Listener;

    beforeEach(async () => {
      listener = await Listener.open(on.venue.wsUrl);
      await until(on.clock, 'it is greeted', () => listener.of('connected').length === 1);
    });
    afterEach(() => listener.close());

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
      await until(on.clock, 'it has enough', () =>
        talking.messages.some(({ error }) => error?.code === 30009),
      );
      talking.close();
    });
  });
});
