/** Steps that states of Trade share. */
import { PAIR } from '../../support/trader.ts';
import { dialog, image, ticket } from './proofs.ts';
import { at, type Proof, type Shot, type Step } from './shot.ts';

export const PAIR_LINK = '/trade?long=BTC-PERP&short=ETH-PERP';

export const chart = image(/^Chart of/);

/** A state that begins with a basket and its chart. */
export const atChart = (
  name: string,
  proof: Proof,
  then: Step = async () => undefined,
  link = PAIR_LINK,
): Shot =>
  at(link, name, proof, async (stage) => {
    await chart(stage.page).waitFor();
    await then(stage);
  });

/** In a narrow window the chart is below its basket: a picture of it has all of it. */
export const chartInView: Step = ({ page }) => chart(page).scrollIntoViewIfNeeded();

/** Opens the pair once. */
export const hold: Step = async ({ bot }) => {
  if ((await bot.positions()).length === 0) await bot.open(PAIR);
};

export const kind =
  (name: string): Step =>
  ({ page }) =>
    ticket(page).getByRole('radio', { name, exact: true }).click();

export const fill =
  (label: string, value: string): Step =>
  ({ page }) =>
    ticket(page).getByLabel(label).fill(value);

export const review: Step = ({ page }) => ticket(page).getByRole('button', { name: 'Review' }).click();

export const place: Step = async (stage) => {
  await review(stage);
  await dialog(stage.page).getByRole('button', { name: 'Place order' }).click();
};

export const spreadBelow: Step = async ({ page }) => {
  await page.getByRole('combobox', { name: 'Below the candles' }).click();
  await page.getByRole('option', { name: 'With spread z' }).click();
};

export const stopLoss =
  (percent: string): Step =>
  async ({ page }) => {
    await page.getByRole('switch', { name: 'Stop-loss' }).click();
    await ticket(page).getByRole('textbox', { name: 'Loss', exact: true }).fill(percent);
  };
