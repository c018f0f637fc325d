/** Keys, integrators, tiers and the ways of money, with a wallet of viem. */
import { expect } from 'chai';
import { privateKeyToAccount } from 'viem/accounts';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { POOL_ACCOUNT } from '../../../../support/venues/lighter/state/actions.ts';
import { type Answer, makeKey, Trader } from '../../../../support/venues/lighter/trader.ts';
import {
  approveIntegratorText,
  changePubKeyText,
  transferText,
} from '../../../../support/venues/lighter/wire/l1-messages.ts';
import { CHAINS } from '../../../../support/venues/lighter/wire/tx.ts';

const SUB_ACCOUNT = 140_737_488_355_400;
const OTHER = 8;
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`);

describe('emulated Lighter: set-up', () => {
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

    it('is made by its own signature and the owner’s, and can trade', async () => {
      const L1Sig = await on.owner.signMessage({ message: text() });
      const trader = newcomer();
      const made = await trader.send('changePubKey', fields({ L1Sig }));
      expect(made.code).to.equal(200);
      await settled(made.tx_hash);
      const { api_keys } = await trader.get('apikeys', { account_index: ACCOUNT, api_key_index: 9 });
      expect(api_keys[0]).to.deep.include({ api_key_index: 9, public_key: key.publicKey, nonce: 1 });
      expect((await trader.order({ base: 1_000, price: 404_000 })).code).to.equal(200);
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

    it('takes the place of an old one, whose numbers go on', async () => {
      on.venue.script.addApiKey(ACCOUNT, 9, on.trader.key.publicKey);
      on.venue.script.setNonce(ACCOUNT, 9, 40);
      const L1Sig = await on.owner.signMessage({ message: text(40) });
      const made = await newcomer().send('changePubKey', fields({ L1Sig }), { nonce: 40 });
      await settled(made.tx_hash);
      expect(state().keys.at(-1)).to.deep.equal({ index: 9, publicKey: key.publicKey, nextNonce: 41 });
      expect((await newcomer().order({ base: 1_000, price: 404_000 }, { nonce: 41 })).code).to.equal(200);
      const old = new Trader(on.venue.url, {
        account: ACCOUNT,
        apiKey: 9,
        key: on.trader.key,
        clock: on.clock,
      });
      expect((await old.order({ base: 1_000, price: 404_000 }, { nonce: 42 })).code).to.equal(21120);
    });
  });

  describe('an integrator', () => {
    const approval = (taker: number, expiry = on.clock.now() + 86_400_000) => ({
      ...{ IntegratorAccountIndex: 723_813, MaxPerpsTakerFee: taker, MaxPerpsMakerFee: 0 },
      ...{ MaxSpotTakerFee: 0, MaxSpotMakerFee: 0, ApprovalExpiry: expiry },
    });
    const signedBy = async (wallet: typeof stranger, fields: ReturnType<typeof approval>) => {
      const rest = {
        AccountIndex: ACCOUNT,
        ApiKeyIndex: 4,
        Nonce: 0,
        ExpiredAt: 0,
        L1Sig: '',
        Sig: Buffer.alloc(80),
      };
      return wallet.signMessage({ message: approveIntegratorText({ ...fields, ...rest }, CHAINS.mainnet) });
    };

    it('may charge what the owner’s wallet has approved, for as long as it has', async () => {
      const order = { base: 1_000, price: 404_000 };
      expect((await on.trader.order(order, { attributes: { 1: 723_813, 2: 100 } })).code).to.equal(21149);
      const fields = approval(100);
      expect(
        (await on.trader.send('approveIntegrator', { ...fields, L1Sig: await signedBy(stranger, fields) }))
          .code,
      ).to.equal(21504);
      expect((await on.trader.send('approveIntegrator', { ...fields, L1Sig: '' })).code).to.equal(21504);
      const made = await on.trader.send('approveIntegrator', {
        ...fields,
        L1Sig: await signedBy(on.owner, fields),
      });
      await settled(made.tx_hash);
      const [account] = (await on.trader.get('account', { by: 'index', value: ACCOUNT })).accounts;
      expect(account.approved_integrators[0]).to.deep.include({
        account_index: 723_813,
        max_perps_taker_fee: 100,
      });
      expect((await on.trader.order(order, { attributes: { 1: 723_813, 2: 101 } })).code).to.equal(21149);
      on.venue.script.setBook('ETH', [], [['4000', '1']]);
      await on.trader.order(order, { attributes: { 1: 723_813, 2: 100 } });
      await until(on.clock, 'it is charged', () => state().collateral === '9999.96');
      expect(state().trades[0]).to.deep.include({
        integrator_taker_fee: 100,
        integrator_taker_fee_collector_index: 723_813,
      });
      on.venue.script.setClockOffset(2 * 86_400_000);
      const late = { expiredAt: on.clock.now() + 3 * 86_400_000, attributes: { 1: 723_813 } };
      expect((await on.trader.order(order, late)).code).to.equal(21149);
    });

    it('that charges nothing needs no wallet, and is dropped by an approval that ends at once', async () => {
      const made = await on.trader.send('approveIntegrator', { ...approval(0), L1Sig: '' });
      await settled(made.tx_hash);
      expect(state().integrators).to.deep.equal([723_813]);
      const dropped = await on.trader.send('approveIntegrator', { ...approval(0, 0), L1Sig: '' });
      await settled(dropped.tx_hash);
      expect(state().integrators).to.deep.equal([]);
    });
  });

  describe('a tier', () => {
    const change = async (tier: string) =>
      (
        await on.trader.post('changeAccountTier', {
          account_index: `${ACCOUNT}`,
          new_tier: tier,
          auth: on.trader.token(),
        })
      ).json;

    it('is changed once in 24 hours, and changes the fees', async () => {
      expect(await change('standard')).to.deep.include({ code: 20001 });
      expect(await change('gold')).to.deep.include({ code: 20001 });
      expect(await change('premium')).to.deep.equal({ code: 200 });
      expect(await on.trader.own('accountLimits')).to.deep.include({
        ...{ user_tier: 'premium', current_taker_fee_tick: 280, current_maker_fee_tick: 40 },
      });
      expect((await change('standard')).message).to.contain('24 hours');
      on.venue.script.setTier(ACCOUNT, 'premium', on.clock.now() - 25 * 3_600_000);
      expect(await change('standard')).to.deep.equal({ code: 200 });
    });

    it('is not changed while there are positions or orders', async () => {
      on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'buy', '1', '4000');
      expect((await change('premium')).message).to.contain('open positions');
      on.venue.script.tradeElsewhere(ACCOUNT, 'ETH', 'sell', '1', '4000');
      await on.trader.order({ base: 1_000, price: 390_000, timeInForce: 1 });
      await until(on.clock, 'it rests', () => state().open.length === 1);
      expect((await change('premium')).message).to.contain('open orders');
      expect(state().tier).to.equal('standard');
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

    it('comes and goes by deposit and withdrawal, and is listed', async () => {
      on.venue.script.deposit(ACCOUNT, '250.5');
      const made = await on.trader.send('withdraw', { AssetIndex: 3, RouteType: 0, Amount: 100_000_000 });
      await settled(made.tx_hash);
      expect(state()).to.deep.include({ collateral: '10150.5', deposits: '10250.5', withdrawals: '100' });
      const { deposits } = await on.trader.own('deposit/history', { l1_address: on.owner.address });
      expect(deposits.map((one: Answer) => one.amount)).to.deep.equal(['250.500000', '10000.000000']);
      const { withdraws } = await on.trader.own('withdraw/history');
      expect(withdraws[0]).to.deep.include({ amount: '100.000000', type: 'secure', status: 'completed' });
      expect((await on.trader.get('deposit/latest', { l1_address: on.owner.address })).amount).to.equal(
        '250.500000',
      );
      const more = await on.trader.send('withdraw', { AssetIndex: 3, RouteType: 0, Amount: 20_000_000_000 });
      expect(more.code).to.equal(200);
      await until(
        on.clock,
        'it is refused',
        async () => (await on.trader.get('tx', { by: 'hash', value: more.tx_hash })).status === 0,
      );
    });

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
      const { transfers } = await on.trader.own('transfer/history');
      expect(transfers.map((one: Answer) => [one.type, one.to_account_index, one.fee])).to.deep.equal([
        ['L2TransferOutflow', SUB_ACCOUNT, '0.000000'],
        ['L2TransferOutflow', OTHER, '3.000000'],
      ]);
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
      const { withdraws } = await on.trader.own('withdraw/history');
      expect(withdraws[0]).to.deep.include({ amount: '25.000000', type: 'fast' });
    });

    it('can be sent to an address that the venue makes for it', async () => {
      const { networks } = await on.trader.get('deposit/networks');
      const ask = async (chain: string) =>
        (
          await on.trader.post('createIntentAddress', {
            chain_id: chain,
            from_addr: on.owner.address,
            amount: '0',
          })
        ).json;
      const [first] = networks;
      const { intent_address } = await ask(first.chain_id);
      expect(intent_address).to.match(/^0x[0-9a-f]{40}$/);
      expect((await ask(first.chain_id)).intent_address).to.equal(intent_address);
      expect((await ask('Arbitrum')).code).to.equal(20001);
    });
  });

  it('lists an owner’s accounts, and says of an unknown one that there is none', async () => {
    const found = await on.trader.get('accountsByL1Address', { l1_address: on.owner.address });
    expect(found.sub_accounts.map(({ index }: Answer) => index)).to.deep.equal([ACCOUNT, SUB_ACCOUNT]);
    const none = `0x${'99'.repeat(20)}`;
    expect((await on.trader.get('accountsByL1Address', { l1_address: none })).code).to.equal(21100);
    expect((await on.trader.get('account', { by: 'l1_address', value: none })).code).to.equal(21100);
    expect((await on.trader.get('account', { by: 'colour', value: 'red' })).code).to.equal(20001);
    expect((await on.trader.get('account', { by: 'index', value: 7, colour: 'red' })).code).to.equal(20001);
  });
});
