/** The venue's own signer, compiled to WebAssembly, sends to the emulated venue, and is taken. */
import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import { needsSigner, startSigner, type WitnessSigner } from '../../../../support/venues/lighter/witness.ts';

describe('emulated Lighter, sent to by the venue’s own signer (lighter-ts-sdk)', () => {
  let on: Funded;
  let signer: WitnessSigner;

  needsSigner();
  before(async () => {
    on = await startFunded();
    signer = startSigner(on.clock.now());
    await signer.call('CreateClient', on.trader.key.privateKey, ACCOUNT, 4, 304);
  });
  after(async () => {
    await signer?.close();
    await on?.close();
  });

  const send = async (type: number, { txInfo }: { readonly txInfo: string }) =>
    (await on.trader.post('sendTx', { tx_type: `${type}`, tx_info: txInfo })).json.code;
  const state = () => on.venue.script.state(ACCOUNT);

  it('orders, cancels, sets leverage and asks with a token', async () => {
    const market = await signer.call('SignCreateOrder', 0, 11, 10_000, 404_000, 0, 1, 0, 0, 0, 0, 0);
    expect(await send(14, market)).to.equal(200);
    await until(on.clock, 'it is filled', () => state().positions[0]?.size === '1');
    const month = on.clock.now() + 28 * 86_400_000;
    expect(
      await send(14, await signer.call('SignCreateOrder', 0, 12, 10_000, 390_000, 0, 0, 1, 0, 0, month, 1)),
    ).to.equal(200);
    await until(on.clock, 'it rests', () => state().open[0]?.client === 12);
    expect(await send(15, await signer.call('SignCancelOrder', 0, 12, 2))).to.equal(200);
    await until(on.clock, 'it is cancelled', () => state().orders[1]?.status === 'canceled');
    expect(await send(20, await signer.call('SignUpdateLeverage', 0, 1_000, 0, 3))).to.equal(200);
    await until(on.clock, 'it is set', () => state().positions[0]?.fraction === 1_000);
    const deadline = Math.floor(on.clock.now() / 1000) + 3_600;
    const { authToken } = await signer.call('CreateAuthToken', deadline);
    const { orders } = await on.trader.get('accountOrders', {
      account_index: ACCOUNT,
      client_order_indexes: '11,12',
      auth: authToken,
    });
    expect(orders).to.have.length(2);
  });

  it('is refused with another key, for another account and for another network', async () => {
    const next = (await on.trader.get('nextNonce', { account_index: ACCOUNT, api_key_index: 4 })).nonce;
    const order = () => signer.call('SignCreateOrder', 0, 21, 10_000, 404_000, 0, 1, 0, 0, 0, 0, next);
    await signer.call('CreateClient', on.trader.key.privateKey.replace(/^../, '01'), ACCOUNT, 4, 304);
    expect(await send(14, await order())).to.equal(21120);
    await signer.call('CreateClient', on.trader.key.privateKey, ACCOUNT, 4, 300);
    expect(await send(14, await order())).to.equal(21120);
    await signer.call('CreateClient', on.trader.key.privateKey, 99, 4, 304);
    expect(await send(14, await order())).to.equal(21100);
  });
});
