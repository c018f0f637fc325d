/** The gateway's adapter of Hyperliquid, pointed at an emulator, with accounts and agents made for it. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../../gateway/engine/ports/system.ts';
import type { Venue, VenueAccess, VenueAccount } from '../../../../gateway/engine/ports/venue.ts';
import { hyperliquidInfo } from '../../../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { addressOf, toHex } from '../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { VenueHost } from '../../../../gateway/venues/venue-plug.ts';
import type { FakeClock } from '../../fake-clock.ts';
import { silentLogger } from '../../silent-logger.ts';
import { until } from '../../until.ts';
import type { Emulator } from './emulator.ts';

/** Settings in memory: what a restart of the adapter finds again. */
export function memoryHost(clock: Clock, settings = new Map<string, string>()): VenueHost {
  return {
    dataDir: '/nowhere',
    clock,
    logger: silentLogger,
    store: memoryStore(settings),
  };
}

export function memoryStore(settings: Map<string, string>): VenueHost['store'] {
  return {
    setting: async (key) => settings.get(key) ?? null,
    commit: async (unit) => {
      for (const { key, value } of unit.settings ?? []) settings.set(key, value);
      return { ok: true, value: { seqs: [] } as never };
    },
  };
}

export function adapterAt(
  url: string,
  host: VenueHost,
  tap?: (bytes: Buffer) => void,
  weightPerMinute = 1_000_000,
): Venue {
  return createHyperliquid({
    info: hyperliquidInfo('mainnet', url),
    network: 'mainnet',
    origin: url,
    streamUrl: `${url.replace(/^http/, 'ws')}/ws`,
    host,
    weightPerMinute,
    ...(tap === undefined ? {} : { tap }),
  });
}

export interface TestAccount {
  readonly account: VenueAccount;
  readonly access: VenueAccess;
}

let made = 0;

/** A funded account with an agent. */
export function accountAt({ script }: Pick<Emulator, 'script'>, deposit = '100000'): TestAccount {
  made += 1;
  const address = addressOf(randomBytes(32));
  const agent = randomBytes(32);
  script.addAccount({ address, deposit });
  script.addAgent(address, addressOf(agent));
  return {
    account: { tradeAccountId: `account-${made}`, exchangeIdentifier: address },
    access: {
      network: 'mainnet',
      credentials: { accountAddress: address, agentPrivateKey: toHex(agent) },
    },
  };
}

/** Moves time until the venue says UP. */
export function untilUp(clock: FakeClock, venue: Venue): Promise<unknown> {
  return until(clock, 'the venue is up', () => venue.status().status === 'UP');
}
