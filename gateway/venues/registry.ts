import type { Venue, Venues } from '../engine/ports/venue.ts';

/** @throws when two venues call themselves the same */
export function createVenues(list: readonly Venue[]): Venues {
  const byConnector = new Map(list.map((venue) => [venue.info.id, venue]));
  if (byConnector.size !== list.length) throw new Error('two venues share a connector id');
  return {
    get: (connector) => byConnector.get(connector),
    all: () => list,
  };
}
