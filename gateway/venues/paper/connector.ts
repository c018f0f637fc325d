/** The paper venues: simulated exchanges inside the gateway. Their accounts need no credentials. */
import type { VenuePlug } from '../venue-plug.ts';
import { PAPER_CONNECTORS, PAPER_SETTINGS, PAPER_SOURCES } from './paper-settings.ts';

export const paper: VenuePlug<typeof PAPER_SETTINGS> = {
  connectors: PAPER_CONNECTORS,
  settings: PAPER_SETTINGS,
  sources: PAPER_SOURCES,
  load: () => import('./process/paper-venues.ts'),
  create: async (settings, host) =>
    (await import('./process/paper-venues.ts')).createPaperVenues(settings, host),
};
