/** The venues of Tandem: the only list of them. Whoever adds one names it here twice, in settings and among the plugs. */
import type { Venue, Venues } from '../engine/ports/venue.ts';
import { paper } from './paper/connector.ts';
import type { VenuePlug } from './venue-plug.ts';

/** Their settings, which stand beside those of the gateway. */
export const VENUE_SETTINGS = { ...paper.settings };

/** In the order in which connectors are listed. The first paper connector is that of a new user's first account. */
export const VENUE_PLUGS: readonly Omit<VenuePlug<typeof VENUE_SETTINGS>, 'settings'>[] = [paper];

/** @throws when two venues call themselves the same */
export function createVenues(list: readonly Venue[]): Venues {
  const byConnector = new Map(list.map((venue) => [venue.info.id, venue]));
  if (byConnector.size !== list.length) throw new Error('two venues share a connector id');
  return {
    get: (connector) => byConnector.get(connector),
    all: () => list,
  };
}
