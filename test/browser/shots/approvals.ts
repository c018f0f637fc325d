/** Approvals, in every state. */
import { PASSWORD } from '../../support/gateway-client.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { PAIR } from '../../support/trader.ts';
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();
const deny = ({ page }: Stage) => page.getByRole('button', { name: 'Deny' });

/** A program asks for an order that its user has to be asked about. @returns the id of the approval */
async function ask({ gateway, bot }: Stage, over: object = {}): Promise<string> {
  const { approval, ...rest } = smallMandate(bot.accountId, { maxLeverage: null });
  const terms = {
    ...rest,
    ...{ maxOrderUsd: null, maxOpenedUsd24h: null, maxGrossUsd: null },
    approval: { ...approval, when: 'always', aboveUsd: null, ...over },
  };
  const made = await gateway.request('POST', '/api-keys', {
    headers: { authorization: `Bearer ${bot.accessToken}` },
    body: { label: 'Night watch', scope: 'read_write', mandate: terms },
  });
  const asked = await gateway.request('POST', '/trade/open', {
    headers: {
      'x-api-key': made.json.key,
      'x-trade-account-id': bot.accountId,
      'agent-reason': encodeURIComponent('The ratio is 2.3 sigma below its mean'),
    },
    body: { type: 'MARKET', legs: PAIR },
  });
  if (asked.json.details?.reason !== 'APPROVAL') throw new Error(asked.text);
  return asked.json.details.approvalId;
}

async function showOne(stage: Stage, over?: object): Promise<void> {
  await stage.goTo(`/approvals/${await ask(stage, over)}`);
  await deny(stage).waitFor();
}

export const approvalsShots: ScreenShots = {
  screen: 'approvals',
  shots: [
    {
      name: 'empty',
      async show({ page, goTo }) {
        await goTo('/approvals');
        await page.getByText('Nothing waits for you').waitFor();
      },
    },
    { name: 'one', show: (stage) => showOne(stage) },
    { name: 'password', show: (stage) => showOne(stage, { passwordAboveUsd: '100' }) },
    {
      name: 'wrong-password',
      async show(stage) {
        await showOne(stage, { passwordAboveUsd: '100' });
        await stage.page.getByLabel('Your password').fill(`not ${PASSWORD}`);
        await stage.page.getByRole('button', { name: 'Approve' }).click();
        await stage.page.getByText('Wrong password').waitFor();
      },
    },
    {
      name: 'denied',
      async show(stage) {
        await showOne(stage);
        await deny(stage).click();
        await stage.page.getByText('You denied it').waitFor();
      },
    },
    {
      name: 'list',
      async show(stage) {
        await stage.goTo('/approvals');
        await shown(stage);
      },
    },
    ...usualStates({ screen: '/approvals', reads: '/approvals', shown }),
  ],
};
