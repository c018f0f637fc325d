/**
 * The connector `paper` without `paper-cross`: what most tests trade on. A market that nobody looks at need not run. A test
 * of the other connector asks for a gateway that `hasCross`.
 */
import { paper } from '../../gateway/venues/paper/connector.ts';
import type { PAPER_SETTINGS } from '../../gateway/venues/paper/paper-settings.ts';
import type { VenuePlug } from '../../gateway/venues/venue-plug.ts';

export const paperAlone: VenuePlug<typeof PAPER_SETTINGS> = {
  ...paper,
  connectors: ['paper'],
  create: async (settings, host) =>
    (await paper.create(settings, host)).filter(({ info }) => info.id === 'paper'),
};
