/** The gateway's adapter of Lighter, pointed at an emulator, with accounts and keys made for it. */
import type { Venue, VenueAccess, VenueAccount } from '../../../../gateway/engine/ports/venue.ts';
import { lighterInfo } from '../../../../gateway/venues/live/lighter/connector.ts';
import { createLighter } from '../../../../gateway/venues/live/lighter/lighter-venue.ts';
import type { VenueHost } from '../../../../gateway/venues/venue-plug.ts';
import type { Emulator } from './emulator.ts';
import type { AccountTemplate } from './state/accounts.ts';
import { type Key, makeKey } from './trader.ts';

export const KEY_INDEX = 5;

export interface AdapterOptions {
  readonly host: VenueHost;
  readonly tap?: (bytes: Buffer) => void;
  /** Default: mainnet. */
  readonly network?: 'mainnet' | 'testnet';
  /** Default: as many requests as anybody likes. */
  readonly perMinute?: number;
}

export function adapterAt(url: string, options: AdapterOptions): Venue {
  const { host, tap, perMinute = 1_000_000, network = 'mainnet' } = options;
  return createLighter({
    info: lighterInfo(network, url),
    network,
    origin: url,
    streamUrl: `${url.replace(/^http/, 'ws')}/stream`,
    host,
    perMinute,
    ...(tap === undefined ? {} : { tap }),
  });
}

export interface TestAccount {
  readonly index: number;
  readonly key: Key;
  readonly account: VenueAccount;
  readonly access: VenueAccess;
}

let made = 100;

/** A funded account with a key for Tandem. */
export function accountAt(
  { script }: Pick<Emulator, 'script'>,
  template: Partial<AccountTemplate> = {},
): TestAccount {
  made += 1;
  const index = template.index ?? made;
  const key = makeKey(`key of ${index}`);
  const l1Address = `0x${index.toString(16).padStart(40, '0')}`;
  script.addAccount({
    ...{ index, l1Address, collateral: '100000', keys: { [KEY_INDEX]: key.publicKey } },
    ...template,
  });
  return {
    index,
    key,
    account: { tradeAccountId: `account-${index}`, exchangeIdentifier: String(index) },
    access: {
      network: 'mainnet',
      credentials: { accountIndex: index, apiKeyIndex: KEY_INDEX, apiPrivateKey: key.privateKey },
    },
  };
}
