/** Positions and the bar above it are of one moment, however the market moves and however late answers are. */
import { expect } from 'chai';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { screenSuite } from '../../support/screen-suite.ts';
import { usd } from '../../support/trader.ts';

/** Cents, as the page shows them. */
interface Shown {
  readonly rows: readonly number[];
  readonly total: number;
  readonly tile: number;
  readonly bar: number;
  readonly past: number;
  readonly size: number;
  readonly gross: number;
  readonly pastGross: number;
}

/** Notes what the page shows, in each frame in which it is something new. NaN: not there. */
const WATCH = `(() => {
  const cents = (text) => {
    const [, sign, digits] = /([+\\u2212-]?)\\$([\\d,]+\\.\\d\\d)/.exec(text ?? '') ?? [];
    return digits === undefined ? NaN : (sign === '' || sign === '+' ? 1 : -1) * Math.round(Number(digits.replaceAll(',', '')) * 100);
  };
  const tile = (list, name) => [...document.querySelectorAll(list + ' > div')]
    .find((one) => one.querySelector('dt').textContent === name)?.querySelector('dd');
  const look = () => {
    const table = document.querySelector('table[aria-label="Open positions"]');
    if (table === null) return null;
    const names = [...table.querySelectorAll('thead th, thead td')].map((one) => one.textContent);
    const cell = (row, name) => cents(row?.children[names.indexOf(name)]?.textContent);
    const foot = table.querySelector('tfoot tr');
    const [unrealised, gross] = [tile('[aria-label="Account totals"]', 'Unrealised'), tile('[aria-label="Risk"]', 'Gross')];
    const past = (place) => place?.querySelector('small') == null ? 0 : cents(place.querySelector('small').textContent);
    return {
      rows: [...table.querySelectorAll('tbody tr[data-row]')].map((row) => cell(row, 'Unrealised')),
      total: cell(foot, 'Unrealised'), tile: cents(unrealised?.textContent), past: past(unrealised),
      bar: cents(tile('header dl', 'Unrealised')?.textContent),
      size: cell(foot, 'Size'), gross: cents(gross?.textContent), pastGross: past(gross),
    };
  };
  window.seen = [];
  let last = '';
  const frame = () => {
    const found = look();
    const text = JSON.stringify(found);
    if (found !== null && text !== last) window.seen.push(found);
    last = text;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;

/** Text of the close dialog above its form and below it. */
interface Closing {
  readonly head: string;
  readonly plan: string;
}

const WATCH_DIALOG = `(() => {
  window.seen = [];
  const frame = () => {
    const dialog = document.querySelector('[role=dialog]');
    const preview = dialog?.querySelector('[aria-label=Preview]');
    const head = [...(dialog?.querySelectorAll('dl') ?? [])].find((list) => !preview?.contains(list));
    if (preview != null && head != null) window.seen.push({ head: head.textContent, plan: preview.textContent });
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;

/** Every question goes out, and every answer comes in, when it likes. */
const SLOW_AT_RANDOM = `(() => {
  const ask = window.fetch;
  const some = async () => {
    for (let frames = Math.random() * 21; frames > 0; frames -= 1) await new Promise(requestAnimationFrame);
  };
  window.fetch = async (input, init) => {
    if (!/\\/(positions|portfolio)\\b/.test(String(input?.url ?? input))) return ask(input, init);
    await some();
    const answer = await ask(input, init);
    await some();
    return answer;
  };
})()`;

describe('what Positions shows', function () {
  this.timeout(120_000);
  const desk = screenSuite(() => false, { settings: { paperSpeed: 60 } });

  itInFreshTab('adds up in every frame: rows, totals, tiles and the bar', async () => {
    const { bot, page } = desk;
    const slippage = { slippage: '0.05' };
    await bot.open([usd('BTC', 'BUY', '40000'), usd('ETH', 'SELL', '20000')], slippage);
    await bot.open([usd('SOL', 'BUY', '15000')], slippage);
    const order = { symbol: 'LINK-PERP', side: 'BUY', quantity: '200' };
    await bot.expect('POST', `/trade-accounts/${bot.accountId}/paper/outside-order`, order);
    for (const script of [SLOW_AT_RANDOM, WATCH]) await page.addInitScript(script);
    await desk.goTo('/positions');
    const seen = () => page.evaluate<readonly Shown[]>('window.seen');
    const isWhole = ({ rows, total, tile, bar, gross }: Shown) =>
      rows.length > 1 && ![total, tile, bar, gross].some(Number.isNaN);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await untilPage(
      page,
      'some moments were seen',
      async () => (await seen()).filter(isWhole).length > 8,
      40_000,
    );
    // A trade changes what rows there are.
    await bot.open([usd('AVAX', 'BUY', '9000')], slippage);
    await page.getByRole('table', { name: 'Open positions' }).getByText('AVAX').waitFor();
    const [{ id }] = await bot.positions();
    await bot.call('POST', `/positions/${id}/close`, { type: 'MARKET', ...slippage });
    const { length } = await seen();
    await untilPage(page, 'some more', async () => (await seen()).length > length + 4, 40_000);

    const all = (await seen()).filter(isWhole);
    expect(new Set(all.map(({ tile }) => tile)).size, 'prices have moved').to.be.greaterThan(6);
    const torn = all.filter(
      ({ rows, total, tile, bar, past: outside, size, gross, pastGross }) =>
        tile !== bar ||
        // Each figure is rounded for itself.
        Math.abs(total + outside - tile) > 1 ||
        Math.abs(rows.reduce((sum, row) => sum + row, 0) - total) > rows.length ||
        Math.abs(size + pastGross - gross) > 1,
    );
    expect(torn).to.deep.equal([]);
  });

  itInFreshTab('is of the moment of its plan in the head of a close', async () => {
    const { bot, page } = desk;
    if ((await bot.positions()).length === 0)
      await bot.open([usd('BTC', 'BUY', '40000')], { slippage: '0.05' });
    await desk.goTo('/positions');
    await page
      .getByRole('table', { name: 'Open positions' })
      .getByRole('button', { name: /^Close/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await page.evaluate(WATCH_DIALOG);
    const seen = () => page.evaluate<readonly Closing[]>('window.seen');
    await untilPage(
      page,
      'three plans were seen',
      async () => new Set((await seen()).map(({ plan }) => plan)).size > 3,
      40_000,
    );
    const heads = new Map<string, Set<string>>();
    for (const { head, plan } of await seen()) heads.set(plan, (heads.get(plan) ?? new Set()).add(head));
    expect([...heads.values()].map(({ size }) => size)).to.deep.equal([...heads].map(() => 1));
  });
});
