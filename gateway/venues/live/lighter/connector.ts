/**
 * Lighter and its test network, as two connectors: their instruments and prices differ. This file is loaded by every
 * command; the venue's program is loaded when the first account uses it.
 */
import type { ConnectorInfo, Venue } from '../../../engine/ports/venue.ts';
import type { VenueHost, VenuePlug } from '../../venue-plug.ts';
import { createLazyVenue } from '../kit/lazy-venue.ts';
import { credentialFields } from './fields.ts';
import { LIGHTER_SETTINGS, LIGHTER_SOURCES } from './lighter-settings.ts';
import { integratorOf } from './setup/integrator-setting.ts';

const HOSTS = {
  mainnet: 'https://mainnet.zklighter.elliot.ai',
  testnet: 'https://testnet.zklighter.elliot.ai',
} as const;
const CONNECTORS = { mainnet: 'lighter', testnet: 'lighter-testnet' } as const;

type Network = keyof typeof HOSTS;

export function lighterInfo(network: Network, override: string | null): ConnectorInfo {
  return {
    id: CONNECTORS[network],
    displayName: network === 'mainnet' ? 'Lighter' : 'Lighter testnet',
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
      'exchange_setup',
    ],
    credentials: credentialFields,
    // A standard account pays none; other tiers' rates are asked for with the account.
    takerRate: '0',
    makerRate: '0',
    minimumWaiver: 'none',
    settleMs: 10_000,
    notFound: 'needs_evidence',
  };
}

interface Given {
  readonly lighterIntegrator: string | null;
  readonly lighterPerMinute: number | null;
}

function venueOf(network: Network, override: string | null, settings: Given, host: VenueHost): Venue {
  const info = lighterInfo(network, override);
  const origin = override ?? HOSTS[network];
  const { lighterIntegrator, lighterPerMinute: perMinute } = settings;
  return createLazyVenue({
    info,
    clock: host.clock,
    ...(host.whenServing === undefined ? {} : { whenServing: host.whenServing }),
    load: async () => {
      const { createLighter } = await import('./lighter-venue.ts');
      const streamUrl = `${origin.replace(/^http/, 'ws')}/stream`;
      return createLighter({
        ...{ info, network, origin, streamUrl, host, integrator: integratorOf(lighterIntegrator) },
        // The venue itself never gets more requests than it allows.
        ...(perMinute === null || override === null ? {} : { perMinute }),
      });
    },
  });
}

export const lighter: VenuePlug<typeof LIGHTER_SETTINGS> = {
  connectors: Object.values(CONNECTORS),
  settings: LIGHTER_SETTINGS,
  sources: LIGHTER_SOURCES,
  // Nothing at the start: most gateways trade no live account.
  load: () => Promise.resolve(),
  create: async ({ live, ...given }, host) =>
    live
      ? [
          venueOf('mainnet', given.lighterUrl, given, host),
          venueOf('testnet', given.lighterTestnetUrl, given, host),
        ]
      : [],
};
