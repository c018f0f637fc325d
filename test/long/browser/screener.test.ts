/** The Screener: pairs computed by the gateway, sorted there, and one click from a ticket. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { untilPage } from '../../support/page-time.ts';
import { cellOf, firstRow, screenerSuite, table } from '../../support/screener-suite.ts';

describe('the screener on the screen', function () {
  this.timeout(240_000);
  const { screener, shown } = screenerSuite();

  it('says that it computes, then lists cointegrated pairs first, the farthest from their mean before', async () => {
    const page = await shown();
    const { pairs, count, cointegrated } = await screener('limit=1&cointegratedFirst=true');
    expect(Number(pairs[0].pValue)).to.be.at.most(0.1);
    expect(await cellOf(page, 0)).to.equal(`${pairs[0].first.symbol}/${pairs[0].second.symbol}`);
    await page
      .getByText(`${cointegrated} of ${count} pairs are cointegrated (p ≤ 0.1), and come first. By chance`)
      .waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByText(`1–100 of ${count}`).waitFor();
    const zScore = table(page).getByRole('columnheader', { name: 'z-score' });
    expect(await zScore.getAttribute('aria-sort')).to.equal(null);
    await zScore.getByRole('button').click();
    expect(await zScore.getAttribute('aria-sort')).to.equal('descending');
    const [farthest] = (await screener('limit=1')).pairs;
    const wanted = `${farthest.first.symbol}/${farthest.second.symbol}`;
    await untilPage(page, `${wanted} is first`, async () => (await cellOf(page, 0)) === wanted);
    await page
      .getByText(`${cointegrated} of ${count} pairs are cointegrated (p ≤ 0.1). By chance alone`)
      .waitFor();
    expect(await firstRow(page).getByRole('img').getAttribute('aria-label')).to.match(/deviations/);
    await page.getByText('Nothing says that it does.').waitFor();
    await expectAccessible(page, 'screener');
  });

  it('sorts over all pairs, not over those on the page @long', async () => {
    const page = await shown();
    for (const [column, place, orderBy, name] of [
      ['Coint. p', 3, 'pValue', 'p'],
      ['Volume 24 h', 8, 'volume24h', 'volume'],
    ] as const) {
      const header = table(page).getByRole('columnheader', { name: column });
      await header.getByRole('button').click();
      await header.getByRole('button').click();
      expect(await header.getAttribute('aria-sort'), name).to.equal('ascending');
      const [least] = (await screener(`limit=1&orderBy=${orderBy}`)).pairs;
      const wanted = `${least.first.symbol}/${least.second.symbol}`;
      await untilPage(page, `${wanted} is first`, async () => (await cellOf(page, 0)) === wanted);
      expect(await cellOf(page, place)).to.match(/\d/);
    }
  });

  it('fills in the ticket with the side that gains when the spread comes back, with mouse and keyboard', async () => {
    for (const way of ['mouse', 'keyboard'] as const) {
      const page = await shown();
      const [pair] = (await screener('limit=1&cointegratedFirst=true')).pairs;
      const isLong = pair.direction === 'LONG_FIRST';
      const [long, short] = isLong ? [pair.first, pair.second] : [pair.second, pair.first];
      if (way === 'mouse') {
        await page
          .getByRole('button', { name: `Trade this: long ${long.symbol}, short ${short.symbol}` })
          .click();
      } else {
        await firstRow(page).focus();
        await page.keyboard.press('Enter');
      }
      await page.waitForURL(/\/trade/);
      const search = new URL(page.url()).searchParams;
      expect([search.getAll('long'), search.getAll('short')]).to.deep.equal([[long.id], [short.id]]);
      const hedge = Number(pair.hedgeRatio);
      if (hedge >= 0.1 && hedge <= 10) {
        const [first, second] = search.getAll('weight').map(Number);
        const ofFirst = isLong ? first : second;
        expect(Number(ofFirst) / 1_000_000).to.be.closeTo(1 / (1 + hedge), 1e-5);
      }
    }
  });
});
