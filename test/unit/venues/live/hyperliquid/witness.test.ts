import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import WebSocket from 'ws';
import type { Clock } from '../../../../../gateway/engine/ports/system.ts';
import { addressOf, type Hex } from '../../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { signL1Action } from '../../../../../gateway/venues/live/hyperliquid/signing/l1-action.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { forAllAsync, propertyRuns } from '../../../../support/property-runs.ts';
import { until } from '../../../../support/until.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { cloidOf } from '../../../../support/venues/hyperliquid/trader.ts';
import type { Answer } from '../../../../support/venues/shared/socket-listener.ts';
import { needsWitness, witnessPath } from '../../../../support/venues/shared/witness.ts';

/**
 * @nktkas/hyperliquid, a client by other authors: it proves that the emulator speaks the venue's protocol rather than
 * ours. Its types are said here once more, because nothing here installs it.
 */
const PACKAGE = '@nktkas/hyperliquid/esm';

/** A method of the witness, by name. */
type Call = (method: string, given?: object) => Promise<Answer>;
type Subscribe = (
  stream: string,
  given: object,
  listener: (data: Answer) => void,
) => Promise<{ unsubscribe(): Promise<void> }>;

interface WitnessTransport {
  ready?(): Promise<void>;
  close?(): Promise<void>;
}

interface Witness {
  readonly overHttp: WitnessTransport;
  readonly overSocket: WitnessTransport & { ready(): Promise<void>; close(): Promise<void> };
  info(transport: WitnessTransport): Call;
  /** @param expiresAfter of every action, epoch ms */
  exchange(transport: WitnessTransport, expiresAfter?: number): Call;
  readonly subscribe: Subscribe;
}

/** Skips the suite where the witness is not installed. Call it in `describe`. */
const needsClient = (): void => needsWitness(PACKAGE, '@nktkas/hyperliquid');

async function witnessOf(
  { url, wsUrl }: { readonly url: string; readonly wsUrl: string },
  privateKey: Hex,
  clock: Clock,
): Promise<Witness> {
  let lastNonce = 0;
  const nonceManager = () => {
    lastNonce = Math.max(lastNonce + 1, clock.now());
    return lastNonce;
  };
  const library: Answer = await import(pathToFileURL(witnessPath(`${PACKAGE}/mod.js`)).href);
  const overHttp = new library.HttpTransport({ apiUrl: url });
  // Node 20 has no WebSocket of its own.
  const overSocket = new library.WebSocketTransport({ url: wsUrl, reconnect: { WebSocket } });
  const wallet = privateKeyToAccount(privateKey);
  const calls =
    (client: Answer): Call =>
    (method, given) =>
      client[method](given);
  const streams = new library.SubscriptionClient({ transport: overSocket });
  return {
    ...{ overHttp, overSocket },
    info: (transport) => calls(new library.InfoClient({ transport })),
    exchange: (transport, expiresAfter) =>
      calls(
        new library.ExchangeClient({
          ...{ transport, wallet, signatureChainId: '0xa4b1', nonceManager },
          ...(expiresAfter === undefined ? {} : { defaultExpiresAfter: expiresAfter }),
        }),
      ),
    subscribe: (stream, given, listener) => streams[stream](given, listener),
  };
}

/** The witness's own signer of L1 actions. */
async function witnessSigner(): Promise<(given: object) => Promise<Answer>> {
  const library: Answer = await import(pathToFileURL(witnessPath(`${PACKAGE}/signing/mod.js`)).href);
  return library.signL1Action;
}

const MASTER_KEY = `0x${'33'.repeat(32)}` as const;
const AGENT_KEY = `0x${'44'.repeat(32)}` as const;
const ETH = 1;
const SOL = 5;
const DAY_MS = 86_400_000;
// This client takes a short id for an order number.
const idOf = (n: number) => cloidOf(n).replace(/^0x0{4}/, '0xabcd');

describe('emulated Hyperliquid, driven by @nktkas/hyperliquid', () => {
  const clock = createFakeClock();
  const master = privateKeyToAccount(MASTER_KEY).address.toLowerCase();
  const agent = addressOf(AGENT_KEY);

  needsClient();

  it('signs random actions as the gateway does', async () => {
    const sign = await witnessSigner();
    const decimal = fc.tuple(fc.nat(99_999), fc.integer({ min: 1, max: 9 })).map(([a, b]) => `${a}.${b}`);
    const leg = fc.record({
      ...{ a: fc.nat(200_000), b: fc.boolean(), p: decimal, s: decimal, r: fc.boolean() },
      t: fc.constantFrom(...['Ioc', 'Gtc', 'Alo'].map((tif) => ({ limit: { tif } }))),
      c: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((n) => `0x${n.toString(16).padStart(32, '0')}`),
    });
    const action = fc.oneof(
      fc
        .array(leg, { minLength: 1, maxLength: 25 })
        .map((orders) => ({ type: 'order', orders, grouping: 'na' })),
      fc
        .integer({ min: -(2 ** 40), max: 2 ** 40 })
        .map((ntli) => ({ type: 'updateIsolatedMargin', asset: 1, isBuy: true, ntli })),
    );
    const some = { nonce: fc.nat(2 ** 31 - 1), expires: fc.option(fc.nat(2 ** 31 - 1)), vault: fc.boolean() };
    await forAllAsync(
      [action, fc.record(some), fc.boolean()],
      propertyRuns(60),
      async (signed, { nonce, expires, vault }, isTestnet) => {
        const vaultAddress = vault ? (master as `0x${string}`) : null;
        const theirs = await sign({
          ...{ wallet: privateKeyToAccount(AGENT_KEY), action: signed, nonce, isTestnet },
          ...(vaultAddress === null ? {} : { vaultAddress }),
          ...(expires === null ? {} : { expiresAfter: expires }),
        });
        const network = isTestnet ? 'testnet' : 'mainnet';
        const ours = signL1Action({
          ...{ privateKey: AGENT_KEY, action: signed, nonce, vaultAddress, expiresAfter: expires, network },
        });
        expect({ ...theirs, v: Number(theirs.v) }).to.deep.equal(ours);
      },
    );
  });

  for (const transport of ['overHttp', 'overSocket'] as const) {
    describe(transport === 'overHttp' ? 'over HTTP' : 'over the socket', () => {
      let venue: Emulator;
      let owner: Witness;
      let witness: Witness;

      before(async () => {
        venue = await startEmulator({ clock, accounts: [{ address: master, deposit: '10000' }] });
        owner = await witnessOf(venue, MASTER_KEY, clock);
        witness = await witnessOf(venue, AGENT_KEY, clock);
        await witness.overSocket.ready();
      });
      after(async () => {
        await owner?.overSocket.close();
        await witness?.overSocket.close();
        await venue?.close();
      });

      const info = (method: string, given?: object) => witness.info(witness[transport])(method, given);
      const act = (method: string, given?: object) =>
        witness.exchange(witness[transport], clock.now() + 5_000)(method, given);

      it('approves an agent, trades, looks up, cancels, reads fills and funding, and hears of all of it', async () => {
        const heard: Record<string, Answer[]> = {};
        const hear = async (stream: string, given: object = { user: master }) => {
          const kept: Answer[] = [];
          heard[stream] = kept;
          await witness.subscribe(stream, given, (data) => kept.push(data));
        };

        // An agent that the owner's wallet approves.
        const agentName = `tandem valid_until ${clock.now() + DAY_MS}`;
        await owner.exchange(owner[transport])('approveAgent', { agentAddress: agent, agentName });
        expect(await info('extraAgents', { user: master })).to.have.length(1);
        expect(await info('userRole', { user: agent })).to.deep.equal({
          role: 'agent',
          data: { user: master },
        });

        // The market.
        const [meta, contexts] = await info('metaAndAssetCtxs');
        expect(meta.universe[ETH]).to.include({ name: 'ETH', szDecimals: 4, maxLeverage: 25 });
        expect(contexts[ETH].markPx).to.equal('4000.0');
        expect((await info('allMids')).SOL).to.equal('200.0');
        expect((await info('l2Book', { coin: 'ETH' })).levels[0]).to.have.length(10);

        // Streams, before the first order.
        for (const stream of ['userFills', 'orderUpdates', 'userFundings']) await hear(stream);
        await hear('allMids', {});
        await hear('bbo', { coin: 'ETH' });

        // Leverage, and four orders of which one is refused.
        await act('updateLeverage', { asset: ETH, isCross: false, leverage: 10 });
        const limit = (a: number, b: boolean, p: string, s: string, c: number, tif = 'Ioc') => ({
          ...{ a, b, p, s, r: false, t: { limit: { tif } }, c: idOf(c) },
        });
        const orders = [
          limit(ETH, true, '4040', '1', 1),
          limit(SOL, false, '198', '10', 2),
          limit(ETH, true, '4040', '0.001', 3),
          limit(0, true, '90000', '0.01', 4, 'Gtc'),
        ];
        const failure = await act('order', { orders, grouping: 'na' }).catch((error: Answer) => error);
        const { statuses } = failure.response.response.data;
        expect(statuses.map((status: object) => Object.keys(status)[0])).to.deep.equal([
          ...['filled', 'filled', 'error', 'resting'],
        ]);
        expect(statuses[2].error).to.match(/minimum value of \$10/);

        // Lookups and a cancel.
        const found = await info('orderStatus', { user: master, oid: idOf(1) });
        expect(found.order).to.deep.include({ status: 'filled' });
        expect(found.order.order).to.include({ origSz: '1.0', sz: '0.0' });
        const never = await info('orderStatus', { user: master, oid: idOf(99) });
        expect(never).to.deep.equal({ status: 'unknownOid' });
        expect(await info('frontendOpenOrders', { user: master })).to.have.length(1);
        const cancels = [{ asset: 0, cloid: idOf(4) }];
        expect((await act('cancelByCloid', { cancels })).response.data.statuses).to.deep.equal(['success']);
        expect(await info('openOrders', { user: master })).to.deep.equal([]);

        // Fills, positions, funding.
        const fills = await info('userFillsByTime', { user: master, startTime: 0 });
        const { value } = venue.script.state(master);
        expect(
          fills.map(({ coin, side, sz, px, fee, crossed, cloid }: Answer) => [
            ...[coin, side, sz, px, fee, crossed, cloid],
          ]),
        ).to.deep.equal([
          ...[
            // Fees that are paid are positive.
            ['ETH', 'B', '1.0', '4000.4', '1.80018', true, idOf(1)],
            ['SOL', 'A', '10.0', '199.98', '0.89991', true, idOf(2)],
          ],
        ]);
        await act('updateIsolatedMargin', { asset: ETH, isBuy: true, ntli: 10_000_000 });
        const state = await info('clearinghouseState', { user: master });
        expect(Number(state.marginSummary.accountValue)).to.be.closeTo(Number(value), 0.000001);
        expect(
          state.assetPositions.map(({ position }: Answer) => [position.coin, position.szi]),
        ).to.deep.equal([
          ...[
            ['ETH', '1.0'],
            ['SOL', '-10.0'],
          ],
        ]);
        expect(state.assetPositions[0].position.leverage).to.deep.include({ type: 'isolated', value: 10 });
        venue.script.settleFunding();
        const funding = await info('userFunding', { user: master, startTime: 0 });
        const paid = ({ coin, usdc, szi, fundingRate }: Answer) => [coin, usdc, szi, fundingRate];
        const payments = [
          ['ETH', '-0.05', '1.0', '0.0000125'],
          ['SOL', '0.025', '-10.0', '0.0000125'],
        ];
        expect(funding.map(({ delta }: Answer) => paid(delta))).to.have.deep.members(payments);
        expect((await info('userFees', { user: master })).userCrossRate).to.equal('0.00045');
        expect((await info('userRateLimit', { user: master })).nRequestsUsed).to.equal(7);
        expect(await info('userAbstraction', { user: master })).to.equal('default');

        // Messages of the streams.
        await until(clock, 'the funding', () => heard['userFundings']?.length === 2, 3_000);
        expect(heard['userFills']?.[0]).to.deep.equal({ isSnapshot: true, user: master, fills: [] });
        const live = heard['userFills']?.slice(1).flatMap((message) => message.fills);
        expect(live).to.deep.equal(fills);
        const told = heard['userFundings']?.slice(1).flatMap(({ fundings }) => fundings.map(paid));
        expect(told).to.have.deep.members(payments);
        const updates = heard['orderUpdates']?.flat().map(({ order, status }) => [order.cloid, status]);
        expect(updates).to.deep.equal([
          ...[
            [idOf(1), 'filled'],
            [idOf(2), 'filled'],
            [idOf(3), 'minTradeNtlRejected'],
          ],
          ...[
            [idOf(4), 'open'],
            [idOf(4), 'canceled'],
          ],
        ]);
        for (const stream of ['allMids', 'bbo']) expect(heard[stream], stream).to.not.have.length(0);

        // The same end as the venue knows it.
        const truth = venue.script.state(master);
        expect(truth.fills).to.deep.equal(fills);
        expect(truth.positions.map(({ symbol, size }) => [symbol, size])).to.deep.equal([
          ['ETH', '1'],
          ['SOL', '-10'],
        ]);
      });
    });
  }
});
