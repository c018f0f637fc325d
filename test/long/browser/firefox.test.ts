/**
 * The same rules in an engine that is not Chromium's: a key that cannot be read, kept over a reload, shared by two tabs; no
 * cookie that another port could take. Firefox, where it is installed (`firefox-esr`), else loudly skipped.
 *
 * It needs about 150 s of processor time, because the processor draws every frame: a minute and a half on two idle
 * processors, three to four minutes where others use them. Nothing is printed before its end.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { connectAgent, signedIn } from '../../support/agents.ts';
import { SCREENS } from '../../support/dashboard-screens.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { PASSWORD } from '../../support/gateway-client.ts';
import type { Json } from '../../support/json.ts';
import { untilPage } from '../../support/page-time.ts';
import { LOOK_AT_OWN_KEY, type PortThief, startPortThief } from '../../support/port-thief.ts';
import { smallMandate } from '../../support/small-mandate.ts';
import { type Trader, traderOn, usd } from '../../support/trader.ts';

const USER = 'ada@example.test';

function findFirefox(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders
    .flatMap((folder) => ['firefox-esr', 'firefox'].map((name) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Firefox starts and navigates several times slower than Chromium where processors are shared. */
const PATIENCE_MS = 90_000;

describe('the dashboard in Firefox', function () {
  this.timeout(400_000);
  let browser: Browser;
  let gateway: TestGateway;
  let bot: Trader;
  let thief: PortThief;
  let page: Page;
  let origin: string;

  before(async function () {
    const executablePath = findFirefox();
    if (executablePath === undefined) {
      const missing = 'neither firefox-esr nor firefox is in PATH; build/setup-system.sh installs one';
      if (process.env['CI'] !== undefined) throw new Error(`Firefox cannot be tested: ${missing}`);
      console.warn(`\n    *** FIREFOX IS NOT TESTED: ${missing} ***\n`);
      this.skip();
    }
    gateway = await startTestGateway({ clock: null });
    const { accessToken, tradeAccount } = await gateway.register(USER);
    bot = traderOn(gateway, { key: '', accessToken, accountId: tradeAccount.id });
    origin = `http://tandem.localhost:${gateway.port}`;
    browser = await launch({ browser: 'firefox', executablePath, headless: true });
    page = await newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(`${origin}/app/settings`);
    await page.locator('input[type=email]').fill(USER);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await sees(page, 'Live data');
  });
  after(async () => {
    thief?.close();
    await browser?.close();
    await gateway?.close();
  });

  const newPage = async () => {
    const opened = await browser.newPage();
    opened.setDefaultTimeout(PATIENCE_MS);
    return opened;
  };
  const sees = (on: Page, text: string) => on.locator(`::-p-text(${text})`).wait();
  const press = (name: string) => page.locator(`::-p-aria([name="${name}"][role="button"])`).click();
  const type = (name: string, text: string) =>
    page.locator(`::-p-aria([name="${name}"][role="textbox"])`).fill(text);
  /** Errors of the page from now on. */
  function errorsOf(on: Page): readonly string[] {
    const errors: string[] = [];
    on.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    on.on('pageerror', (error) => errors.push(String(error)));
    return errors;
  }
  const openPositions = async (): Promise<readonly Json[]> =>
    (await signedIn(gateway, bot).call('GET', '/positions?status=OPEN')).json.positions;
  const cookies = (on: Page) => on.browserContext().cookies();

  it('signs in without a cookie, with a key that nobody can read', async () => {
    expect(await cookies(page)).to.deep.equal([]);
    const own = await page.evaluate(LOOK_AT_OWN_KEY);
    expect(own).to.deep.equal({ extractable: false, read: 'InvalidAccessError' });
  });

  it('is signed in after a reload, and in a second tab', async () => {
    await page.reload();
    await sees(page, `Signed in as ${USER}`);
    await sees(page, 'Live data');
    const second = await newPage();
    await second.goto(`${origin}/app/settings`);
    await sees(second, `Signed in as ${USER}`);
    await second.close();
  });

  it('shows a thief on another port neither a credential nor the key, and is not kept out by its cookies', async () => {
    thief = await startPortThief('tandem_session=tossed; Path=/auth', 'tandem_session=tossed; Path=/');
    const lured = await newPage();
    for (const path of ['/', '/auth/session/refresh', '/app/start', '/toss'])
      await lured.goto(`http://tandem.localhost:${thief.port}${path}`);
    expect(thief.received.length).to.be.greaterThan(3);
    for (const { headers } of thief.received)
      expect(Object.keys(headers)).not.to.include.oneOf(['authorization', 'dpop', 'x-api-key', 'cookie']);
    const stores = await lured.evaluate(`new Promise((resolve) => {
      const request = indexedDB.open('tandem');
      request.onsuccess = () => resolve([...request.result.objectStoreNames]);
      request.onerror = () => resolve('refused');
    })`);
    expect(stores).to.deep.equal([]);
    await lured.close();
    expect((await cookies(page)).length).to.be.greaterThan(0);
    await page.reload();
    await sees(page, `Signed in as ${USER}`);
    await sees(page, 'Live data');
  });

  it('opens a pair, shows it, closes it, and draws its own furniture in the colours of the theme', async () => {
    const errors = errorsOf(page);
    await page.goto(`${origin}/app/trade?long=BTC-PERP&short=ETH-PERP`);
    await sees(page, 'Live data');
    await press('Review');
    await press('Place order');
    await sees(page, 'Filled');
    await page.goto(`${origin}/app/positions`);
    await press('Close BTC / ETH');
    await press('Close position');
    await sees(page, 'No open positions');
    for (const { path, name } of SCREENS) {
      await page.locator(`nav a[href="/app${path}"]`).click();
      await page.locator(`main h1::-p-text(${name})`).wait();
    }
    for (const theme of ['dark', 'light']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      const scheme = await page.evaluate('getComputedStyle(document.documentElement).colorScheme');
      expect(scheme).to.equal(theme);
    }
    expect(errors).to.deep.equal([]);
  });

  it('shows a pair, sizes it by margin and by risk, and moves its stop by dragging', async () => {
    const errors = errorsOf(page);
    // It computes while the rest goes on.
    await gateway.request('GET', '/analytics/screener?connector=paper&limit=1');
    await page.goto(`${origin}/app/trade?long=BTC-PERP&short=ETH-PERP`);
    for (const text of ['Correlation', 'Half-life', 'Open interest', 'Triggers']) await sees(page, text);
    const notional = () =>
      page.$eval('::-p-aria([name="Notional"][role="textbox"])', (one) => Number(Reflect.get(one, 'value')));
    await press('25\u00a0%');
    expect(await notional()).to.be.greaterThan(10_000);
    await page.locator('label::-p-text(By risk)').click();
    await type('Lose at most', '20');
    await type('Loss', '2');
    await untilPage(page, 'the size of the risk', async () => (await notional()) === 1_000);
    await press('Review');
    await press('Place order');
    await sees(page, 'Filled');
    const stopOf = async () => Number((await openPositions())[0]?.['stopLoss'].value);
    await untilPage(page, 'its stop', async () => (await stopOf()) === 2);
    const line = await page.locator('[role=slider][aria-label^="Move SL"]').waitHandle();
    await line.scrollIntoView();
    const box = await line.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 20, { steps: 4 });
    await page.mouse.up();
    await sees(page, 'Move the stop-loss of BTC / ETH');
    await press('Move stop-loss');
    await untilPage(page, 'the stop elsewhere', async () => (await stopOf()) !== 2);
    expect(errors).to.deep.equal([]);
  });

  it('closes from the panel and with a preview, and finds its way by commands, keys and the screener', async () => {
    const errors = errorsOf(page);
    const gross = async () => Number((await openPositions())[0]?.['grossNotional'] ?? 0);
    const before = await gross();
    await page.goto(`${origin}/app/trade?long=BTC-PERP&short=ETH-PERP`);
    await press('Close half of BTC / ETH');
    await sees(page, 'Realises about');
    await press('Close half');
    await untilPage(page, 'half is closed', async () => (await gross()) < before * 0.75);
    await page.goto(`${origin}/app/positions`);
    await press('Close BTC / ETH');
    await sees(page, 'After closing fees');
    await press('Close position');
    await sees(page, 'No open positions');

    await page.keyboard.press('?');
    await sees(page, 'Screens, one key after the other');
    await page.keyboard.press('Escape');
    await untilPage(page, 'the list is closed', async () => (await page.$('[role=dialog]')) === null);
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.locator('[role=combobox][aria-label=Commands]').fill('sol eth');
    await page.locator('[role=option]::-p-text(SOL / ETH)').click();
    await page.locator('main h1::-p-text(Trade)').wait();
    await page.locator('nav a[href="/app/screener"]').click();
    await page.locator('button[aria-label^="Trade this"]').click();
    await page.locator('main h1::-p-text(Trade)').wait();
    expect(errors).to.deep.equal([]);
  });

  it('shows an order that waits for its user, and places it', async () => {
    const errors = errorsOf(page);
    const agent = await connectAgent(gateway, bot);
    const mandate = smallMandate(bot.accountId, { maxOrderUsd: '1000' });
    const body = { mandate, ifVersion: 0 };
    await signedIn(gateway, bot).expect('PUT', `/agents/${agent.grantId}/mandate`, body);
    const order = { type: 'MARKET', legs: [usd('SOL', 'BUY', '300')] };
    const asked = await agent.call('POST', '/trade/open', order);
    expect(asked.json.details?.reason, asked.text).to.equal('APPROVAL');
    await page.goto(`${origin}/app/approvals`);
    await page.locator('a::-p-text(Look and decide)').click();
    await sees(page, 'Positions after, so counted');
    await page.locator('button:not([disabled])::-p-text(Approve)').click();
    await sees(page, 'You approved it, and it was placed.');
    await untilPage(page, 'it is open', async () => (await openPositions()).length === 1);
    expect(errors).to.deep.equal([]);
  });

  it('is signed out when the key is gone, and says how to come back', async () => {
    await page.evaluate(
      `new Promise((resolve) => { const gone = indexedDB.deleteDatabase('tandem'); gone.onsuccess = gone.onblocked = resolve; })`,
    );
    await page.reload();
    await sees(page, 'tandem start --open');
  });
});
