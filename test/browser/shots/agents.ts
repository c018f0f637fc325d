/** Agents, in every state. */
import { connectAgent, signedIn } from '../../support/agents.ts';
import { consentVisitor } from '../../support/consent-visitor.ts';
import { oauthClient } from '../../support/oauth-client.ts';
import { smallMandate } from '../../support/small-mandate.ts';
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
    {
      name: 'limits-with-an-order-that-asks',
      async show(stage) {
        const { gateway, bot } = stage;
        const agent = await connectAgent(gateway, bot);
        const body = { mandate: smallMandate(bot.accountId, { maxOrderUsd: '1000' }), ifVersion: 0 };
        await signedIn(gateway, bot).call('PUT', `/agents/${agent.grantId}/mandate`, body);
        const legs = [{ symbol: 'SOL-PERP', side: 'BUY', mode: 'USD', amount: '300' }];
        const asked = await agent.call('POST', '/trade/open', { type: 'MARKET', legs });
        if (asked.json.details?.reason !== 'APPROVAL') throw new Error(asked.text);
        await stage.goTo('/agents');
        await shown(stage);
        await stage.page.getByRole('button', { name: 'Details' }).first().click();
        await stage.page.getByText('Counts as opened in 24 hours').scrollIntoViewIfNeeded();
      },
    },
    ...usualStates({ screen: '/agents', reads: '/oauth2/grants', shown }),
  ],
};
