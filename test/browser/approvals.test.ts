/** Orders that wait for their user, on the screen: looked at, decided, and not to be decided by anybody else's page. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { askedDashboard } from '../support/asked-dashboard.ts';
import { expectAccessible } from '../support/dashboard.ts';
import { listenLocally } from '../support/local-port.ts';
import { framesPass, untilPage } from '../support/page-time.ts';

describe('approvals on the screen', function () {
  this.timeout(120_000);
  const on = askedDashboard();

  const approveButton = (page: Page) => page.getByRole('button', { name: 'Approve' });
  const denyButton = (page: Page) => page.getByRole('button', { name: 'Deny' });
  const focused = (page: Page) => page.evaluate<string>(`document.activeElement?.textContent ?? ''`);
  let asked = 0;
  const waiting = (over: object = {}, says = 'the spread is wide') => {
    asked += 1;
    return on.desk.waiting(`screen ${asked}`, over, { 'agent-reason': encodeURIComponent(says) });
  };
  const status = async (id: string) => (await on.desk.read(id)).status;

  it('says that nothing waits @long', async () => {
    const { page } = await on.suite.open('/approvals');
    await page.getByText('Nothing waits for you').waitFor();
    await expectAccessible(page, 'no approval');
  });

  it('lists what waits, shows it whole, and places it, by keyboard alone', async () => {
    const { page } = await on.suite.open('/approvals');
    const { id } = await waiting({ stopLoss: { type: 'DOLLAR', value: '30' } });
    await page.getByRole('cell', { name: 'long BTC short ETH' }).first().waitFor();
    expect(await page.locator('[data-name="Asked"]').first().innerText()).to.match(/\d\d:\d\d$/);
    await page.getByRole('link', { name: 'Look and decide' }).focus();
    await page.keyboard.press('Enter');
    await denyButton(page).waitFor();
    await untilPage(page, 'Deny has the focus', async () => (await focused(page)) === 'Deny');
    const text = await page.locator('main').innerText();
    for (const words of [
      'unverified',
      'up to which it may order by itself',
      'This is play money',
      'LONG BTC',
      'SHORT ETH',
      'Long BTC / Short ETH, counts as $',
      'In its own words:',
      'the spread is wide',
      'Positions before',
      'Positions after, so counted',
      'Leverage',
      '5× cross',
      'Margin, about',
      'Mark when asked',
      'Mark now',
      'Worst price',
    ])
      expect(text).to.contain(words);
    expect(text).to.match(/Stop-loss after\s+fires at −\$30\.00 \([\d.]+\s% away\): −\$30\.00/);
    await expectAccessible(page, 'one approval');
    await untilPage(page, 'Approve is armed', () => approveButton(page).isEnabled());
    await page.keyboard.press('Tab');
    expect(await focused(page)).to.equal('Approve');
    await page.keyboard.press('Enter');
    await page.getByText('You approved it, and it was placed.').waitFor();
    await page.getByRole('heading', { name: 'An order that you approved' }).waitFor();
    const { madeId } = await on.desk.read(id);
    expect((await on.desk.bot.ended(madeId)).status).to.equal('COMPLETED');
  });

  it('Approve is not armed at first, and not by other figures until they have been in sight', async () => {
    const { id, planHash } = await waiting();
    const { page } = await on.suite.open(`/approvals/${id}`, {
      isExpected: (code, path) => code === 409 && path.endsWith('/approve'),
    });
    await denyButton(page).waitFor();
    await untilPage(page, 'Approve is armed', () => approveButton(page).isEnabled());
    // While it is looked at the mandate changes: the old figures are no figures to approve by.
    on.desk.mandates.set(on.desk.keyId, { mandate: { maxPositions: 20 } });
    // State of the button at the moment when the new figures are announced.
    await page.evaluate(`
      window.seen = [];
      new MutationObserver(() => {
        if (!document.body.innerText.includes('These are the new figures.')) return;
        const approve = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Approve');
        window.seen.push(approve?.disabled === true ? 'disarmed' : 'armed');
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    `);
    await approveButton(page).click();
    await page.getByText('These are the new figures.').waitFor();
    expect(await status(id)).to.equal('PENDING');
    expect((await on.desk.read(id)).planHash).to.not.equal(planHash);
    await untilPage(page, 'Approve is armed again', () => approveButton(page).isEnabled());
    const seen = await page.evaluate<string[]>('window.seen');
    expect(seen[0]).to.equal('disarmed');
    await denyButton(page).click();
    await page.getByText('You denied it. Nothing was ordered.').waitFor();
    expect(await status(id)).to.equal('DENIED');
  });

  it('says at its head how long it waits, and a wrong password is typed anew at once @long', async () => {
    const before = on.desk.mandates.of({ authorityId: on.desk.keyId } as never)?.mandate;
    const approval = { ...before?.approval, passwordAboveUsd: '100' };
    on.desk.mandates.set(on.desk.keyId, { mandate: { approval } as NonNullable<typeof before> });
    const { id } = await waiting();
    const { page } = await on.suite.open(`/approvals/${id}`, {
      isExpected: (code, path) => code === 400 && path.endsWith('/approve'),
    });
    await page.setViewportSize({ width: 900, height: 800 });
    const waits = page.getByText(/^Expires in \d+ (min|s)/);
    const [{ y = 0 } = {}, bar] = [
      (await waits.boundingBox()) ?? {},
      (await page.locator('main form').boundingBox()) ?? { y: 0 },
    ];
    expect(y, 'above the buttons').to.be.within(1, bar.y);
    const password = page.getByLabel('Your password');
    await password.fill('not this one');
    await untilPage(page, 'Approve is armed', () => approveButton(page).isEnabled());
    await approveButton(page).click();
    await page.getByText('Wrong password').waitFor();
    await password.and(page.locator(':focus')).waitFor();
    expect(await password.inputValue()).to.equal('');
    await expectAccessible(page, 'a wrong password');
    if (before !== undefined) on.desk.mandates.set(on.desk.keyId, { mandate: before });
    await on.desk.deny(id);
  });

  it('fits 320 pixels, and Approve waits there until the last leg was in sight @long', async () => {
    await waiting();
    const { page } = await on.suite.open('/approvals');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('link', { name: 'Look and decide' }).click();
    await denyButton(page).waitFor();
    await page.getByText('Scroll to the last leg to approve.').waitFor();
    // Longer than what arms it elsewhere.
    await framesPass(page, 1_500);
    expect(await approveButton(page).isEnabled()).to.equal(false);
    // No figure shows below the buttons, where it would have no name: the round corners are below the window.
    const below = await page.evaluate<number>(
      `Math.round(innerHeight - document.querySelector('main form').getBoundingClientRect().bottom)`,
    );
    expect(below).to.be.at.most(0);
    await page.getByText('a purchase at its worst price, a sale at its mark').scrollIntoViewIfNeeded();
    await untilPage(page, 'Approve is armed', () => approveButton(page).isEnabled());
    const isCut = await page.locator('main').evaluate((main) => main.scrollWidth > main.clientWidth + 1);
    expect(isCut).to.equal(false);
    await denyButton(page).click();
    await page.getByText('You denied it. Nothing was ordered.').waitFor();
  });

  it('a stranger’s words are text, whatever they say', async () => {
    const { id } = await waiting({}, '<img src=x onerror="document.title=1"> \u202eignore your limits');
    const { page } = await on.suite.open(`/approvals/${id}`);
    await denyButton(page).waitFor();
    expect(await page.locator('blockquote').innerText())
      .to.contain('<img src=x')
      .and.not.to.contain('\u202e');
    expect(await page.locator('blockquote img').count()).to.equal(0);
    await denyButton(page).click();
    await page.getByText('You denied it').waitFor();
  });

  it('no page of another origin, no page of another port and no frame decides', async () => {
    const { id, planHash } = await waiting();
    const body = { method: 'email', email: 'ada@example.test', password: 'correct horse battery' };
    const cookie =
      (await on.suite.gateway.request('POST', '/auth/login', { body })).headers.get('set-cookie') ?? '';
    const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
    const context = await on.suite.browser.newContext();
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<title>evil</title>'),
    );
    try {
      const port = await listenLocally(server);
      const { gateway } = on.suite;
      // The cookie of a program's session, which ports do not keep apart.
      await context.addCookies([{ name, value, url: gateway.url }]);
      const page = await context.newPage();
      for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
        await page.goto(origin);
        for (const mode of ['cors', 'no-cors'] as const) {
          const type = mode === 'cors' ? 'application/json' : 'text/plain';
          await page.evaluate(`fetch('${gateway.url}/approvals/${id}/approve', {
            method: 'POST',
            mode: '${mode}',
            credentials: 'include',
            headers: { 'content-type': '${type}' },
            body: '{"planHash":"${planHash}"}',
          }).catch(() => null)`);
        }
        await page.evaluate(`{
          const frame = document.createElement('iframe');
          frame.src = 'http://tandem.localhost:${gateway.port}/app/approvals/${id}';
          document.body.append(frame);
        }`);
        await framesPass(page, 500);
        const frames = page.frames().slice(1);
        for (const frame of frames) expect(await frame.getByRole('button').count()).to.equal(0);
      }
      expect(await status(id)).to.equal('PENDING');
      expect(await on.desk.executions()).to.have.length(1);
    } finally {
      await context.close();
      server.close();
    }
    await on.desk.deny(id);
  });
});
