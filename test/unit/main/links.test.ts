/** Addresses that somebody hostile may write, and the few that are followed. */
import { expect } from 'chai';
import fc from 'fast-check';
import { linkAmong, screenOfLink } from '../../../main/desktop/deep-links.ts';
import { screenPath } from '../../../main/ipc/contract.ts';
import { outsideLink, returnAddress } from '../../../main/window/outside-links.ts';
import { forAll } from '../../support/property-runs.ts';

const PAGES = 'http://tandem.localhost:7391';

describe('links that leave the app', () => {
  it('go to listed hosts over https, and to the documentation of this gateway', () => {
    for (const link of ['https://github.com/a/b', 'https://www.tradingview.com/'])
      expect(outsideLink(link, PAGES)).to.equal(link);
    expect(outsideLink(`${PAGES}/docs`, PAGES)).to.equal(`${PAGES}/docs`);
  });

  it('go nowhere else', () => {
    for (const link of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      'java\nscript:alert(1)',
      ' https://github.com',
      'https://github.com\u0000',
      'file:///etc/passwd',
      'data:text/html,x',
      'blob:https://github.com/1',
      'smb://host/share',
      'ms-msdt:/id',
      'tandem://positions',
      'app://tandem/app/',
      'http://github.com/',
      'https://github.com:8443/',
      'https://github.com.evil.example/',
      'https://evil.example/github.com',
      'https://github.com@evil.example/',
      'https://user:pw@github.com/',
      'https://gіthub.com/',
      'https://sub.github.com/',
      '//github.com/',
      `${PAGES}/positions`,
      `${PAGES}/docs/../positions`,
      'http://tandem.localhost:7392/docs',
      'http://127.0.0.1:7391/docs',
      `https://github.com/${'x'.repeat(2_100)}`,
      '',
    ])
      expect(outsideLink(link, PAGES), JSON.stringify(link)).to.equal(null);
    expect(outsideLink(`${PAGES}/docs`, null)).to.equal(null);
  });

  it('go back to an agent over the web only', () => {
    expect(returnAddress('http://127.0.0.1:9/cb?code=1')).to.equal('http://127.0.0.1:9/cb?code=1');
    for (const address of ['javascript:1', 'file:///x', 'tandem://x', 'http://a:b@127.0.0.1/', 'nonsense'])
      expect(returnAddress(address), address).to.equal(null);
  });
});

describe('links into the app', () => {
  it('name a screen, or a position by its id', () => {
    expect(screenOfLink('tandem://positions')).to.equal('/positions');
    expect(screenOfLink('tandem://position/ebb41691-4694')).to.equal('/positions/ebb41691-4694');
    expect(screenOfLink('tandem://orders/')).to.equal('/orders');
    expect(linkAmong(['/opt/tandem', '--flag', 'tandem://orders'])).to.equal('tandem://orders');
    expect(linkAmong(['/opt/tandem'])).to.equal(null);
  });

  it('carry nothing else', () => {
    for (const link of [
      'tandem://close/1',
      'tandem://position/1/close',
      'tandem://position/1?close=1',
      'tandem://position/1#x',
      'tandem://user@positions',
      'tandem://positions:1',
      'tandem://position/..%2f..%2fsettings',
      'tandem://position/%3Cscript%3E',
      'tandem://orders/1',
      'tandem://__proto__',
      'tandem://constructor/x',
      'tandem:positions',
      'https://positions',
      `tandem://position/${'1'.repeat(65)}`,
      `tandem://position/${'1'.repeat(300)}`,
      '',
    ])
      expect(screenOfLink(link), link).to.equal(null);
  });

  it('lead, whatever is written, to nothing or to a path that the dashboard takes', () =>
    forAll([fc.string(), fc.string()], (host, path) => {
      const screen = screenOfLink(`tandem://${host}/${path}`);
      return screen === null || screenPath.safeParse(screen).success;
    }));
});
