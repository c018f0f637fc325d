/** The choice of the length of a chart's candles: buttons side by side, in a narrow window a list. */
import type { Locator, Page } from 'playwright-core';

const list = (page: Page) => page.getByRole('combobox', { name: 'Candles of' });

/** The visible form of the choice: radio buttons or a list. */
export const intervals = (page: Page): Locator =>
  page.getByRole('radiogroup', { name: 'Candles of' }).or(list(page)).locator('visible=true').first();

export async function chooseInterval(page: Page, name: string): Promise<void> {
  const inList = await list(page).isVisible();
  if (inList) await list(page).click();
  await page.getByRole(inList ? 'option' : 'radio', { name, exact: true }).click();
}

/** The chart shows candles of that length. */
export const chosenInterval = (page: Page, name: string): Locator =>
  page
    .getByRole('radio', { name, exact: true, checked: true })
    .or(list(page).filter({ hasText: new RegExp(`^${name}$`) }))
    .locator('visible=true');
