/** The browser's tab while the desktop app shows an agent's request: it waits for whatever becomes of it. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { chromiumForSuite } from '../../support/browser.ts';
import {
  allowButton,
  type ConsentDesk,
  EMAIL,
  openConsentDesk,
  seeHeading,
  signIn,
} from '../../support/consent-desk.ts';
import { type ConsentVisitor, consentVisitor } from '../../support/consent-visitor.ts';
import { expectAccessible } from '../../support/dashboard.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ELEVEN_MINUTES = 11 * 60_000;

describe('the tab of a request that the app shows', function () {
  this.timeout(90_000);
  const browser = chromiumForSuite();
  let gateway: TestGateway;
  let desk: ConsentDesk;
  /** Signs in and decides where the app would. */
  let app: ConsentVisitor;
  /** Requests that came to the app's front, in their order. */
  let shown: string[];

  beforeEach(async () => {
    shown = [];
    gateway = await startTestGateway({ clock: null, host: { consentAsked: (uid) => shown.push(uid) } });
    await gateway.register(EMAIL);
    desk = await openConsentDesk(browser, gateway);
    app = consentVisitor(gateway, { email: EMAIL });
  });
  afterEach(async () => {
    await desk.close();
    await gateway.close();
  });

  const whileItIsOpen = (status: number, path: string) =>
    [401, 403, 404].includes(status) && path.startsWith('/interaction/');
  async function waitingTab(): Promise<{ page: Page; uid: string }> {
    const { page } = await desk.browse({}, whileItIsOpen);
    await page.goto((await desk.ask()).address);
    await seeHeading(page, 'Decide in the Tandem window');
    return { page, uid: shown[0] ?? '' };
  }

  it('waits, and brings the app to the front once, however often it is loaded', async () => {
    const { page, uid } = await waitingTab();
    expect(new URL(page.url()).pathname).to.equal(`/consent/${uid}`);
    await page.reload();
    await seeHeading(page, 'Decide in the Tandem window');
    expect(shown).to.deep.equal([uid]);
    expect(await allowButton(page).count()).to.equal(0);
    await expectAccessible(page, 'waiting');
  });

  it('goes on waiting while the person signs in there, then says that it was allowed or denied there', async () => {
    for (const decision of ['allow', 'deny'] as const) {
      shown.splice(0);
      const { page, uid } = await waitingTab();
      await app.login(uid);
      // This browser is not signed in, so that it cannot read the request any more.
      await page.waitForResponse(
        (answer) => answer.url().endsWith(`/interaction/${uid}`) && answer.status() !== 200,
      );
      await seeHeading(page, 'Decide in the Tandem window');
      const decided = decision === 'allow' ? await app.confirm(uid, ['mcp:read']) : await app.abort(uid);
      expect(
        new URL(decided.json.returnTo).searchParams.get(decision === 'allow' ? 'code' : 'error'),
      ).to.be.a('string');
      await seeHeading(page, 'Answered in Tandem');
      await expectAccessible(page, 'answered');
      // Nothing of the outcome has passed through this tab: the app opens the agent's address itself.
      expect(desk.agent.visits).to.deep.equal([]);
    }
  });

  it('decides by itself when it is asked to', async () => {
    const { page, uid } = await waitingTab();
    await page.getByRole('button', { name: 'Decide here instead' }).click();
    await signIn(page);
    await allowButton(page).click();
    await page.waitForURL((url) => url.host === desk.agent.host);
    expect(desk.agent.visits.at(-1)?.get('code')).to.be.a('string');
    expect(shown).to.deep.equal([uid]);
  });
});

describe('the tab of a request that nobody decides', function () {
  this.timeout(90_000);
  const browser = chromiumForSuite();
  const host = { consentAsked: () => undefined };

  it('says so when its time is up', async () => {
    const clock = createFakeClock();
    const gateway = await startTestGateway({ clock, host });
    const desk = await openConsentDesk(browser, gateway);
    try {
      const { page } = await desk.browse({}, (status) => status === 404);
      await page.clock.install({ time: clock.now() });
      await page.goto((await desk.ask()).address);
      await seeHeading(page, 'Decide in the Tandem window');
      // The page's time first: it goes on asking once a second, and must not be told before its clock says so too.
      await page.clock.fastForward(ELEVEN_MINUTES);
      await clock.advance(ELEVEN_MINUTES);
      await seeHeading(page, 'This request has expired');
      await expectAccessible(page, 'expired');
      await desk.closePages();
    } finally {
      await desk.close();
      await gateway.close();
    }
  });

  it('says that the app is gone, and goes on when it is back', async () => {
    const dataDir = await temporaryFolder();
    let gateway = await startTestGateway({ clock: null, dataDir, host });
    const desk = await openConsentDesk(browser, gateway);
    try {
      const { page } = await desk.browse({}, () => true);
      await page.goto((await desk.ask()).address);
      await seeHeading(page, 'Decide in the Tandem window');
      const { port } = gateway;
      await gateway.close();
      await seeHeading(page, 'Tandem does not answer');
      await expectAccessible(page, 'unreachable');
      gateway = await startTestGateway({ clock: null, dataDir, settings: { port }, host });
      // The request was on disk.
      await seeHeading(page, 'Decide in the Tandem window');
    } finally {
      await desk.close();
      await gateway.close();
    }
  });
});
