/** Protections of the consent page, tried out in a browser, where they count. */
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { launchChromium, openWatched } from '../support/browser.ts';
import { type ConsentDesk, EMAIL, openConsentDesk, seeHeading } from '../support/consent-desk.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { pageClock } from '../support/page-time.ts';
import { until } from '../support/until.ts';

describe('the protection of the consent page', function () {
  this.timeout(60_000);
  let browser: Browser;
  let gateway: TestGateway;
  let desk: ConsentDesk;

  before(async function () {
    browser = await launchChromium(this);
    gateway = await startTestGateway({ clock: null });
    await gateway.register(EMAIL);
    desk = await openConsentDesk(browser, gateway);
  });
  after(async () => {
    await desk?.close();
    await gateway?.close();
    await browser?.close();
  });

  const SHORT = ['markup from a string', 'an inline script'];
  /** Script that an attacker would want to run on the page → the directive that stops it. */
  const ATTEMPTS: readonly (readonly [string, string, RegExp])[] = [
    ['markup from a string', "document.body.innerHTML = '<b>x</b>'", /^policy: require-trusted-types-for/],
    ['a Trusted Types policy', "trustedTypes.createPolicy('x', {})", /^policy: trusted-types/],
    [
      'an inline script',
      "document.body.append(Object.assign(document.createElement('script'), { text: '1' }))",
      /^policy: (require-trusted-types-for|script-src)/,
    ],
    ['an inline style', "document.body.setAttribute('style', 'color:red')", /^policy: style-src/],
    [
      'a picture from another port',
      "document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.1:9/x.png' }))",
      /^policy: img-src/,
    ],
    ['a call to another port', "fetch('http://127.0.0.1:9/')", /^policy: connect-src/],
    [
      'a frame',
      "document.body.append(Object.assign(document.createElement('iframe'), { src: '/docs' }))",
      /^policy: (frame-src|child-src|default-src)/,
    ],
    [
      'a form sent without its script',
      "HTMLFormElement.prototype.submit.call(document.getElementById('login-form'))",
      /^policy: form-action/,
    ],
  ];
  for (const [what, script, directive] of ATTEMPTS) {
    it(`stops ${what}${SHORT.includes(what) ? '' : ' @long'}`, async () => {
      const watched = await openWatched(browser);
      try {
        await watched.page.goto((await desk.ask()).address);
        await seeHeading(watched.page, 'Sign in to your gateway');
        expect(watched.offences).to.deep.equal([]);
        await watched.page.evaluate(`(async () => { ${script} })().catch(() => {})`);
        await until(pageClock(watched.page), 'its report', () =>
          watched.offences.some((offence) => directive.test(offence)),
        );
      } finally {
        await watched.close();
      }
    });
  }
});
