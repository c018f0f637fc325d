/** The embedded paper venue on its simulated market. */
import { createPaperMarket } from '../market/market.ts';
import type { ReplaySource } from '../market/replay.ts';
import { createPaperVenueOn, type PaperVenue, type PaperVenueOptions } from './paper-venue.ts';

/** Files in `dataDir`: `<connector>.journal`, `<connector>.db`. One process at a time may use them. */
export function createPaperVenue(
  options: PaperVenueOptions & { readonly replay?: ReplaySource },
): PaperVenue {
  const { replay } = options;
  return createPaperVenueOn({
    ...options,
    createMarket: (market) => createPaperMarket(replay === undefined ? market : { ...market, replay }),
  });
}
