/** The venue's own signer, compiled to WebAssembly, sends to the emulated venue, and is taken. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { ACCOUNT, type Funded, startFunded } from '../../../../support/venues/lighter/funded.ts';
import type { Answer } from '../../../../support/venues/shared/socket-listener.ts';
import { needsWitness, witnessPath } from '../../../../support/venues/shared/witness.ts';

/**
 * The venue's own signer as npm lighter-ts-sdk carries it: it proves that the emulator checks the venue's signatures
 * rather than ours. The package lies in test/witness and nothing here installs it.
 */
const FOLDER = 'lighter-ts-sdk/wasm';

interface WitnessSigner {
  /** A function of the signer, by name. @throws for what it refuses */
  call(name: string, ...given: readonly unknown[]): Promise<Answer>;
  close(): Promise<unknown>;
}

/** Skips the suite where the witness is not installed. Call it in `describe`. */
const needsSigner = (): void => needsWitness(FOLDER, 'lighter-ts-sdk');

/** @param nowMs date of all that it signs, epoch ms */
function startSigner(nowMs: number): WitnessSigner {
  const worker = new Worker(new URL('../../../../support/venues/lighter/wasm-signer.mjs', import.meta.url), {
    workerData: { folder: witnessPath(FOLDER), nowMs },
  });
  return {
    call: async (name, ...given) => {
      worker.postMessage({ call: name, with: given });
      const [answer] = await once(worker, 'message');
      if (answer?.error) throw new Error(answer.error);
      return answer;
    },
    close: () => worker.terminate(),
  };
}

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
    await until(on.clock, 'it is set', () => state().positions[0]?.leverage === 10);
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
