/** Shared by suites about notifications: their table, and a trigger that fires. */
import { expect } from 'chai';
import { screenSuite } from './screen-suite.ts';
import { PAIR } from './trader.ts';

/** Call it in `describe`. */
export function notificationsSuite() {
  const suite = screenSuite();
  const list = () => suite.page.getByRole('table', { name: 'Notifications' });
  const row = (text: string) => list().getByRole('row').filter({ hasText: text }).first();

  async function fireTrigger(): Promise<void> {
    const answer = await suite.bot.call('POST', '/triggers/open', {
      legs: PAIR,
      condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1' },
      allowImmediate: true,
    });
    expect(answer.status, answer.text).to.equal(200);
  }
  return { ...suite, list, row, fireTrigger };
}
