/** Proofs that a picture shows the state it is named after. */

import type { Locator, Page } from 'playwright-core';
import type { Proof } from './shot.ts';

export const text =
  (words: string | RegExp): Proof =>
  (page) =>
    page.getByText(words).first();
export const dialog = (page: Page) => page.getByRole('dialog').last();
export const inDialog =
  (words: string | RegExp): Proof =>
  (page) =>
    dialog(page).getByText(words).first();
/** A row of the table of this name. */
export const row =
  (table: string, words: string | RegExp = /./): Proof =>
  (page) =>
    page
      .getByRole('table', { name: table, exact: true })
      .locator('tr[data-row]')
      .filter({ hasText: words })
      .first();
export const anyRow: Proof = (page) => page.getByRole('table').locator('[data-row]').first();
export const image =
  (name: RegExp): Proof =>
  (page) =>
    page.getByRole('img', { name }).first();
export const option: Proof = (page) => page.getByRole('option').first();
export const heading =
  (name: string | RegExp): Proof =>
  (page) =>
    page.getByRole('heading', { name }).first();
export const menu: Proof = (page) => page.getByRole('menu');
export const columns =
  (table: string): Proof =>
  (page) =>
    page.getByRole('group', { name: `Columns of ${table}` }).getByRole('button', { name: 'Automatic' });
/** The column stands: over a narrow list of cards it is the name of a figure. */
export const column =
  (name: string): Proof =>
  (page) =>
    page.locator(`[data-row] [data-name="${name}"]`).first();
/** Legs of an opened position: a table, in narrow windows a list. */
export const legs: Proof = (page) => page.getByLabel('Legs', { exact: true }).first();
/** In a panel of the screen itself: what stands for a screen whose file is on its way has none. */
export const loading: Proof = (page) => page.locator('main section [role=status] [class*=bar]').first();
export const refused = text('The account may not be read');
/** In the bar or, where that is narrow, beside the screen's title. */
export const stale: Proof = (page) =>
  page
    .getByText(/^Stale \d+ s$/)
    .filter({ visible: true })
    .first();
export const ticket = (page: Page) => page.getByRole('form', { name: 'Ticket' });
export const inTicket =
  (words: string | RegExp): Proof =>
  (page) =>
    ticket(page).getByText(words).first();
export const inDock =
  (tab: RegExp, words: RegExp = /./): Proof =>
  (page) =>
    page
      .getByRole('region', { name: 'This account' })
      .filter({ has: page.getByRole('tab', { name: tab, selected: true }) })
      .getByRole('tabpanel')
      .filter({ hasText: words });
export const card = (page: Page) =>
  page.getByRole('region', { name: 'Sent orders' }).getByRole('article').first();
export const inCard =
  (words: string): Proof =>
  (page) =>
    card(page).getByText(words).first();
/** A dialog with all of these words. */
export const dialogWith =
  (...words: readonly (string | RegExp)[]): Proof =>
  (page) =>
    words.reduce<Locator>((found, one) => found.filter({ hasText: one }), dialog(page));
export const dialogNamed =
  (name: string | RegExp): Proof =>
  (page) =>
    page.getByRole('dialog', { name });
/** Some radio button of this name in the newest dialog is chosen. */
export const radioInDialog =
  (name: string): Proof =>
  (page) =>
    dialog(page).getByRole('radio', { name, checked: true });
export const button =
  (name: string | RegExp): Proof =>
  (page) =>
    page.getByRole('button', { name }).first();
export const chartInDialog: Proof = (page) =>
  dialog(page)
    .getByRole('img', { name: /^Chart of/ })
    .first();
export const radioInPage =
  (name: string): Proof =>
  (page) =>
    page.getByRole('radio', { name, checked: true });
/** The review sheet with its leg of this name. */
export const reviewOf =
  (name: RegExp): Proof =>
  (page) =>
    dialog(page).getByRole('row', { name }).first();
