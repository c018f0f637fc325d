/** Account set-up at Lighter in its corners: deposit addresses by family, signatures as wallets write them, the integrator's setting. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Venue } from '../../../../../gateway/engine/ports/venue.ts';
import type { ExchangeSetup } from '../../../../../gateway/engine/ports/venue-setup.ts';
import {
  integratorOf,
  integratorText,
} from '../../../../../gateway/venues/live/lighter/setup/integrator-setting.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { unwrap } from '../../../../support/unwrap.ts';
import { adapterAt } from '../../../../support/venues/lighter/adapter.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/lighter/emulator.ts';
import { inTime } from '../../../../support/venues/shared/in-time.ts';
import { memoryHost } from '../../../../support/venues/shared/memory-host.ts';

const ACCOUNT = 21;
const WALLET = privateKeyToAccount(generatePrivateKey());

describe('Lighter: setting up an account', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let venue: Venue;
  let setup: ExchangeSetup;

  before(async () => {
    emulator = await startEmulator({ clock, pulseMs: 200 });
    emulator.script.addAccount({ index: ACCOUNT, l1Address: WALLET.address, collateral: '100' });
    venue = adapterAt(emulator.url, { host: memoryHost(clock) });
    await venue.start();
    const found = await venue.setup?.();
    if (found === undefined) throw new Error('no set-up');
    setup = inTime(clock, found);
  });
  after(async () => {
    await venue.stop();
    await emulator.close();
  });

  const evm = (digit: string) => `0x${digit.repeat(40)}`;

  /** Answer of `depositAddresses` at a venue that names these chains and addresses. */
  async function families(chains: readonly (readonly [name: string, chain_id: string, address: string])[]) {
    const networks = chains.map(([name, chain_id]) => ({ name, chain_id, explorer: '' }));
    const server = createServer(async (request, response) => {
      const form = new URLSearchParams((await request.setEncoding('utf8').toArray()).join(''));
      const own = chains.find(([, chain]) => chain === form.get('chain_id'));
      const answer = own === undefined ? { networks } : { intent_address: own[2] };
      response.end(JSON.stringify({ code: 200, ...answer }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const elsewhere = await adapterAt(`http://127.0.0.1:${port}`, { host: memoryHost(clock) }).setup?.();
    const wanted = { market: null, asset: null };
    const told = await elsewhere?.depositAddresses(WALLET.address, wanted);
    server.closeAllConnections();
    server.close();
    return told;
  }

  it('names a family once where its chains share an address, else each chain with its own', async () => {
    const solana = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
    expect(
      await families([
        ['Arbitrum', '42161', evm('1')],
        ['Base', '8453', evm('1')],
        ['Solana', '101', solana],
      ]),
    ).to.deep.equal({
      ok: true,
      value: [
        { chainFamily: 'evm', address: evm('1') },
        { chainFamily: 'solana', address: solana },
      ],
    });
    expect(
      await families([
        ['Arbitrum', '42161', evm('1')],
        ['Base', '8453', evm('2')],
      ]),
    ).to.deep.equal({
      ok: true,
      value: [
        { chainFamily: 'evm:42161', address: evm('1') },
        { chainFamily: 'evm:8453', address: evm('2') },
      ],
    });
  });

  it('names no address that cannot be one of its chain, and says so where none is left', async () => {
    const told = await families([
      ['Arbitrum', '42161', 'nothing'],
      ['Solana', '101', evm('3')],
    ]);
    expect(told?.ok === false ? told.error.kind : null).to.equal('unsupported');
  });

  it('takes signatures whose last byte is 0 or 1, and hands them to the venue with 27 or 28', async () => {
    const made = unwrap(await setup.createKey({ accountIndex: ACCOUNT }, null));
    const signature = await WALLET.signMessage({ message: made.messageToSign });
    const v = Number.parseInt(signature.slice(-2), 16) - 27;
    const plain = `${signature.slice(0, -2)}0${v}`;
    const done = await setup.registerKey({ txInfo: made.txInfo, signature: plain });
    expect(done.ok, JSON.stringify(done)).to.equal(true);
    expect(emulator.script.sentContaining(signature.slice(2))).to.have.length(1);
    expect(emulator.script.sentContaining(plain.slice(2))).to.have.length(0);
  });

  it('prepares the key of the main account of a wallet that has several', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey()).address;
    emulator.script.addAccount({ index: 41, l1Address: wallet, collateral: '1', master: 40 });
    emulator.script.addAccount({ index: 40, l1Address: wallet, collateral: '1' });
    expect(await setup.accountIndexOf({ walletAddress: wallet })).to.deep.equal({ ok: true, value: 40 });
    expect(await setup.accountIndexOf({ walletAddress: wallet.toLowerCase() })).to.deep.equal({
      ...{ ok: true, value: 40 },
    });
  });

  it('reads an integrator from its setting, fees in millionths, and refuses what is none', () => {
    expect(integratorOf('4711:0.0001:0.00005')).to.deep.equal({
      ...{ accountIndex: 4711, perpsTaker: 100, perpsMaker: 50, spotTaker: 0, spotMaker: 0 },
    });
    expect(integratorOf('7:0:0.999999:0.000001:0.1')).to.deep.equal({
      ...{ accountIndex: 7, perpsTaker: 0, perpsMaker: 999_999, spotTaker: 1, spotMaker: 100_000 },
    });
    expect(integratorText.parse(undefined)).to.equal(null);
    for (const text of [
      '',
      '7',
      '7:0.1',
      '7:0.1:0.1:0.1',
      '7:1:0',
      '7:0.0000001:0',
      '-1:0:0',
      '281474976710655:0:0',
    ])
      expect(integratorText.safeParse(text).success, text).to.equal(false);
  });
});
