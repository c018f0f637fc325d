/** The Screener: its filters, its columns, its words about chance, and the way to an open position. */
import { expect } from 'chai';
import { systemClock } from '../../../gateway/system/clock.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { pathIs } from '../../support/dashboard-states.ts';
import { journey, WAYS } from '../../support/journey.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { cellOf, firstRow, screenerSuite, table } from '../../support/screener-suite.ts';

describe('filters of the screener', function () {
  this.timeout(240_000);
  const { suite, screener, shown } = screenerSuite();

  itInFreshTab('shows only cointegrated pairs on demand, also after a reload', async () => {
    const page = await shown();
    const { cointegrated } = await screener('limit=1');
    const only = page.getByRole('checkbox', { name: 'Only cointegrated' });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const pValue = page.getByRole('combobox', { name: 'Cointegration' });
    await only.check();
    await pages.getByText(new RegExp(`of ${cointegrated}$`)).waitFor();
    await page.reload();
    await pages.getByText(new RegExp(`of ${cointegrated}$`)).waitFor();
    expect(await only.isChecked()).to.equal(true);
    expect(await pValue.innerText()).to.equal('p ≤ 0.1');
    await only.uncheck();
    await pages.getByText(/^1–100/).waitFor();
    expect(await pValue.innerText()).to.equal('Any p-value');
  });

  itInFreshTab('goes on saying what chance would do where only pairs that passed are listed', async () => {
    const page = await shown();
    const all = (await screener('limit=1')).count;
    const only = page.getByRole('checkbox', { name: 'Only cointegrated' });
    for (const [maxPValue, chance] of [
      ['0.1', 'one in ten'],
      ['0.05', 'one in twenty'],
      ['0.01', 'one in a hundred'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Cointegration' }).click();
      await page.getByRole('option', { name: `p ≤ ${maxPValue}`, exact: true }).click();
      const { count } = await screener(`limit=1&maxPValue=${maxPValue}`);
      await page
        .getByText(
          `${count} pairs have p ≤ ${maxPValue}. By chance alone ${chance} of all ${all} pairs would`,
        )
        .waitFor();
      expect(await only.isChecked(), maxPValue).to.equal(true);
    }
    const [pair] = (await screener('limit=1&maxPValue=0.01')).pairs;
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill(`${pair.first.symbol}/${pair.second.symbol}`);
    await page
      .getByText(
        /found ha(s|ve) p\u00a0≤\u00a00\.01\. By chance alone one in a hundred of any pairs would have\.$/,
      )
      .waitFor();
    await search.fill('');
    await only.uncheck();
    await page.getByText('By chance alone one in ten would be.').waitFor();
  });

  itInFreshTab('names the filters to be loosened where nothing fits', async () => {
    const page = await shown();
    await page.getByRole('checkbox', { name: 'Only cointegrated' }).check();
    await page.getByRole('combobox', { name: 'z-score' }).click();
    await page.getByRole('option', { name: '|z| ≥ 3' }).click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
    await page
      .getByText('Also on: Only cointegrated (p ≤ 0.1), |z| ≥ 3. Loosen one, or clear all.')
      .waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByText(/^1–100/)
      .waitFor();
    expect(await page.getByRole('checkbox', { name: 'Only cointegrated' }).isChecked()).to.equal(false);
  });

  itInFreshTab(
    'tells the last hour of the data and when they were computed, why legs are equal, and which half-lives no data show',
    async () => {
      const { page } = await suite.open('/trade');
      const found = await untilPage(
        page,
        'it is computed',
        async () => {
          const answer = await screener('limit=3&cointegratedFirst=true');
          return answer.asOf !== null && answer.progress === null ? answer : null;
        },
        180_000,
      );
      const pairs = ['-0.4', null, '0.8'].map((hedgeRatio, index) => ({
        ...found.pairs[index],
        hedgeRatio,
        observations: 2_160,
        halfLifeHours: index === 0 ? '14465' : '2160',
      }));
      const [asOf, computedAt] = [
        '2026-03-01T08:00:00.000Z',
        new Date(systemClock.now() - 200_000).toISOString(),
      ];
      await page.route(pathIs('/analytics/screener'), (route) =>
        route.fulfill({ json: { ...found, asOf, computedAt, pairs } }),
      );
      await page.locator('nav a[href="/app/screener"]').click();
      await firstRow(page).waitFor();
      await page.getByText(/data to 08:00 · computed [34] min\sago$/).waitFor();
      const legs = await table(page).locator('[data-name="Gains if z returns to 0"]').allInnerTexts();
      expect(legs).to.have.length(3);
      expect(legs[0]).to.match(/1 : 1, h −0\.40$/);
      expect(legs[1]).to.match(/1 : 1, h unknown$/);
      expect(legs[2]).to.match(/ 1 : 0\.8$/);
      const lives = await table(page).locator('[data-name="Half-life"]').allInnerTexts();
      expect(lives).to.deep.equal(['> 2,160 h', '2,160 h', '2,160 h']);
      await firstRow(page).focus();
      await page.keyboard.press('Tab');
      await page
        .getByRole('tooltip')
        .getByText('Both legs get the same notional: h is −0.40, outside 0.1 to 10')
        .waitFor();
    },
  );

  itInFreshTab('begins with the pairs in a narrow window, its filters and words are folded', async () => {
    const page = await shown();
    await page.setViewportSize({ width: 400, height: 800 });
    await page.getByRole('combobox', { name: 'z-score' }).waitFor({ state: 'hidden' });
    const box = await firstRow(page).boundingBox();
    expect(box?.y).to.be.below(400);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'z-score' }).click();
    await page.getByRole('option', { name: '|z| ≥ 1' }).click();
    await page.getByRole('button', { name: 'Filters: 1 on' }).waitFor();
    await page.getByRole('button', { name: 'What the figures mean' }).click();
    await page.getByText('Nothing says that it does.').waitFor();
    await expectAccessible(page, 'unfolded at 400 px');
  });

  itInFreshTab('says above the list that none is cointegrated', async () => {
    const { page } = await suite.open('/trade');
    const found = await screener('limit=100');
    const pairs = found.pairs.map((pair: Json) => ({ ...pair, pValue: '0.4' }));
    await page.route(pathIs('/analytics/screener'), (route) => {
      const isFiltered = new URL(route.request().url()).searchParams.has('maxPValue');
      const none = isFiltered ? { count: 0, pairs: [] } : { pairs };
      return route.fulfill({ json: { ...found, cointegrated: 0, ...none } });
    });
    await page.locator('nav a[href="/app/screener"]').click();
    await firstRow(page).waitFor({ timeout: 180_000 });
    await page.getByText(`None of these ${found.count} pairs is cointegrated (p ≤ 0.1)`).waitFor();
    await page.getByRole('checkbox', { name: 'Only cointegrated' }).check();
    await page.getByText('No pair is cointegrated (p ≤ 0.1)').waitFor();
    await page.getByRole('button', { name: 'Show all pairs' }).click();
    await firstRow(page).waitFor();
    expect(await page.getByRole('checkbox', { name: 'Only cointegrated' }).isChecked()).to.equal(false);
  });

  itInFreshTab('has columns to choose where there is no room for all, which sort as ever', async () => {
    const page = await shown();
    await page.setViewportSize({ width: 900, height: 800 });
    const volume = table(page).getByRole('columnheader', { name: 'Volume 24 h' });
    await volume.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Columns of Screened pairs' }).click();
    await page.getByRole('checkbox', { name: 'Volume 24 h', exact: true }).check();
    await expectAccessible(page, 'columns of the screener');
    await page.keyboard.press('Escape');
    await volume.getByRole('button').click();
    const [most] = (await screener('limit=1&orderBy=-volume24h')).pairs;
    const wanted = `${most.first.symbol}/${most.second.symbol}`;
    await untilPage(page, `${wanted} is first`, async () => (await cellOf(page, 0)) === wanted);
    expect(await volume.getAttribute('aria-sort')).to.equal('descending');
    await page.getByRole('button', { name: 'Columns of Screened pairs' }).click();
    await page.getByRole('button', { name: 'Automatic' }).click();
    await volume.waitFor({ state: 'hidden' });
  });

  itInFreshTab('pages, filters, and clears what leaves nothing', async () => {
    const page = await shown();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const before = await cellOf(page, 0);
    await pages.getByRole('button', { name: 'Next page' }).click();
    await pages.getByText(/^101–/).waitFor();
    expect(await cellOf(page, 0)).to.not.equal(before);
    await page.getByRole('searchbox', { name: 'Search' }).fill('eth btc');
    await untilPage(page, 'BTC/ETH is found', async () => (await cellOf(page, 0)) === 'BTC/ETH');
    await page.getByRole('searchbox', { name: 'Search' }).fill('no such thing');
    await page.getByText('No pair fits').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await pages.getByText(/^1–100/).waitFor();
    await page.getByRole('combobox', { name: 'z-score' }).click();
    await page.getByRole('option', { name: '|z| ≥ 2' }).click();
    const { count } = await screener('limit=1&minAbsZScore=2');
    await pages.getByText(new RegExp(`of ${count}$`)).waitFor();
  });

  for (const way of WAYS) {
    it(`is eight actions away from an open pair with stop and target, by ${way}`, async () => {
      const page = await shown();
      const ticket = page.getByRole('form', { name: 'Ticket' });
      const field = (name: string) => ticket.getByRole('textbox', { name, exact: true });
      const trader = journey(page, way);
      await trader.press(page.getByRole('button', { name: /^Trade this: / }).first());
      await page.waitForURL(/\/trade/);
      await trader.type(field('Notional'), '600');
      for (const [bracket, name] of [
        ['Stop-loss', 'Loss'],
        ['Take-profit', 'Gain'],
      ] as const) {
        await trader.turn(ticket.getByRole('switch', { name: bracket }));
        await trader.type(field(name), '40');
      }
      await trader.press(ticket.getByRole('button', { name: 'Review' }));
      await trader.press(page.getByRole('dialog').getByRole('button', { name: 'Place order' }));
      const headers = {
        authorization: `Bearer ${suite.accessToken}`,
        'x-trade-account-id': suite.accountId,
      };
      const held = await untilPage(page, 'the pair is open, with both', async () => {
        const { positions } = (await suite.gateway.request('GET', '/positions?status=OPEN', { headers }))
          .json;
        return positions.find(({ stopLoss, takeProfit }: Json) => stopLoss !== null && takeProfit !== null);
      });
      expect(held.legs).to.have.length(2);
      expect(trader.actions).to.be.at.most(8);
      await suite.gateway.request('POST', `/positions/${held.id}/close`, {
        headers,
        body: { type: 'MARKET' },
      });
      await untilPage(page, 'it is closed', async () => {
        const { positions } = (await suite.gateway.request('GET', '/positions?status=OPEN', { headers }))
          .json;
        return positions.length === 0;
      });
    });
  }

  it('covers no figure at 900 px, dims what is not cointegrated, and has one unit for all half-lives', async () => {
    const page = await shown();
    await page.setViewportSize({ width: 900, height: 700 });
    // A column sorts all pairs alike: those that are cointegrated and those that are not stand among each other.
    await table(page).getByRole('columnheader', { name: 'z-score' }).getByRole('button').click();
    const [farthest] = (await screener('limit=1')).pairs;
    const wanted = `${farthest.first.symbol}/${farthest.second.symbol}`;
    await untilPage(page, `${wanted} is first`, async () => (await cellOf(page, 0)) === wanted);
    await untilPage(page, 'nothing is scrolled sideways', () =>
      table(page).evaluate(({ parentElement: frame }) =>
        frame === null ? false : frame.scrollWidth <= frame.clientWidth,
      ),
    );
    const rows = table(page).locator('[data-row]');
    const lives = await rows.locator('[data-name="Half-life"]').allInnerTexts();
    expect(lives).to.not.be.empty;
    for (const life of lives) expect(life).to.match(/^((> )?\d[\d,.]* h$|–)/);
    const colours = await page.evaluate<[string, string][]>(
      `[...document.querySelectorAll('[data-row]')].map((row) => [
        row.querySelector('[data-name="Coint. p"]').textContent,
        getComputedStyle(row.firstElementChild).color,
      ])`,
    );
    const quiet = colours.find(([p]) => Number(p) > 0.1)?.[1];
    expect(quiet, 'a pair with p > 0.1').to.be.a('string');
    // The screen knows more digits than it shows: 0.100 may be either. A pair without a p is dim.
    for (const [p, colour] of colours)
      if (Number(p) !== 0.1) expect(colour === quiet, `p ${p}`).to.equal(!(Number(p) < 0.1));
  });

  for (const width of [400, 900, 1_280]) {
    it(`can be used by everybody at ${width} px`, async () => {
      const page = await shown();
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page, `screener ${width}`);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).to.be.at.most(0);
    });
  }
});
