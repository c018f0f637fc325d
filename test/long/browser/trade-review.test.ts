/** Trade: the review says everything that was typed, and what becomes of the brackets of a position that is held. */
import { expect } from 'chai';
import { expectAccessible } from '../../support/dashboard.ts';
import { untilPage } from '../../support/page-time.ts';
import { figureOf, zOfRatio } from '../../support/ratio-z.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { PAIR } from '../../support/trader.ts';

describe('trade screen, the review', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  it('says the limit, what it is now, and every other choice of a TWAP', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('TWAP');
    // With equal sides the price ratio is that of the head. The gateway's weighted ratio is its root.
    const priced = ticket().getByLabel('Limit, price ratio');
    await priced.fill('250');
    await ticket().getByText('Is it a weighted ratio?').waitFor();
    await priced.fill('25');
    const first = await desk.review();
    await first.getByText(/Waits while the price ratio is above 25 \(\s*now \d/).waitFor();
    await first.getByText('sent as a weighted ratio of 5').waitFor();
    // 25 × 1.01 ÷ 0.99, but for the ticks of both prices.
    await first.getByText(/^25\.5\d+ at its limit$/).waitFor();
    await expectAccessible(page, 'review of a TWAP with a limit');
    await first.getByRole('button', { name: 'Back' }).click();
    // At other weights it is not: nothing is sent as another limit than was typed.
    await page.getByLabel('Weight of BTC in percent').fill('48');
    await page.getByRole('button', { name: 'Scale to 100 %' }).click();
    await ticket().getByRole('button', { name: 'Review' }).click();
    await ticket()
      .getByText(/^Typed as a price ratio: at these weights it is a weighted ratio/)
      .waitFor();
    const limit = ticket().getByLabel('Limit, weighted ratio');
    await limit.fill('777');
    await ticket().getByText('Is it a price ratio?').waitFor();
    await expectAccessible(page, 'a limit far from now');
    // The value of now is one press away.
    await ticket()
      .getByRole('button', { name: /^Now \d/ })
      .press('Enter');
    const now = await limit.inputValue();
    expect(Number(now)).to.be.above(0);
    await ticket().getByText('Is it a price ratio?').waitFor({ state: 'detached' });
    // The chart's and the head's ratio is another measure: noted at the field and again before sending.
    const [, ratio = ''] =
      /not the price ratio, which is ([\d.]+)/.exec((await ticket().textContent()) ?? '') ?? [];
    expect(Number(ratio)).to.be.above(Number(now) * 2);
    await limit.fill(ratio);
    await ticket().getByText('is near the price ratio, but the limit is a weighted ratio').waitFor();
    const wrong = await desk.review();
    await wrong.getByText('it would hold nothing back').waitFor();
    await wrong.getByRole('button', { name: 'Back' }).click();
    await limit.fill('9.5');
    const sheet = await desk.review();
    await sheet.getByText(/Waits while the weighted ratio is above 9\.5 \(\s*now \d/).waitFor();
    await sheet.getByText('Later slices grow').waitFor();
    await sheet.getByText('60 s', { exact: true }).waitFor();
    await sheet.getByText(/^\d+\.\d+ of a slice now$/).waitFor();
    await sheet.getByRole('region', { name: 'If all of it opened now' }).getByText('Free margin').waitFor();
  });

  it('says expiry and what happens if it is missed of a trigger, and takes no time that has passed', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    await ticket().getByLabel('Level').fill('20');
    const expires = ticket().getByLabel(/^Expires/);
    await expires.fill('2020-01-31T12:00');
    await ticket().getByRole('button', { name: 'Review' }).click();
    await ticket().getByText('Is in the past').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await expires.fill('2099-01-31T12:00');
    // 20 × 1.01 ÷ 0.99, but for the ticks of both prices.
    const worst = /20\.4\d{3} if fired at its level/;
    await ticket().getByText(worst).waitFor();
    const sheet = await desk.review();
    await sheet.getByText(worst).waitFor();
    await sheet.getByText(/2099/).waitFor();
    await sheet.getByText('Fires late, if it still holds').waitFor();
    await sheet.getByText('Mark prices').waitFor();
    await sheet.getByText(/^Price ratio below 20 \(now \d[\d.]+\)$/).waitFor();
    await expectAccessible(page, 'review of a trigger with its terms');
  });

  it('says where the ratio stands among its own past, beside the level and in the review', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('Trigger');
    await ticket().getByRole('radio', { name: 'Ratio z', exact: true }).click();
    await ticket().getByLabel('Looks back').fill('100');
    await ticket().getByLabel('Level').fill('-30');
    const said = ticket().getByText(/^Now [−\d]/);
    await untilPage(page, 'it stands beside the level as the candles have it', async () => {
      const text = (await said.textContent()) ?? '';
      return Math.abs(figureOf(text.replace('Now ', '')) - (await zOfRatio(ada, 100))) < 0.05;
    });
    const sheet = await desk.review();
    await sheet.getByText(/^Z-score of the price ratio \(100 h\) below −30 \(now −?\d+\.\d\d\)$/).waitFor();
  });

  it('says a bracket on the z-score as one, with no dollars of a plain ratio, also where it is not set', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('100');
    await page.getByRole('tab', { name: 'Ratio z' }).click();
    await page.getByRole('img', { name: /^Z-score of the price ratio \(240 h\)/ }).waitFor();
    await page.getByRole('button', { name: 'Set a level' }).press('Enter');
    const choices = page.getByRole('dialog', { name: /^Set a level at −?\d+\.\d\d$/ });
    const level = ((await choices.getAttribute('aria-label')) ?? '').replace('Set a level at ', '');
    expect(figureOf(level)).to.be.closeTo(await zOfRatio(ada, 240), 0.05);
    const choice = choices
      .getByRole('button', { name: /^Order with a (take-profit|stop-loss) here$/ })
      .first();
    const side = (await choice.textContent())?.includes('stop-loss') ? 'Stop-loss' : 'Take-profit';
    await choice.press('Enter');
    const words = `Z-score of the price ratio (240 h) ${String(figureOf(level)).replace('-', '−')}`;
    const sheet = await desk.review();
    const terms = sheet.locator('dl > div').filter({ has: page.getByText(side, { exact: true }) });
    await terms.getByText(words).waitFor();
    expect(await terms.textContent()).not.to.match(/[$≈]/);
    await expectAccessible(page, 'review of a bracket on the z-score');
    await sheet.getByRole('button', { name: 'Back' }).click();
    await sheet.waitFor({ state: 'detached' });
    const three = { type: 'PERCENTAGE', value: '3' };
    await ada.open(PAIR, { takeProfit: three, stopLoss: three });
    await ticket().getByText('SL −3 %, of the whole position').waitFor();
    await (await desk.review()).getByText(`${words} is not set: the position keeps its own`).waitFor();
  });

  it('says the measure, the sizes and the distances of a ladder', async () => {
    await desk.goTo(PAIR_LINK);
    await desk.kind('Ladder');
    await ticket().getByLabel('First rung').fill('25');
    await ticket().getByLabel('Last rung').fill('21');
    const sheet = await desk.review();
    await sheet.getByText(/Price ratio below the rung \(\s*now \d/).waitFor();
    await sheet.getByText('Equal distances, equal sizes').waitFor();
    await sheet.getByText('Never', { exact: true }).waitFor();
  });

  it('is of the size that the risk asks for at the stop that was let go', async () => {
    await desk.goTo(PAIR_LINK);
    await ticket().getByText('By risk').click();
    await ticket().getByLabel('Lose at most').fill('200');
    await ticket().getByRole('textbox', { name: 'Loss', exact: true }).fill('2');
    const line = page.getByRole('slider', { name: /^Move SL/ });
    for (let times = 0; times < 4; times += 1) await line.press('ArrowDown');
    await line.press('Enter');
    const sheet = page.getByRole('dialog');
    await sheet.waitFor();
    await sheet.getByRole('button', { name: 'Place order' }).click();
    await desk.cardSays('Filled');
    const [held] = (await ada.call('GET', '/positions')).json.positions;
    // 10,000 at the stop that was typed, less at the one that is further away.
    expect(Number(held.grossNotional)).to.be.within(5_000, 9_800);
  });

  it('says what becomes of the stop that the position has: it covers what is added, or is replaced', async () => {
    await ada.open(PAIR, { stopLoss: { type: 'PERCENTAGE', value: '3' } });
    await desk.goTo(PAIR_LINK);
    await ticket().getByText('SL −3 %, of the whole position').waitFor();
    await ticket().getByLabel('Notional').fill('100');
    const says = async (words: RegExp) => {
      const sheet = await desk.review();
      await sheet.getByText(words).waitFor();
      await expectAccessible(page, `review: ${words.source}`);
      await sheet.getByRole('button', { name: 'Back' }).click();
      await sheet.waitFor({ state: 'detached' });
    };
    await says(
      /−3 % of \$\d,\d{3}\.\d\d stays, and covers what is added, fires at −3\.00\s% \([\d.]+\s% away\): −\$\d/,
    );
    await page.getByRole('switch', { name: 'Stop-loss' }).click();
    await ticket().getByRole('textbox', { name: 'Loss' }).fill('1');
    await says(/^The stop-loss −1 % is not set: the position keeps its own, −3 %\.$/);
    const sheet = await desk.review();
    expect(await sheet.getByText('Stop-loss', { exact: true }).count(), 'told once').to.equal(0);
    await sheet.getByRole('button', { name: 'Back' }).click();
    await ticket().getByRole('combobox', { name: 'If the position has its own' }).click();
    await page.getByRole('option', { name: 'These take its place' }).click();
    await says(/^fires at −1\.00\s% \([\d.]+\s% away\): −\$[\d.]+, whole position/);
    await says(/−3 % of \$\d,\d{3}\.\d\d is replaced/);
  });
});
