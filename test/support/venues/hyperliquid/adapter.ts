/** The gateway's adapter of Hyperliquid, pointed at an emulator, with accounts and agents made for it. */
import { randomBytes } from 'node:crypto';
import type { Venue } from '../../../../gateway/engine/ports/venue.ts';
import { hyperliquidInfo } from '../../../../gateway/venues/live/hyperliquid/connector.ts';
import { createHyperliquid } from '../../../../gateway/venues/live/hyperliquid/hyperliquid-venue.ts';
import { addressOf, toHex } from '../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { VenueHost } from '../../../../gateway/venues/venue-plug.ts';
import type { TestAccount } from '../shared/venue-desk.ts';
import type { Emulator } from './emulator.ts';

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
