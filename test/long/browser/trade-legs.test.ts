/** Trade: what a leg's row tells while an order is typed. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { systemClock } from '../../../gateway/system/clock.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { holdAnswers, pathIs } from '../../support/dashboard-states.ts';
import type { Json } from '../../support/json.ts';
import { itInFreshTab } from '../../support/kept-tab.ts';
import { untilPage } from '../../support/page-time.ts';
import { PAIR_LINK, tradeScreen } from '../../support/trade-screen.ts';

describe('trade screen, legs', function () {
  this.timeout(90_000);
  const desk = tradeScreen();
  const { page, ada, ticket } = desk;

  const row = (name: string): Locator =>
    page.locator('li').filter({ has: page.getByLabel(`Weight of ${name} in percent`) });

  const usdOf = (name: string): Locator => page.getByLabel(`USD of ${name}`);

  /** USD and base units of a leg, as its row says them. */
  async function sizeOf(name: string): Promise<readonly [usd: number, quantity: number] | null> {
    const usd = (await usdOf(name).inputValue()).replaceAll(',', '');
    const found = new RegExp(`\\$([\\d.]+) ${name}`).exec((await row(name).textContent()) ?? '');
    return found === null || usd === '' ? null : [Number(usd), Number(found[1])];
  }

  /** Waits until a leg is worth as much as is asked of it, less a part of the venue's step. */
  async function expectWorth(name: string, asked: number, most: number): Promise<void> {
    await untilPage(page, `${name} is worth ${asked}`, async () => {
      const size = await sizeOf(name);
      return size !== null && size[0] <= asked && size[0] > asked - most && size[1] > 0;
    });
  }

  it('says the dollars and the quantity of each leg with each key, before any answer to the order', async () => {
    await desk.goTo(PAIR_LINK);
    await expectWorth('BTC', 500, 5);
    const listed = (await ada.call('GET', '/prices?connector=paper')).json['prices'];
    const mark = Number(listed.find(({ id }: Json) => id === 'BTC-PERP').mark);
    const [usd, quantity] = (await sizeOf('BTC')) ?? [0, 0];
    expect(Math.abs(usd / quantity / mark - 1), 'counted at the mark').to.be.lessThan(0.02);
    const high = (await row('BTC').boundingBox())?.height;
    const release = await holdAnswers(page, pathIs('/trade/open'));
    await ticket().getByLabel('Notional').fill('3000');
    await expectWorth('BTC', 1500, 5);
    await page.getByLabel('Weight of BTC in percent').fill('20');
    await expectWorth('BTC', 600, 5);
    await expectWorth('ETH', 1500, 5);
    await ticket().getByLabel('Notional').fill('');
    await untilPage(page, 'no size', async () => (await usdOf('BTC').inputValue()) === '');
    expect((await row('BTC').boundingBox())?.height, 'its height').to.equal(high);
    release();
  });

  it('takes the dollars of a leg: it and the total change, the others keep theirs, and the review says the same', async () => {
    await desk.goTo(PAIR_LINK);
    await expectWorth('BTC', 500, 5);
    const notional = ticket().getByLabel('Notional');
    // Key by key: what the other leg keeps is what it had when the field was entered.
    await usdOf('BTC').focus();
    await page.keyboard.type('1,500.50');
    expect(await notional.inputValue()).to.equal('2000.5');
    expect(await usdOf('BTC').inputValue(), 'while it is typed').to.equal('1,500.50');
    expect(await page.getByLabel('Weight of BTC in percent').inputValue()).to.equal('75.0062');
    expect(await page.getByLabel('Weight of ETH in percent').inputValue()).to.equal('24.9938');
    await page.keyboard.press('Tab');
    await expectWorth('BTC', 1500.51, 5);
    await expectWorth('ETH', 500.01, 5);
    await usdOf('ETH').fill('much');
    expect(await usdOf('ETH').getAttribute('aria-invalid')).to.equal('true');
    expect(await notional.inputValue(), 'kept').to.equal('2000.5');
    await usdOf('ETH').fill('250');
    expect(await notional.inputValue()).to.equal('1750.5');
    // Cleared and left, nothing of it stays: neither the 250 nor the first keys of what was typed before.
    await usdOf('ETH').fill('');
    expect(await notional.inputValue(), 'half typed').to.equal('1750.5');
    await page.keyboard.press('Tab');
    expect(await notional.inputValue(), 'as it was when the field was entered').to.equal('2000.5');
    expect(await page.getByLabel('Weight of ETH in percent').inputValue()).to.equal('24.9938');
    await usdOf('ETH').focus();
    await page.keyboard.type('77');
    expect(await notional.inputValue()).to.equal('1577.5');
    await page.keyboard.press('Escape');
    expect(await notional.inputValue(), 'Escape').to.equal('2000.5');
    await usdOf('ETH').fill('250');
    await usdOf('ETH').blur();
    await expectAccessible(page, 'a leg typed in dollars');
    const sheet = await desk.review();
    const cell = (name: string, column: string) =>
      sheet
        .getByRole('row', { name: new RegExp(name) })
        .locator(`td[data-name="${column}"]`)
        .innerText();
    // Prices move: until both are of the same plan.
    await untilPage(page, 'the review says the same', async () => {
      const said = [
        await cell('BTC', 'Notional'),
        await cell('ETH', 'Notional'),
        await cell('BTC', 'Quantity'),
      ];
      const typed = [`$${await usdOf('BTC').inputValue()}`, `$${await usdOf('ETH').inputValue()}`];
      return said.join() === [...typed, (await sizeOf('BTC'))?.[1]].join();
    });
    await sheet.getByRole('button', { name: 'Back' }).click();
    // Without a size the weights stay and the size follows.
    await notional.fill('');
    await page.getByRole('button', { name: '50:50 sides' }).click();
    await usdOf('BTC').fill('300');
    expect(await notional.inputValue()).to.equal('600');
    expect(await page.getByLabel('Weight of BTC in percent').inputValue()).to.equal('50');
  });

  it('takes a basket that is pasted or typed as text, and names the part of it that is wrong', async () => {
    await desk.goTo(PAIR_LINK);
    const legs = (side: string) => page.getByRole('list', { name: `${side} legs` }).locator('li');
    const weights = async () =>
      await Promise.all(
        ['BTC', 'ETH', 'SOL'].map(
          async (name) => await page.getByLabel(`Weight of ${name} in percent`).inputValue(),
        ),
      );
    const field = page.getByRole('combobox', { name: 'Add a long leg' });
    const paste = async (text: string) => {
      await field.focus();
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        const event = { clipboardData, bubbles: true, cancelable: true };
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', event));
      })()`);
    };
    // Loads the paste reader now. The page reloads for a failed file only once in a while, and did so a moment ago.
    await page.evaluate(`sessionStorage.setItem('tandem.reloaded', '${systemClock.now()}')`);
    const reader = /\/basket-text-[^/]*\.js$/;
    await page.route(reader, async (route) => {
      desk.expectAnswers(`503 ${new URL(route.request().url()).pathname}`);
      await route.fulfill({ status: 503, body: '' });
    });
    await paste('SOL,\nDOGE');
    await page.getByRole('alert').getByText('Enter tries again.').waitFor();
    expect(await field.inputValue(), 'it is not lost').to.equal('SOL, DOGE');
    await page.unroute(reader);
    const goOn = await holdAnswers(page, reader);
    await field.press('Enter');
    await page.getByRole('button', { name: 'Remove ETH' }).click();
    await legs('Short').first().waitFor({ state: 'detached' });
    goOn();
    await untilPage(page, 'added to the basket of now', async () => (await legs('Long').count()) === 3);
    expect(await legs('Short').count()).to.equal(0);
    await page.unroute(reader);
    await paste('BTC,0.5,BUY\nETH,0.3,SELL\nSOL,0.2,SELL');
    await untilPage(page, 'three legs', async () => (await legs('Short').count()) === 2);
    expect(await weights()).to.deep.equal(['50', '30', '20']);
    await untilPage(page, 'the field is empty for the next', async () => (await field.inputValue()) === '');
    await paste('BTC 0.5,\nXYZ -0.5');
    await page.getByRole('alert').getByText('“XYZ” is no instrument of this venue.').waitFor();
    expect(await field.inputValue(), 'to be mended').to.equal('BTC 0.5, XYZ -0.5');
    expect(await weights(), 'as they were').to.deep.equal(['50', '30', '20']);
    await expectAccessible(page, 'a basket in words that cannot be read');
    await paste('BTC,0.5,BUY\nXYZ,0.5,SELL');
    await page.getByRole('alert').getByText('“XYZ” is no instrument of this venue.').waitFor();
    expect(await field.inputValue(), 'its lines stay apart').to.equal('BTC,0.5,BUY; XYZ,0.5,SELL');
    await field.fill('long SOL 3 short ETH 1');
    await page.getByText('Enter takes it as a basket').waitFor();
    await field.press('Enter');
    await page.getByText('did not add up to 100 %').waitFor();
    await untilPage(page, 'two legs', async () => (await legs('Short').count()) === 1);
    expect(await page.getByLabel('Weight of SOL in percent').inputValue()).to.equal('75');
    expect(await page.getByRole('alert').getByText('XYZ').count()).to.equal(0);
  });

  itInFreshTab('stands still once it is entered, as a plain decimal in every locale', async () => {
    await desk.goTo('/settings');
    await page.evaluate(`(() => {
      const kept = JSON.parse(localStorage.getItem('tandem.settings') ?? '{}');
      localStorage.setItem('tandem.settings', JSON.stringify({ ...kept, locale: 'de' }));
    })()`);
    await page.reload();
    await desk.goTo(PAIR_LINK);
    await ticket().getByLabel('Notional').fill('5000');
    const field = usdOf('BTC');
    await untilPage(page, 'dollars', async () => /^2\.[45]\d\d,\d\d$/.test(await field.inputValue()));
    await field.focus();
    const text = await field.inputValue();
    expect(text).to.match(/^2[45]\d\d\.\d\d$/);
    const selected = () =>
      page.evaluate<string>(
        'String(document.activeElement.selectionStart + "-" + document.activeElement.selectionEnd)',
      );
    expect(await selected(), 'all of it').to.equal(`0-${text.length}`);
    const price = () => row('BTC').locator('[class*=price]').first().innerText();
    const before = await price();
    await untilPage(page, 'another price', async () => (await price()) !== before);
    expect(await field.inputValue(), 'at another price').to.equal(text);
    expect(await selected()).to.equal(`0-${text.length}`);
    // One key more is of what stood there.
    await page.keyboard.press('End');
    await page.keyboard.type('5');
    expect(await field.inputValue()).to.equal(`${text}5`);
    expect(Number(await ticket().getByLabel('Notional').inputValue())).to.be.closeTo(
      Number(text) + 2500,
      0.011,
    );
    await page.keyboard.press('Tab');
    await untilPage(page, 'as others are written', async () =>
      /^2\.[45]\d\d,\d\d$/.test(await field.inputValue()),
    );
  });

  it('says what each leg pays or receives as funding, and cuts nothing where there is little room', async () => {
    await desk.goTo(PAIR_LINK);
    const rates = (await ada.call('GET', '/funding?connector=paper')).json['funding'];
    for (const [name, isLong] of [
      ['BTC', true],
      ['ETH', false],
    ] as const) {
      const { rate, intervalHours } = rates.find(({ id }: Json) => id === `${name}-PERP`);
      const paid = (isLong ? Number(rate) : -Number(rate)) * (8_760 / intervalHours) * 100;
      const text = (await row(name).getByText(/ APR$/).textContent()) ?? '';
      const said = Number(/[\d.]+/.exec(text)?.[0]) * (text.startsWith('pays') ? 1 : -1);
      expect(said, `${name}: ${text}`).to.be.closeTo(paid, 0.011);
    }
    await ticket().getByLabel('Notional').fill('250000');
    for (const width of [400, 1_024, 1_920]) {
      await page.setViewportSize({ width, height: 800 });
      await row('BTC').scrollIntoViewIfNeeded();
      const beyond = await row('BTC').evaluate((element) => {
        const { right, bottom } = element.getBoundingClientRect();
        // Elements without room are hidden entirely.
        return [...element.querySelectorAll('*')]
          .map((one) => [one.textContent ?? '', one.getBoundingClientRect()] as const)
          .filter(([, box]) => box.right > right + 1 && box.top < bottom)
          .map(([text]) => text);
      });
      expect(beyond, `sticks out at ${width}`).to.deep.equal([]);
      expect(await usdOf('BTC').inputValue()).to.match(/^12[45],\d{3}\.\d\d$/);
      await row('BTC').getByText(/ APR$/).waitFor();
      await expectAccessible(page, `legs at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('lists instruments with price, change and funding of the side, without asking for any of them', async () => {
    await desk.goTo(PAIR_LINK);
    await row('BTC').getByText(/ APR$/).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const rates = (await ada.call('GET', '/funding?connector=paper')).json['funding'];
    const { rate } = rates.find(({ id }: Json) => id === 'SOL-PERP');
    for (const side of ['long', 'short'] as const) {
      await page.getByLabel(`Add a ${side} leg`).fill('so');
      const first = page.getByRole('option').first();
      await first.getByText(/^[\d,]+\.\d+$/).waitFor();
      // A long pays a positive rate.
      const sign = Number(rate) > 0 === (side === 'long') ? '\u2212' : '\\+';
      expect(await first.textContent()).to.match(
        new RegExp(`^SOL [\\d,.]+24 h [+\u2212]?[\\d.]+\\s%you receive as funding, APR ${sign}[\\d.]+\\s%$`),
      );
      await expectAccessible(page, `instruments for a ${side} leg`);
      await page.setViewportSize({ width: 400, height: 800 });
      await first.getByText('you receive as funding').waitFor({ state: 'hidden' });
      await first.getByText(/^[\d,]+\.\d+$/).waitFor();
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.keyboard.press('Escape');
      await page.getByLabel(`Add a ${side} leg`).fill('');
      await page.keyboard.press('Escape');
    }
    // Each at most once, as it is renewed anyway: not for every row, nor for a list that opens.
    for (const path of ['/prices', '/markets', '/instruments', '/funding'])
      expect(asked.filter((one) => one === path).length, path).to.be.lessThan(2);
  });
});
