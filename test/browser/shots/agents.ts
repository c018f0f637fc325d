/** Agents, in every state; with limits and an order that asks: `desk`. */
import { connectAgent } from '../../support/agents.ts';
import { anyRow, text } from './proofs.ts';
import { after, at, press, type ScreenShots } from './shot.ts';
import { usualStates } from './usual-states.ts';

export const agentsShots: ScreenShots = {
  screen: 'agents',
  shots: [
    at('/agents', 'empty', text('No agent is connected')),
    after(
      ({ gateway, bot }) => connectAgent(gateway, bot),
      at('/agents', 'without-limits', text('Allowed by you'), press('Details')),
    ),
    ...usualStates({
      screen: '/agents',
      reads: '/oauth2/grants',
      shown: ({ page }) => anyRow(page).waitFor(),
    }),
  ],
};
