/** Addresses that the consent page may leave for. */
import { expect } from 'chai';
import { isRegisteredRedirect } from '../../../renderer/consent/return-address.ts';

describe('the address that the consent page may leave for', () => {
  const URI = 'http://127.0.0.1:9201/callback';
  const GOOD: readonly (readonly [string, string])[] = [
    [`${URI}?code=x&state=y`, URI],
    [`${URI}?error=access_denied`, URI],
    ['https://agent.example/cb?tenant=7&code=x', 'https://agent.example/cb?tenant=7'],
    ['https://agent.example/?code=x', 'https://agent.example'],
    ['http://[::1]:9201/callback?code=x', 'http://[::1]:9201/callback'],
  ];
  for (const [returnTo, redirectUri] of GOOD) {
    it(`may be ${returnTo}`, () => {
      expect(isRegisteredRedirect(returnTo, redirectUri, [redirectUri])).to.equal(true);
    });
  }

  const BAD: readonly (readonly [string, string])[] = [
    ['http://127.0.0.1:9202/callback?code=x', URI],
    ['http://localhost:9201/callback?code=x', URI],
    ['https://127.0.0.1:9201/callback?code=x', URI],
    ['http://127.0.0.1:9201/callback/?code=x', URI],
    ['http://127.0.0.1:9201/callback/../other?code=x', URI],
    ['http://127.0.0.1:9201@evil.example/callback?code=x', URI],
    ['http://user@127.0.0.1:9201/callback?code=x', URI],
    [`${URI}?code=x#fragment`, URI],
    ['//evil.example/callback', URI],
    ['/callback', URI],
    ['', URI],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['data:text/html,x', 'data:text/html,x'],
    ['https://agent.example/cb?tenant=8&code=x', 'https://agent.example/cb?tenant=7'],
  ];
  for (const [returnTo, redirectUri] of BAD) {
    it(`is not ${returnTo === '' ? 'nothing' : returnTo}`, () => {
      expect(isRegisteredRedirect(returnTo, redirectUri, [redirectUri])).to.equal(false);
    });
  }

  it('is one that the client registered', () => {
    expect(isRegisteredRedirect(`${URI}?code=x`, URI, ['http://127.0.0.1:9201/other'])).to.equal(false);
  });
});
