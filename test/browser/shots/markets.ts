/** Markets, in every state; pairs, instruments and saved baskets: `desk`. */
import { PAIR } from '../../support/trader.ts';
import { anyRow, dialog, inDialog, row, text } from './proofs.ts';
import { after, at, press, type ScreenShots, type Step, steps } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown: Step = ({ page }) => anyRow(page).waitFor();
const tab =
  (name: string): Step =>
  ({ page }) =>
    page.getByRole('tab', { name }).click();

export const marketsShots: ScreenShots = {
  screen: 'markets',
  shots: [
    after(
      ({ bot }) => bot.open(PAIR),
      at('/markets', 'baskets', row('Baskets'), steps(shown, tab('Baskets'))),
    ),
    at('/markets', 'saved-empty', text('No saved baskets'), steps(shown, tab('Saved'))),
    at('/markets', 'nothing-found', text('No pairs match'), ({ page }) =>
      page.getByRole('searchbox').fill('nothing like it'),
    ),
    at('/markets', 'pair', inDialog('Hedge ratio'), ({ page }) => anyRow(page).click()),
    at(
      '/markets',
      'new-basket',
      (page) => dialog(page).locator('[role=alert], [aria-invalid=true]').first(),
      steps(shown, press('New basket'), press('Save basket')),
    ),
    ...usualStates({ screen: '/markets', reads: '/markets/baskets', shown }),
  ],
};
