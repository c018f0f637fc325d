/** Screener, in every state. */
import { pathIs } from '../../support/dashboard-states.ts';
import { chooseColumns, withColumns } from './column-list.ts';
import type { ScreenShots, Stage } from './shot.ts';
import { usualStates } from './usual-states.ts';

const shown = ({ page }: Stage) => page.getByRole('table').locator('[data-row]').first().waitFor();

const TABLE = 'Screened pairs';
const choose = ({ page }: Stage) => chooseColumns(page, TABLE, ['Volume 24 h', 'Correlation']);

/** Unfolds the parts that a narrow window folds. */
async function unfold({ page }: Stage): Promise<void> {
  for (const name of [/^Filters/, 'What the figures mean']) {
    const fold = page.getByRole('button', { name, expanded: false });
    if (await fold.isVisible()) await fold.click();
  }
}

export const screenerShots: ScreenShots = {
  screen: 'screener',
  shots: [
    {
      name: 'pairs',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
      },
    },
    {
      name: 'unfolded',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
      },
      stands: unfold,
    },
    {
      name: 'only-cointegrated',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
        await unfold(stage);
        await stage.page.getByRole('checkbox', { name: 'Only cointegrated' }).check();
      },
      stands: unfold,
    },
    {
      name: 'none-cointegrated',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
        const { json } = await stage.gateway.request('GET', '/analytics/screener?connector=paper&limit=100');
        const pairs = json.pairs.map((pair: object) => ({ ...pair, pValue: '0.4' }));
        await stage.page.route(pathIs('/analytics/screener'), (route) =>
          route.fulfill({ json: { ...json, cointegrated: 0, pairs } }),
        );
        await stage.page.reload();
        await shown(stage);
      },
    },
    {
      name: 'nothing-fits',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
        await stage.page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
        await stage.page.getByText('No pair fits').waitFor();
      },
    },
    {
      name: 'columns',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
        await choose(stage);
      },
      ...withColumns(TABLE),
    },
    {
      name: 'chosen',
      async show(stage) {
        await stage.goTo('/screener');
        await shown(stage);
        await choose(stage);
        await stage.page.keyboard.press('Escape');
      },
    },
    ...usualStates({ screen: '/screener', reads: '/analytics/screener', shown }),
  ],
};
