/** Trade: what the ticket takes as input, shows of a held position, and keeps over a reload. */
import { expect } from 'chai';
import { firstSeen } from '../../support/browser.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';
import { usd } from '../../support/trader.ts';

describe('trade screen, input of the ticket', function () {
  this.timeout(90_000);
  const desk = tradeScreen();

  itInFreshTab(
    'says the value of what is held as the bar does, whatever the panel under the chart shows',
    async () => {
      const { page, ada } = desk;
      await ada.open([usd('BTC', 'BUY', '20000'), usd('ETH', 'SELL', '20000')]);
      await desk.goTo(PAIR_LINK);
      await page.getByRole('tab', { name: /^Triggers/ }).click();
      const ticket = desk.ticket();
      await ticket.getByText('Adjusts your position').waitFor();
      // The position's ratio is that of its entry: what it will be with the order in it stands apart.
      expect(await ticket.getByText(/entered at/).textContent()).to.match(
        /^\$[\d,.]+ entered at [\d.]+, \S+$/,
      );
      await ticket.getByText(/^→ \$[\d,.]+ with this order$/).waitFor();
      const values = new Set<string>();
      await untilPage(page, 'the market has moved the figure thrice, in both places', async () => {
        const [own, bar] = await page.evaluate<readonly string[]>(`(() => {
        const money = (text) => /[+\u2212]?\\$[\\d,.]+$/.exec(text)?.[0] ?? '';
        const held = [...document.querySelectorAll('form span')].find((one) => /entered at/.test(one.textContent));
        const bar = [...document.querySelectorAll('header dl > div')].find((one) => /^Unrealised/.test(one.textContent));
        return [money(held.textContent), money(bar.textContent)];
      })()`);
        if (own !== undefined && own !== '' && own === bar) values.add(own);
        return values.size >= 3 ? true : null;
      });
    },
  );

  it('shows which line of a list is pointed at, and a pair’s figures in one line in a small window', async () => {
    const { page } = desk;
    await desk.goTo(PAIR_LINK);
    const facts = page.getByLabel('About the pair');
    await facts.getByText('Correlation').waitFor();
    await facts.locator('time').first().waitFor();
    const size = page.viewportSize() ?? { width: 1280, height: 800 };
    for (const width of [900, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await page.evaluate<number>(`(() => {
      const list = document.querySelector('[aria-label="About the pair"]');
      // As wide as they are on most days.
      const wide = {
        '24 h': '\\u221210.48\\u00a0%', 'Open interest': '$36.57M', 'Volume 24 h': '$22.98M', 'Ratio z (240 h)': '\\u22120.84',
      };
      for (const one of list.children) {
        const [name, ...values] = one.querySelectorAll('dt, dd');
        const words = document.createTreeWalker(values.at(-1), NodeFilter.SHOW_TEXT);
        if (wide[name.textContent] !== undefined && words.nextNode()) words.currentNode.nodeValue = wide[name.textContent];
      }
      list.querySelector('time').firstChild.nodeValue = 'in 59 min';
      const funding = [...list.children].find((one) => one.textContent.startsWith('Funding'));
      for (const value of funding.querySelectorAll('dd:not(:has(time)) > span')) {
        const words = document.createTreeWalker(value, NodeFilter.SHOW_TEXT);
        const isReversed = value.textContent.includes('reversed');
        for (let at = words.nextNode(); at !== null; at = words.nextNode())
          if (at.nodeValue.includes('%')) at.nodeValue = '\\u221210.95\\u00a0%';
        if (!isReversed && !value.textContent.includes('you')) value.append(' you receive');
      }
      return new Set([...list.children].map((one) => Math.round(one.getBoundingClientRect().top))).size;
    })()`);
      expect(lines, `lines of figures at ${width}`).to.equal(1);
    }
    await page.setViewportSize(size);
    await page.getByLabel('Add a long leg').fill('b');
    await page.getByRole('option').first().waitFor();
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      const [line = 0, list = 0] = await page.evaluate<readonly number[]>(`(() => {
        const lightness = (element) => getComputedStyle(element).backgroundColor.match(/[0-9.]+/g).slice(0, 3)
          .reduce((sum, part) => sum + Number(part) / 3, 0);
        const one = document.querySelector('[role=option]');
        return [lightness(one), lightness(one.closest('[popover]'))];
      })()`);
      expect(Math.abs(line - list), `${theme}: ${line} on ${list}`).to.be.at.least(12);
    }
  });

  it('takes numbers as they are pasted: with thousands apart, and a loss with its sign', async () => {
    const { ticket } = desk;
    await desk.goTo(PAIR_LINK);
    const notional = ticket().getByLabel('Notional');
    await notional.fill('1,000.50');
    expect(await notional.inputValue()).to.equal('1000.50');
    await notional.fill('');
    await notional.pressSequentially('1,234,567.5');
    expect(await notional.inputValue()).to.equal('1234567.5');
    // Not a number of any kind: it stays, and is refused.
    await notional.fill('1,00');
    expect(await notional.inputValue()).to.equal('1,00');
    await notional.fill('500');
    await ticket().getByRole('switch', { name: 'Stop-loss' }).click();
    const loss = ticket().getByRole('textbox', { name: 'Loss' });
    await loss.fill('-5');
    expect(await loss.inputValue()).to.equal('5');
    const sheet = await desk.review();
    await firstSeen(sheet.getByText(/[−-]5 %/));
    await sheet.getByRole('button', { name: 'Back' }).click();
  });

  it('keeps the basket and what was typed over a reload', async () => {
    const { page, ticket } = desk;
    await desk.goTo('/trade?long=BTC-PERP&long=SOL-PERP&short=ETH-PERP');
    await page.getByLabel('Weight of BTC in percent').fill('30');
    await desk.kind('Ladder');
    await ticket().getByLabel('Notional').fill('750');
    await ticket().getByLabel('First rung').fill('25');
    await page.reload();
    await page.getByRole('list', { name: 'Long legs' }).getByText('SOL', { exact: true }).waitFor();
    expect(await page.getByLabel('Weight of BTC in percent').inputValue()).to.equal('30');
    expect(await ticket().getByLabel('Notional').inputValue()).to.equal('750');
    expect(await ticket().getByLabel('First rung').inputValue()).to.equal('25');
  });

  it('offers nothing new while new orders are paused, but what only reduces', async () => {
    const { page, ticket, ada } = desk;
    const fillOf = () =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector('[aria-label="Ticket"] [type=submit]')).backgroundColor`,
      );
    await desk.goTo(PAIR_LINK);
    await ticket().getByRole('button', { name: 'Review' }).waitFor();
    const inviting = await fillOf();
    await ada.call('POST', '/safety/pause');
    await page.reload();
    // Said of what is no order yet, too.
    await desk.kind('Trigger');
    await ticket().getByText('New orders are paused. Resume them in the Stop menu.').waitFor();
    expect(await fillOf(), 'paused').not.to.equal(inviting);
    for (const [kind, level, button] of [
      ['Market', null, 'Place order'],
      ['Trigger', '20', 'Set trigger'],
    ] as const) {
      await desk.kind(kind);
      if (level !== null) await ticket().getByLabel('Level').fill(level);
      await ticket().getByText('New orders are paused. Resume them in the Stop menu.').waitFor();
      // No next step: it has the look of one again when they are resumed.
      expect(await fillOf(), `${kind}, paused`).not.to.equal(inviting);
      await ticket()
        .getByText('Triggers and slices that open wait too; those that close, and stops, go on.')
        .waitFor();
      const sheet = await desk.review();
      await sheet.getByText('New orders are paused. Resume them in the Stop menu.').waitFor();
      expect(await sheet.getByRole('button', { name: button }).isDisabled(), kind).to.equal(true);
      await sheet.getByRole('button', { name: 'Back' }).click();
      await sheet.waitFor({ state: 'detached' });
    }
    await desk.kind('TWAP');
    await ticket().getByLabel('Only reduce what is held').check();
    await ticket().getByText('New orders are paused.').waitFor({ state: 'detached' });
    const limit = ticket().getByRole('textbox', { name: /^Limit, / });
    await ticket().getByText('None for what only reduces').waitFor();
    await limit.fill('25');
    await limit.blur();
    await ticket().getByText('What only reduces takes no limit here.').waitFor();
    expect(await ticket().getByText('Waits while it is').count()).to.equal(0);
    await limit.fill('');
    await ticket().getByText('What only reduces takes no limit here.').waitFor({ state: 'detached' });
    const sheet = await desk.review();
    await sheet.getByText('Only what is held').waitFor();
    expect(await sheet.getByRole('button', { name: 'Start TWAP' }).isDisabled()).to.equal(false);
    await sheet.getByRole('button', { name: 'Back' }).click();
    await ada.call('POST', '/safety/resume');
    await page.reload();
    await desk.kind('Market');
    await untilPage(page, 'the next step looks like one', async () => (await fillOf()) === inviting);
    const resumed = await desk.review();
    await resumed.getByRole('row', { name: /BTC/ }).waitFor();
    expect(await resumed.getByRole('button', { name: 'Place order' }).isDisabled()).to.equal(false);
  });
});
