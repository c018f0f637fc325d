/**
 * Hyperliquid and its test network, as two connectors: their instruments and prices differ. This file is loaded by every
 * command; the venue's program is loaded when the first account uses it.
 */
import type { ConnectorInfo, Venue } from '../../../engine/ports/venue.ts';
import type { VenueHost, VenuePlug } from '../../venue-plug.ts';
import { createLazyVenue } from '../kit/lazy-venue.ts';
import { credentialFields } from './fields.ts';
import { HYPERLIQUID_SETTINGS, HYPERLIQUID_SOURCES } from './hyperliquid-settings.ts';

const HOSTS = {
  mainnet: 'https://api.hyperliquid.xyz',
  testnet: 'https://api.hyperliquid-testnet.xyz',
} as const;
const CONNECTORS = { mainnet: 'hyperliquid', testnet: 'hyperliquid-testnet' } as const;

type Network = keyof typeof HOSTS;

export function hyperliquidInfo(network: Network, override: string | null): ConnectorInfo {
  return {
    id: CONNECTORS[network],
    displayName: network === 'mainnet' ? 'Hyperliquid' : 'Hyperliquid testnet',
    mode: 'LIVE',
    networks: [network],
    ...(override === null ? {} : { override }),
    marginMode: 'required',
    fundingIntervalHours: 1,
    capabilities: [
      'market_orders',
      'isolated_margin',
      'fills_history',
      'order_lookup',
      'account_stream',
      'margin_change',
      'wallet_approval',
    ],
    credentials: credentialFields,
    // Rates of the lowest tier; each fill has the fee that was paid.
    takerRate: '0.00045',
    makerRate: '0.00015',
    minimumWaiver: 'full_close',
    settleMs: 10_000,
    notFound: 'needs_evidence',
  };
}

function venueOf(network: Network, override: string | null, host: VenueHost): Venue {
  const info = hyperliquidInfo(network, override);
  const origin = override ?? HOSTS[network];
  return createLazyVenue({
    info,
    clock: host.clock,
    ...(host.whenServing === undefined ? {} : { whenServing: host.whenServing }),
    load: async () => {
      const { createHyperliquid } = await import('./hyperliquid-venue.ts');
      const streamUrl = `${origin.replace(/^http/, 'ws')}/ws`;
      return createHyperliquid({ info, network, origin, streamUrl, host });
    },
  });
}

export const hyperliquid: VenuePlug<typeof HYPERLIQUID_SETTINGS> = {
  connectors: Object.values(CONNECTORS),
  settings: HYPERLIQUID_SETTINGS,
  sources: HYPERLIQUID_SOURCES,
  // Nothing at the start: most gateways trade no live account.
  load: () => Promise.resolve(),
  create: async ({ live, hyperliquidUrl, hyperliquidTestnetUrl }, host) =>
    live ? [venueOf('mainnet', hyperliquidUrl, host), venueOf('testnet', hyperliquidTestnetUrl, host)] : [],
};
