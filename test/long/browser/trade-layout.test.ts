/** Trade: what stands where when there is little room. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';

const TWENTY = 'BTC SOL LINK AVAX DOGE XRP ADA LTC ETH ARB HYPE SUI BNB AAVE NEAR DOT ATOM UNI OP APT'.split(
  ' ',
);

describe('trade screen, little room', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ticket } = desk;

  it('keeps the document as it is when the window gets smaller under an open list', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    const field = ticket().getByRole('combobox', { name: 'Condition' });
    await field.click();
    await page.getByRole('option').first().waitFor();
    await page.setViewportSize({ width: 400, height: 800 });
    // A list without its field.
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    const beyond = await page.evaluate<number>(
      'document.documentElement.scrollHeight - document.documentElement.clientHeight',
    );
    expect(beyond, 'px below the window').to.equal(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await untilPage(page, 'the list is back or closed', async () => {
      if ((await field.getAttribute('aria-expanded')) === 'true')
        return page.getByRole('option').first().isVisible();
      await field.click();
      return false;
    });
  });

  it('leaves the chart its room beside twenty legs, which are scrolled, and knows their equal weights', async () => {
    const legs = TWENTY.map((name, index) => `${index % 2 === 0 ? 'long' : 'short'}=${name}-PERP`);
    await desk.goToChart(`/trade?${legs.join('&')}`);
    await page.getByRole('region', { name: 'This account' }).getByText('No open positions').waitFor();
    await page.getByRole('button', { name: 'Equal legs', exact: true, pressed: true }).waitFor();
    for (const height of [800, 1_000]) {
      await page.setViewportSize({ width: 1280, height });
      const box = async (name: string) => await page.getByRole('region', { name, exact: true }).boundingBox();
      await untilPage(page, `all of the chart is above the panel at ${height}`, async () => {
        const [chart, dock] = [await box('Chart'), await box('This account')];
        return chart !== null && dock !== null && chart.height >= 240 && chart.y + chart.height <= dock.y;
      });
    }
    await page.getByRole('button', { name: 'Remove APT', exact: true }).scrollIntoViewIfNeeded();
    await expectAccessible(page, 'twenty legs');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('says when a trailing bracket begins to trail: a target at its own level, a stop at once', async () => {
    await desk.goTo(PAIR_LINK);
    for (const name of ['Take-profit', 'Stop-loss']) await page.getByRole('switch', { name }).click();
    for (const index of [0, 1])
      await ticket()
        .getByRole('checkbox', { name: /^Trailing/ })
        .nth(index)
        .check();
    await ticket().getByText('Empty: at the gain above', { exact: true }).waitFor();
    await ticket().getByText('Empty: at once', { exact: true }).waitFor();
  });
});
