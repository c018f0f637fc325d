/** Protections of the consent page, tried out in a browser, where they count. */
import { expect } from 'chai';
import { openWatched } from '../support/browser.ts';
import { seeHeading } from '../support/consent-desk.ts';
import { consentSuite } from '../support/consent-suite.ts';
import { untilPage } from '../support/page-time.ts';

describe('the protection of the consent page', function () {
  this.timeout(60_000);
  const suite = consentSuite();

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
      const watched = await openWatched(suite.browser);
      try {
        await watched.page.goto((await suite.desk.ask()).address);
        await seeHeading(watched.page, 'Sign in to your gateway');
        expect(watched.offences).to.deep.equal([]);
        await watched.page.evaluate(`(async () => { ${script} })().catch(() => {})`);
        await untilPage(watched.page, 'its report', () =>
          watched.offences.some((offence) => directive.test(offence)),
        );
      } finally {
        await watched.close();
      }
    });
  }
});
