/** The only list of Tandem's venues. A new venue is named here twice, in the settings and among the plugs. */
import type { Venue, Venues } from '../engine/ports/venue.ts';
import { hyperliquid } from './live/hyperliquid/connector.ts';
import { lighter } from './live/lighter/connector.ts';
import { paper } from './paper/connector.ts';
import type { VenuePlug } from './venue-plug.ts';

/** Settings of all venues, listed among the gateway's own settings. */
export const VENUE_SETTINGS = { ...paper.settings, ...hyperliquid.settings, ...lighter.settings };

/** Plugs in the order in which connectors are listed. A new user's first account is on the first paper connector. */
export const VENUE_PLUGS: readonly Omit<VenuePlug<typeof VENUE_SETTINGS>, 'settings'>[] = [
  paper,
  hyperliquid,
  lighter,
];

/** @throws when two venues share a connector id */
export function createVenues(list: readonly Venue[]): Venues {
  const byConnector = new Map(list.map((venue) => [venue.info.id, venue]));
  if (byConnector.size !== list.length) throw new Error('two venues share a connector id');
  return {
    get: (connector) => byConnector.get(connector),
    all: () => list,
  };
}
