/** Agents, in every state. */
import { consentVisitor } from '../../support/consent-visitor.ts';
import { oauthClient } from '../../support/oauth-client.ts';
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();

async function connect({ gateway }: Stage, name: string, scopes: readonly string[]): Promise<void> {
  const client = oauthClient(gateway);
  const clientId = await client.register({ client_name: name });
  await client.redeem(await client.authorize(consentVisitor(gateway), scopes, { clientId }));
}

export const agentsShots: ScreenShots = {
  screen: 'agents',
  shots: [
    {
      name: 'empty',
      async show({ page, goTo }) {
        await goTo('/agents');
        await page.getByText('No agent is connected').waitFor();
      },
    },
    {
      name: 'activity',
      async show(stage) {
        await connect(stage, 'Desk researcher', ['mcp:read']);
        await connect(stage, 'Night watch of the Frankfurt desk, second try', ['mcp:read', 'mcp:write']);
        await stage.goTo('/agents');
        await shown(stage);
        await stage.page.getByRole('button', { name: 'Details' }).first().click();
        await stage.page.getByText('Allowed by you').waitFor();
      },
    },
    {
      name: 'revoke',
      async show(stage) {
        await stage.goTo('/agents');
        await shown(stage);
        await stage.page.getByRole('button', { name: /^Revoke Night/ }).click();
        await stage.page.getByRole('dialog').waitFor();
      },
    },
    {
      name: 'revoke-what-waits',
      async show(stage) {
        const waiting = { triggers: 2, ladders: 1, schedules: 0, autoRebalances: 1 };
        await stage.page.route(/\/oauth2\/grants\/[^/]+\/waiting$/, (route) =>
          route.fulfill({ json: waiting }),
        );
        await stage.goTo('/agents');
        await shown(stage);
        await stage.page.getByRole('button', { name: /^Revoke Night/ }).click();
        await stage.page.getByRole('radiogroup').waitFor();
      },
    },
    ...usualStates({ screen: '/agents', reads: '/oauth2/grants', shown }),
  ],
};
