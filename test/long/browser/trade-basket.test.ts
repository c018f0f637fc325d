/** Trade: remembered baskets, one leverage for all legs, z-score and spread. */
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { systemClock } from '../../../gateway/system/clock.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { holdAnswers, pathIs } from '../../support/dashboard-states.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { framesPass, untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';

describe('trade screen, the basket', function () {
  this.timeout(90_000);
  const desk = tradeScreen();

  async function addLeg(side: 'long' | 'short', typed: string): Promise<void> {
    await desk.page.getByLabel(`Add a ${side} leg`).fill(typed);
    await desk.page
      .getByRole('option', { name: new RegExp(`^${typed}\\b`, 'i') })
      .first()
      .click();
  }

  it('keeps a basket that was built, and begins with it again', async () => {
    const { page } = desk;
    desk.expectAnswers('400 /saved-baskets');
    await desk.goTo(
      '/trade?long=BTC-PERP&long=SOL-PERP&short=ETH-PERP&weight=300000&weight=200000&weight=500000',
    );
    await page.getByRole('list', { name: 'Short legs' }).getByText('ETH', { exact: true }).waitFor();
    const saved = page.getByRole('button', { name: 'Saved' });
    await saved.click();
    await page.getByRole('menu').waitFor();
    await expectAccessible(page, 'menu of saved baskets');
    await page.getByRole('menuitem', { name: 'Save this basket…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this basket' });
    await dialog.getByRole('button', { name: 'Save basket' }).click();
    await dialog.getByText(/Needed|1 to 48 characters/).waitFor();
    await expectAccessible(page, 'save basket, without a name');
    await dialog.getByLabel('Name').fill('Majors');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const [basket] = await desk.rows('/saved-baskets', 'savedBaskets');
    expect(basket?.name).to.equal('Majors');
    expect(basket?.legs.map(({ symbol, side, weight }: Json) => [symbol, side, weight])).to.deep.equal([
      ['BTC-PERP', 'BUY', 0.3],
      ['SOL-PERP', 'BUY', 0.2],
      ['ETH-PERP', 'SELL', 0.5],
    ]);

    await saved.click();
    await page.getByRole('menuitem', { name: 'Save this basket…' }).click();
    await dialog.getByLabel('Name').fill('majors');
    await page.keyboard.press('Enter');
    await dialog.locator('[class*=error], [role=alert]').first().waitFor();
    expect(await dialog.getByLabel('Name').inputValue(), 'nothing typed is lost').to.equal('majors');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Clear the basket' }).click();
    await page.getByText('No basket yet').waitFor();
    await saved.click();
    await page.getByRole('menuitem', { name: /Majors/ }).click();
    await page.getByRole('list', { name: 'Long legs' }).getByText('SOL', { exact: true }).waitFor();
    expect(await page.getByLabel('Weight of BTC in percent').inputValue()).to.equal('30');
  });

  itInFreshTab('sets one leverage for all legs, each bounded by what its instrument allows', async () => {
    const { page } = desk;
    await desk.ada.call('PUT', '/leverage', { symbol: 'ETH-PERP', leverage: 2, marginMode: 'isolated' });
    await desk.goTo(PAIR_LINK);
    await page.getByRole('button', { name: 'All legs 2–5×' }).waitFor();
    // Nothing is sent that was only assumed: not before it is read, nor of an instrument with isolated margin alone.
    const release = await holdAnswers(page, pathIs('/leverage'));
    const { json } = await desk.ada.call('GET', '/instruments?connector=paper');
    for (const one of json['instruments']) if (one.id === 'BTC-PERP') one.marginModes = ['isolated'];
    await page.route(pathIs('/instruments'), (route) => route.fulfill({ json }));
    await page.reload();
    await page.getByRole('button', { name: 'All legs', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Leverage of all legs' });
    await form.getByText('Loading').waitFor();
    expect(await form.getByRole('button', { name: 'Set for all legs' }).count()).to.equal(0);
    release();
    const field = form.getByLabel('Leverage', { exact: true });
    await page.getByRole('button', { name: 'Leverage of BTC: 5 times, isolated' }).waitFor();
    await page.unroute(pathIs('/instruments'));
    const sent: Json[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT' && pathIs('/leverage')(new URL(request.url())))
        sent.push(request.postDataJSON());
    });
    // Changed elsewhere while the form is open: stays. What BTC has without a setting is the venue's to say: it is sent.
    await desk.ada.call('PUT', '/leverage', { symbol: 'ETH-PERP', leverage: 5, marginMode: 'cross' });
    await field.fill('5');
    await field.press('Enter');
    await form.waitFor({ state: 'detached' });
    expect(sent).to.deep.equal([
      { symbol: 'BTC-PERP', leverage: 5, marginMode: 'isolated' },
      { symbol: 'ETH-PERP', leverage: 5, marginMode: 'cross' },
    ]);
    await desk.ada.call('PUT', '/leverage', { symbol: 'ETH-PERP', leverage: 2, marginMode: 'isolated' });
    await page.getByRole('button', { name: 'All legs 5×' }).click();
    await field.fill('41');
    await form.getByText('At most 40').last().waitFor();
    await field.fill('30');
    await form.getByText('ETH gets 25×, its maximum').waitFor();
    await expectAccessible(page, 'leverage of all legs');
    await field.press('Enter');
    await form.waitFor({ state: 'detached' });
    const all = page.getByRole('button', { name: 'All legs 25–30×' });
    await all.waitFor();
    await page.getByRole('button', { name: 'Leverage of ETH: 25 times, isolated' }).waitFor();
    const set = (await desk.rows('/leverage', 'leverage')).map(
      ({ symbol, leverage }) => `${symbol} ${leverage}`,
    );
    expect(set).to.have.members(['BTC-PERP 30', 'ETH-PERP 25']);
    // One that is refused holds no other up, and is named.
    desk.expectAnswers('409 /leverage');
    await page.route('**/leverage', (route) =>
      route.request().method() === 'PUT' && route.request().postDataJSON().symbol === 'BTC-PERP'
        ? route.fulfill({
            status: 409,
            json: { errorCode: 'CONFIGURATION_ERROR', message: 'Not while it is open' },
          })
        : route.fallback(),
    );
    await all.click();
    await field.fill('3');
    await form.getByRole('button', { name: 'Set for all legs' }).click();
    await form.getByText('BTC: Not while it is open').waitFor();
    await page.getByRole('button', { name: 'Leverage of ETH: 3 times, isolated' }).waitFor();
    await page.unroute('**/leverage');
    await page.keyboard.press('Escape');
  });

  itInFreshTab(
    'shows z-score and spread of a pair, and why a larger basket has none but of its ratio',
    async () => {
      const { page } = desk;
      await desk.goTo(PAIR_LINK);
      const tab = page.getByRole('tab', { name: 'Spread z' });
      await tab.click();
      await page.getByRole('img', { name: /^Spread z of BTC \/ ETH/ }).waitFor();
      // Its name is no other z-score's: that of a trigger is of the ratio.
      const ratioZ = page.getByLabel('About the pair').getByText('Ratio z (240 h)', { exact: true });
      await page.mouse.move(2, 2);
      await ratioZ.hover();
      await page
        .getByRole('tooltip')
        .getByText(/Spread z 30d −?\d+\.\d\d$/)
        .waitFor();
      await page.mouse.move(2, 2);
      await tab.hover();
      await page.getByRole('tooltip').getByText('What triggers compare is another, Ratio z').waitFor();
      await expectAccessible(page, 'z-score');
      await page.mouse.move(2, 2);
      await page.getByRole('tab', { name: 'Ratio z', exact: true }).click();
      const drawn = page.getByRole('img', { name: /^Z-score of the price ratio \(240 h\)/ });
      await untilPage(page, 'the head says the z that the chart draws', async () => {
        const [, chart] = /now (\S+?)(,|$)/.exec((await drawn.getAttribute('aria-label')) ?? '') ?? [];
        const head = await page.getByLabel('About the pair').textContent();
        return chart !== undefined && head?.includes(`Ratio z (240 h)${chart}`);
      });
      await page.getByRole('tab', { name: 'Spread %' }).click();
      await page.getByRole('img', { name: /^Spread of BTC \/ ETH/ }).waitFor();
      await expectAccessible(page, 'spread');
      await addLeg('long', 'sol');
      await page.getByText('Only of a pair').waitFor();
      await page.getByRole('tab', { name: 'Ratio z' }).click();
      await page
        .getByRole('img', { name: /^Z-score of the weighted ratio \(240 h\) of .*, now −?\d/ })
        .waitFor();
      // After a full hour its own hours stay in sight until those of the next are read.
      const held: Route[] = [];
      await page.route('**/candles/basket?*', (route) => {
        held.push(route);
      });
      await page.clock.setSystemTime(systemClock.now() + 3_600_000);
      await untilPage(page, 'the next hour is asked for', async () => held.length > 0);
      await framesPass(page, 300);
      expect(
        await page
          .getByRole('img', { name: /^Z-score of the weighted ratio \(240 h\) of .*, now −?\d/ })
          .count(),
      ).to.equal(1);
      for (const route of held) {
        const { pathname, searchParams } = new URL(route.request().url());
        for (const end of ['from', 'to'])
          searchParams.set(end, String(Number(searchParams.get(end)) - 3_600_000));
        const { json } = await desk.ada.call('GET', `${pathname}?${searchParams}`);
        await route.fulfill({ json });
      }
      await page.clock.setSystemTime(systemClock.now());
      await page.unroute('**/candles/basket?*');
      // Its head has figures all the same.
      const head = page.locator('dl[aria-label="About the basket"]');
      for (const [name, figure] of [
        ['24 h', /%$/],
        ['Funding APR', /%/],
        ['Volume 24 h', /^\$/],
      ] as const)
        await head.locator('div', { hasText: name }).locator('dd', { hasText: figure }).waitFor();
    },
  );
});
