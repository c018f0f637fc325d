/** Screener, in every state. */
import { pathIs } from '../../support/dashboard-states.ts';
import { chooseColumns } from './column-list.ts';
import { anyRow, column, text } from './proofs.ts';
import { at, type ScreenShots, type Step, steps } from './shot.ts';
import { usualStates } from './usual-states.ts';

const TABLE = 'Screened pairs';
const shown: Step = ({ page }) => anyRow(page).waitFor();
const choose: Step = ({ page }) => chooseColumns(page, TABLE, ['Volume 24 h', 'Correlation']);

/** Unfolds the parts that a narrow window folds. */
const unfold: Step = async ({ page }) => {
  for (const name of [/^Filters/, 'What the figures mean']) {
    const fold = page.getByRole('button', { name, expanded: false });
    if (await fold.isVisible()) await fold.click();
  }
};

const noneCointegrated: Step = async ({ gateway, page }) => {
  const { json } = await gateway.request('GET', '/analytics/screener?connector=paper&limit=100');
  const pairs = json.pairs.map((pair: object) => ({ ...pair, pValue: '0.4' }));
  await page.route(pathIs('/analytics/screener'), (route) =>
    route.fulfill({ json: { ...json, cointegrated: 0, pairs } }),
  );
  await page.reload();
};

export const screenerShots: ScreenShots = {
  screen: 'screener',
  shots: [
    at('/screener', 'unfolded', text('Nothing says that it does.'), shown, { stands: unfold }),
    at(
      '/screener',
      'only-cointegrated',
      text(/By chance alone one in ten of all \d+ pairs would/),
      steps(shown, unfold, ({ page }) => page.getByRole('checkbox', { name: 'Only cointegrated' }).check()),
      { stands: unfold },
    ),
    at(
      '/screener',
      'none-cointegrated',
      text(/^None of these \d+ pairs is cointegrated/),
      steps(shown, noneCointegrated),
    ),
    at('/screener', 'nothing-fits', text(/^No pair fits/), ({ page }) =>
      page.getByRole('searchbox', { name: 'Search' }).fill('no such thing'),
    ),
    at(
      '/screener',
      'chosen',
      column('Volume 24 h'),
      steps(shown, choose, ({ page }) => page.keyboard.press('Escape')),
    ),
    ...usualStates({ screen: '/screener', reads: '/analytics/screener', shown }),
  ],
};
