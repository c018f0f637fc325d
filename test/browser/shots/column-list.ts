/** The list of a table's columns, open, with some chosen: another width of the window closes it. */
import type { Page } from 'playwright-core';
import type { Shot } from './shot.ts';

/** Opens the list where it is closed. */
export async function openColumns(page: Page, table: string): Promise<void> {
  const list = page.getByRole('group', { name: `Columns of ${table}` });
  if (!(await list.isVisible())) await page.getByRole('button', { name: `Columns of ${table}` }).click();
  await list.waitFor();
}

/** Chooses columns that the narrower widths have no room for; the list stays open. */
export async function chooseColumns(page: Page, table: string, columns: readonly string[]): Promise<void> {
  await openColumns(page, table);
  for (const column of columns) {
    const box = page.getByRole('checkbox', { name: column, exact: true });
    // Twice: what stands by the width is chosen too.
    await box.uncheck();
    await box.check();
  }
}

/** Opens the column list, from the width at which there is a table. Cards show every column and have no list. */
export const withColumns = (table: string): Pick<Shot, 'stands' | 'from'> => ({
  stands: ({ page }) => openColumns(page, table),
  from: 560,
});
