/** The gateway's adapter of Hyperliquid, pointed at an emulator, with accounts and agents made for it. */
import { randomBytes } from 'node:crypto';
import type { Venue, VenueAccess, VenueAccount } from '../../../../gateway/engine/ports/venue.ts';
import { hyperliquidInfo } from '../../../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { addressOf, toHex } from '../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { VenueHost } from '../../../../gateway/venues/venue-plug.ts';
import type { Emulator } from './emulator.ts';

export interface AdapterOptions {
  readonly host: VenueHost;
  readonly tap?: (bytes: Buffer) => void;
  /** Default: as many requests as anybody likes. */
  readonly weightPerMinute?: number;
}

export function adapterAt(url: string, options: AdapterOptions): Venue {
  const { host, tap, weightPerMinute = 1_000_000 } = options;
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
  /** At the venue. */
  readonly address: string;
  readonly agent: string;
  readonly account: VenueAccount;
  readonly access: VenueAccess;
}

let made = 0;

/** A funded account with an agent. */
export function accountAt({ script }: Pick<Emulator, 'script'>, deposit = '100000'): TestAccount {
  made += 1;
  const address = addressOf(randomBytes(32));
  const key = randomBytes(32);
  const agent = addressOf(key);
  script.addAccount({ address, deposit });
  script.addAgent(address, agent);
  return {
    ...{ address, agent },
    account: { tradeAccountId: `account-${made}`, exchangeIdentifier: address },
    access: {
      network: 'mainnet',
      credentials: { accountAddress: address, agentPrivateKey: toHex(key) },
    },
  };
}

/** Hexadecimal digits that name the account or sign for it, in lower case. */
export function secretsOf({ agent, access }: TestAccount): readonly string[] {
  return [agent, ...Object.values(access.credentials)].map((one) =>
    String(one).replace(/^0x/, '').toLowerCase(),
  );
}
