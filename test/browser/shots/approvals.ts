/** Approvals, in every state; the one and the list: `desk`. */
import { PASSWORD } from '../../support/gateway-client.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { PAIR } from '../../support/trader.ts';
import { anyRow, text } from './proofs.ts';
import { at, press, type ScreenShots, type Shot, type Step } from './shot.ts';
import { usualStates } from './usual-states.ts';

/** A program asks for an order, and its user has to give the password. */
const ask: Step = async ({ gateway, bot, goTo }) => {
  const { approval, ...rest } = smallMandate(bot.accountId, { maxLeverage: null });
  const terms = {
    ...rest,
    ...{ maxOrderUsd: null, maxOpenedUsd24h: null, maxGrossUsd: null },
    approval: { ...approval, when: 'always', aboveUsd: null, passwordAboveUsd: '100' },
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
  await goTo(`/approvals/${asked.json.details.approvalId}`);
};

const asked = (name: string, proof: Shot['proof'], then: Step = async () => undefined): Shot => ({
  name,
  proof,
  async show(stage) {
    await ask(stage);
    await then(stage);
  },
});

export const approvalsShots: ScreenShots = {
  screen: 'approvals',
  shots: [
    at('/approvals', 'empty', text('Nothing waits for you')),
    asked('password', (page) => page.getByLabel('Your password')),
    asked('wrong-password', text('Wrong password'), async ({ page }) => {
      await page.getByLabel('Your password').fill(`not ${PASSWORD}`);
      await page.getByRole('button', { name: 'Approve' }).click();
    }),
    asked('denied', text('You denied it'), press('Deny')),
    ...usualStates({
      screen: '/approvals',
      reads: '/approvals',
      shown: ({ page }) => anyRow(page).waitFor(),
    }),
  ],
};
