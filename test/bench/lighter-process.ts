/**
 * A gateway with Lighter's connector at an emulated venue, in a process of its own:
 *   BENCH_VENUE_URL    the emulator's origin
 * Other settings come from the environment as always. Says `{ port }` over the pipe when it listens; ends when the pipe
 * closes. Asked for `table`, it builds the signer's table; asked for `figures`, it tells what it has seen of the table and
 * of the first order since its start, and what a transaction takes to sign.
 */
import { homedir } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { loadSettings } from '../../gateway/config.ts';
import type { Venue } from '../../gateway/engine/ports/venue.ts';
import { createGateway } from '../../gateway/index.ts';
import { ensureDataFolder } from '../../gateway/system/data-folder.ts';
import { createLazyVenue } from '../../gateway/venues/live/kit/lazy-venue.ts';
import { lighterInfo } from '../../gateway/venues/live/lighter/connector.ts';
import { createLighter } from '../../gateway/venues/live/lighter/lighter-venue.ts';
import { buildTable, isTableReady } from '../../gateway/venues/live/lighter/signing/generator-table.ts';
import {
  CHAIN_ID,
  createPrivateKey,
  LighterKey,
  signTransaction,
} from '../../gateway/venues/live/lighter/signing/signing.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import type { VenueHost } from '../../gateway/venues/venue-plug.ts';
import type { LighterFigures } from './lighter-protocol.ts';

const ORDERS = Buffer.from('POST /api/v1/sendTx');
/** Room for one basket after the other. */
const PER_MINUTE = 1_000_000;
const SIGNED = 500;

const origin = process.env['BENCH_VENUE_URL'] ?? '';
let largestBlockMs = 0;
let tableMs = 0;
let isWatching = false;
let openedAt: number | null = null;
let handedOverAt: number | null = null;
let first: Pick<LighterFigures, 'firstOrderMs' | 'firstDecisionMs' | 'hadTable'> | null = null;

function tap(bytes: Buffer): void {
  if (first !== null || openedAt === null || handedOverAt === null) return;
  if (bytes.compare(ORDERS, 0, ORDERS.length, 0, ORDERS.length) !== 0) return;
  const now = performance.now();
  first = {
    ...{ firstOrderMs: now - openedAt, firstDecisionMs: now - handedOverAt },
    hadTable: isTableReady(),
  };
}

/** The longest time between two turns of the event loop while the table is built. */
async function watchTable(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  const began = performance.now();
  let before = began;
  while (!isTableReady()) {
    await setImmediate();
    const now = performance.now();
    largestBlockMs = Math.max(largestBlockMs, now - before);
    before = now;
  }
  tableMs = before - began;
}

function watched(venue: Venue): Venue {
  return {
    ...venue,
    async openAccount(account, access) {
      const opened = venue.openAccount(account, access);
      // The first piece of the table is not built in this turn.
      void watchTable();
      const result = await opened;
      openedAt ??= performance.now();
      return result;
    },
    placeBatch(account, orders) {
      handedOverAt ??= performance.now();
      return venue.placeBatch(account, orders);
    },
  };
}

function connector(host: VenueHost): Venue {
  const info = lighterInfo('mainnet', origin);
  const streamUrl = `${origin.replace(/^http/, 'ws')}/stream`;
  return createLazyVenue({
    info,
    clock: host.clock,
    ...(host.whenServing === undefined ? {} : { whenServing: host.whenServing }),
    load: async () =>
      watched(
        createLighter({
          ...{ info, network: 'mainnet', origin, streamUrl, host, tap, perMinute: PER_MINUTE },
        }),
      ),
  });
}

/** Milliseconds for each of many orders, signed one by one with the table. */
async function signingMs(): Promise<readonly number[]> {
  await buildTable();
  const key = new LighterKey(createPrivateKey());
  const times: number[] = [];
  for (let nonce = 0; nonce < SIGNED; nonce += 1) {
    await setImmediate();
    const began = performance.now();
    signTransaction(key, CHAIN_ID.mainnet, {
      ...{ kind: 'createOrder', accountIndex: 7, apiKeyIndex: 5, nonce, expiredAt: Date.now() + 5_000 },
      ...{
        marketIndex: 1,
        clientOrderIndex: nonce + 1,
        baseAmount: 20_000 + nonce,
        price: 1_000_000 + nonce,
      },
      ...{ isAsk: nonce % 2 === 0, type: 'limit', timeInForce: 'ioc', reduceOnly: false },
      ...{ triggerPrice: 0, orderExpiry: 0 },
    });
    times.push(performance.now() - began);
  }
  return times;
}

const loaded = loadSettings({ argv: [], env: process.env, homedir: homedir(), platform: process.platform });
if (!loaded.ok) throw new Error(loaded.error.join('; '));
// Built into one file, the program has no file of test settings beside it.
const settings = { ...loaded.value, heldRunner: false };
const folder = ensureDataFolder(settings.dataDir);
if (!folder.ok) throw new Error(folder.error);
const gateway = await createGateway(settings, {
  venues: [
    paper,
    {
      ...{ connectors: ['lighter'], sources: [], load: async () => undefined },
      create: async (_: unknown, host: VenueHost) => [connector(host)],
    },
  ],
});

let closing = false;
process.on('disconnect', () => {
  if (closing) return;
  closing = true;
  void gateway.close().finally(() => process.exit(0));
});
process.on('message', async (question) => {
  if (question === 'table') {
    const watching = watchTable();
    await buildTable();
    await watching;
    process.send?.({ largestBlockMs, tableMs });
    return;
  }
  const figures: LighterFigures = {
    ...{ largestBlockMs, tableMs, signingMs: await signingMs() },
    ...(first ?? { firstOrderMs: null, firstDecisionMs: null, hadTable: isTableReady() }),
  };
  process.send?.(figures);
});
process.send?.({ port: gateway.port });
