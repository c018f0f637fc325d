/** The consent page when time runs out, the gateway goes away, or an answer is not to be followed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { chromiumForSuite } from '../../support/browser.ts';
import {
  AGENT_NAME,
  allowButton,
  type ConsentDesk,
  denyButton,
  EMAIL,
  openConsentDesk,
  seeAgent,
  seeHeading,
  signIn,
} from '../../support/consent-desk.ts';
import { consentSuite } from '../../support/consent-suite.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { startTimedGateway, type TimedGateway } from '../../support/timed-gateway.ts';

const TEN_MINUTES = 10 * 60_000;

describe('the consent page in trouble', function () {
  this.timeout(60_000);
  const browser = chromiumForSuite();

  describe('when its time is up', () => {
    let gateway: TimedGateway;
    let desk: ConsentDesk;
    beforeEach(async () => {
      gateway = await startTimedGateway();
      await gateway.register(EMAIL);
      desk = await openConsentDesk(browser, gateway);
    });
    afterEach(async () => {
      await desk.close();
      await gateway.close();
    });

    it('counts down, warns, and ends by itself', async () => {
      const { page } = await desk.browse(
        {},
        (status, path) => status === 404 && path.startsWith('/interaction/'),
      );
      await page.clock.install({ time: gateway.clock.now() });
      await page.clock.pauseAt(gateway.clock.now() + 1_000);
      await page.goto((await desk.ask()).address);
      const left = page.getByRole('timer');
      await signIn(page);
      await seeHeading(page, new RegExp(AGENT_NAME));
      expect(await left.innerText()).to.equal('9:59');
      await page.clock.runFor(TEN_MINUTES - 61_000);
      expect(await left.innerText()).to.equal('1:00');
      expect(await page.getByRole('status').innerText()).to.equal(
        'This request expires in less than a minute.',
      );
      await page.clock.runFor(59_500);
      expect(await left.innerText()).to.equal('0:01');
      await gateway.clock.advance(TEN_MINUTES);
      await page.clock.runFor(1_000);
      await seeHeading(page, 'This request has expired');
      expect(await allowButton(page).count()).to.equal(0);
      await page.reload();
      await seeHeading(page, 'There is nothing to decide here');
    });

    it('believes the gateway, whose clock decides', async () => {
      const { page } = await desk.browse(
        {},
        // Its clock has moved on: the page's nonce is too old by then.
        (status, path) => (status === 404 || status === 401) && path.startsWith('/interaction/'),
      );
      await page.clock.install({ time: gateway.clock.now() });
      await page.goto((await desk.ask()).address);
      await signIn(page);
      await allowButton(page).and(page.locator(':enabled')).waitFor();
      await gateway.clock.advance(TEN_MINUTES);
      await allowButton(page).click();
      await seeHeading(page, 'There is nothing to decide here');
      expect(desk.agent.visits).to.have.length(0);
    });
  });

  it('waits for a gateway that went away, and goes on where the request was', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tandem-test-'));
    let gateway: TestGateway = await startTestGateway({ clock: null, dataDir });
    const { port } = gateway;
    await gateway.register(EMAIL);
    const desk = await openConsentDesk(browser, gateway);
    try {
      // Connections that fail have no status. A gateway that was started again knows no nonce of before.
      const { page } = await desk.browse(
        {},
        (status, path) => status === 0 || (status === 401 && path.startsWith('/interaction/')),
      );
      const ask = await desk.ask();
      await page.goto(ask.address);
      await signIn(page);
      await allowButton(page).and(page.locator(':enabled')).waitFor();
      await gateway.close();
      await allowButton(page).click();
      await seeHeading(page, 'The gateway does not answer');
      expect(await page.locator('main').innerText()).to.contain('may or may not have arrived');
      gateway = await startTestGateway({ clock: null, dataDir, settings: { port } });
      await seeHeading(page, new RegExp(AGENT_NAME));
      await allowButton(page).click();
      await seeAgent(page, desk);
      expect((await desk.redeem(ask)).status).to.equal(200);
      await desk.closePages();
    } finally {
      await desk.close();
      await gateway.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  describe('with answers that a gateway would not give', () => {
    const suite = consentSuite();

    it('does not follow a decision to another address than the registered one', async () => {
      const { page } = await suite.open();
      await page.route('**/interaction/*/abort', (route) =>
        route.fulfill({
          json: { returnTo: `http://${suite.desk.agent.host}/elsewhere?error=access_denied` },
        }),
      );
      const address = page.url();
      await signIn(page);
      await denyButton(page).click();
      await seeHeading(page, 'Stopped: unexpected address');
      expect(page.url()).to.equal(address);
      expect(suite.desk.agent.visits).to.have.length(0);
    });

    it('does not follow a sign-in to another address than its own', async () => {
      const { page } = await suite.open();
      await page.route('**/interaction/*/login', (route) =>
        route.fulfill({ json: { returnTo: `${suite.desk.origin}/docs` } }),
      );
      const address = page.url();
      await signIn(page);
      await seeHeading(page, 'Stopped: unexpected address');
      expect(page.url()).to.equal(address);
    });

    it('shows the request id of a failure, and tries again', async () => {
      const { page } = await suite.desk.browse({}, (status) => status === 500);
      let broken = true;
      await page.route('**/interaction/*', (route) =>
        broken
          ? route.fulfill({
              status: 500,
              headers: { 'x-request-id': 'request-17' },
              json: { message: 'Internal error', errorCode: 'DATABASE_ERROR' },
            })
          : route.fallback(),
      );
      await page.goto((await suite.desk.ask()).address);
      await seeHeading(page, 'The gateway could not do this');
      expect(await page.locator('main').innerText())
        .to.contain('Internal error')
        .and.contain('request-17');
      broken = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await seeHeading(page, 'Sign in to your gateway');
    });
  });
});
