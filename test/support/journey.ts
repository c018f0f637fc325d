/**
 * Counts the actions of a user on a screen, with the mouse or with the keyboard alone. Actions are clicks, keys on a
 * control, filled fields, a choice among neighbours by arrow keys, and shortcuts. The way to a control is none:
 * the pointer travels, and so does Tab, which has to get there.
 */
import type { Locator, Page } from 'playwright-core';

export const WAYS = ['mouse', 'keyboard'] as const;
export type Way = (typeof WAYS)[number];

/** From one end of a page to the other; further away is out of reach. */
const MOST_TABS = 150;

export interface Journey {
  readonly actions: number;
  press(control: Locator): Promise<void>;
  /** Turns a switch. */
  turn(control: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  /** Chooses a neighbour of what is chosen: so many arrow keys further on. */
  choose(control: Locator, arrows?: readonly string[]): Promise<void>;
  /** Keys that belong together: `g`, `o`. */
  keys(...keys: readonly string[]): Promise<void>;
}

/** @returns how often Tab was pressed until the control had the focus */
export async function tabTo(page: Page, control: Locator): Promise<number> {
  await control.waitFor();
  const element = await control.elementHandle();
  for (let tabs = 0; tabs <= MOST_TABS; tabs += 1) {
    if ((await element?.evaluate((one) => one === one.ownerDocument.activeElement)) === true) return tabs;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not get to ${control}`);
}

/** Waits until the control has the focus. */
export const hasFocus = (control: Locator) => control.and(control.page().locator(':focus')).waitFor();

export function journey(page: Page, way: Way): Journey {
  let actions = 0;
  const act = async (control: Locator, key: string) => {
    actions += 1;
    if (way === 'mouse') return control.click();
    await tabTo(page, control);
    return page.keyboard.press(key);
  };
  return {
    get actions() {
      return actions;
    },
    press: (control) => act(control, 'Enter'),
    turn: (control) => act(control, 'Space'),
    async type(field, text) {
      actions += 1;
      if (way === 'mouse') return field.fill(text);
      await tabTo(page, field);
      await page.keyboard.press('Control+a');
      return page.keyboard.type(text);
    },
    async choose(control, arrows = ['ArrowDown']) {
      actions += 1;
      if (way === 'mouse') return control.click();
      for (const key of arrows) await page.keyboard.press(key);
    },
    async keys(...keys) {
      actions += 1;
      for (const key of keys) await page.keyboard.press(key);
    },
  };
}
