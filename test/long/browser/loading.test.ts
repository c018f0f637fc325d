/** Placeholders of loading figures: on every surface, in both themes, and without motion where that is reduced. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { holdAnswers, pathIs } from '../../support/dashboard-states.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';

const LEAST = 1.3;

/** In the list of the screen itself: what stands for a screen whose file is still on its way has the same bars. */
const BAR = 'main [role=tabpanel] [role=status] [class*=bar]';

/** Contrast of a bar to each surface of the theme at the palest moment of its pulse; null: there is no bar. */
const PALEST = `(() => {
  const bar = document.querySelector('${BAR}');
  if (bar === null) return null;
  const style = getComputedStyle(bar);
  let opacity = Number(style.opacity);
  for (const one of bar.getAnimations()) {
    one.pause();
    for (let at = 0; at <= 1_400; at += 50) {
      one.currentTime = at;
      opacity = Math.min(opacity, Number(getComputedStyle(bar).opacity));
    }
    one.play();
  }
  const rgb = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (colour) => colour
    .map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
  const probe = document.body.appendChild(document.createElement('i'));
  const found = ['--bg', '--surface', '--raised', '--overlay'].map((name) => {
    probe.style.backgroundColor = 'var(' + name + ')';
    const below = rgb(getComputedStyle(probe).backgroundColor);
    const seen = rgb(style.backgroundColor).map((one, index) => one * opacity + below[index] * (1 - opacity));
    const [low, high] = [light(below), light(seen)].sort((a, b) => a - b);
    return [name, (high + 0.05) / (low + 0.05)];
  });
  probe.remove();
  return found;
})()`;

type Palest = readonly (readonly [string, number])[];

const palest = (page: Page) =>
  untilPage(page, 'a bar of the list', () => page.evaluate<Palest | null>(PALEST));

/** Records, at each change, which parts of a loading screen are on the page. */
const WATCH = `
  window.seen = [];
  const look = () => {
    const has = (what) => document.querySelector(what) !== null;
    const now = [has('main [role=tablist]') ? 'screen' : 'no screen', has('main [class*=bar]') ? 'bars' : 'nothing'].join(', ');
    if (window.seen.at(-1) !== now) window.seen.push(now);
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });`;

describe('what loads', function () {
  this.timeout(90_000);
  const desk = screenSuite();

  itInFreshTab('does not go empty between the file of its screen and its data', async () => {
    const { page } = desk;
    const answer = await holdAnswers(page, pathIs('/executions'));
    const file = await holdAnswers(page, /\/orders-[^/]+\.js$/);
    await page.addInitScript(WATCH);
    await desk.goTo('/orders/executions');
    await page.locator('main [role=status] [class*=bar]').first().waitFor();
    file();
    await page.locator(BAR).first().waitFor();
    const seen = await page.evaluate<readonly string[]>('window.seen');
    expect(seen.slice(seen.indexOf('no screen, bars'))).to.deep.equal(['no screen, bars', 'screen, bars']);
    answer();
  });

  itInFreshTab('is seen, calmly, in both themes', async () => {
    const { page } = desk;
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const release = await holdAnswers(page, pathIs('/executions'));
    await desk.goTo('/orders/executions');
    await page.locator('h1').filter({ hasText: 'Orders' }).waitFor({ state: 'attached' });
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      const found = await palest(page);
      expect(found).to.have.length(4);
      for (const [surface, contrast] of found) {
        expect(contrast, `on ${surface}, ${theme}`).to.be.at.least(LEAST);
        expect(contrast, `on ${surface}, ${theme}`).to.be.below(2);
      }
    }
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = await page.evaluate<number>(`document.querySelector('${BAR}').getAnimations().length`);
    expect(moving).to.equal(0);
    release();
  });
});
