/** Keys, integrators, tiers and the ways of money, with a wallet of viem. */
import { expect } from 'chai';
import { privateKeyToAccount } from 'viem/accounts';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { POOL_ACCOUNT } from '../../../../support/venues/lighter/state/actions.ts';
import { type Answer, makeKey, Trader } from '../../../../support/venues/lighter/trader.ts';
import { changePubKeyText, transferText } from '../../../../support/venues/lighter/wire/l1-messages.ts';
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
});
