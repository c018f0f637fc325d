import { expect } from 'chai';
import fc from 'fast-check';
import { callbackUri, isAllowedRedirectUri } from '../../../gateway/oauth/redirect-uri.ts';
import { forAll } from '../../support/property-runs.ts';

const OWN = ['127.0.0.1:7391', 'localhost:7391', '[::1]:7391', 'tandem.localhost:7391'];

describe('redirect URIs', () => {
  const allowed = [
    'https://agent.example/callback',
    'https://agent.example:8443/callback?tenant=1',
    'http://localhost/cb',
    'http://localhost:3000',
    'http://127.0.0.1:33418/callback',
    'http://[::1]:33418/',
    'HTTP://LOCALHOST/cb',
    // As clients register them: Claude Code, Codex, VS Code, MCP Inspector.
    'http://localhost:54212/callback',
    'http://127.0.0.1:54212/callback/aGVsbG8',
    'http://127.0.0.1:33418/',
    'http://127.0.0.1/',
    'http://localhost/',
    'https://vscode.dev/redirect',
    'http://localhost:6274/oauth/callback/debug',
    'https://agent.example:443/cb',
    'http://127.0.0.1:7392/cb',
  ];
  for (const uri of allowed)
    it(`may be registered: ${uri}`, () => expect(isAllowedRedirectUri(uri, OWN)).to.equal(true));

  const refused = [
    '',
    'http://agent.example/cb',
    'http://localhost.agent.example/cb',
    'http://127.0.0.1.agent.example/cb',
    'http://127.0.0.2/cb',
    'http://[::2]/cb',
    'http://0.0.0.0/cb',
    'http://localhost./cb',
    'https://agent.example/cb#',
    'https://agent.example/cb#part',
    'https://user@agent.example/cb',
    'https://user:secret@agent.example/cb',
    'http://@localhost/cb',
    'http://127.0.0.1@agent.example/cb',
    'http:/localhost/cb',
    'http:localhost/cb',
    'http:\\\\localhost\\cb',
    'https://agent.example\\@localhost/cb',
    ' https://agent.example/cb',
    'https://agent.example/cb ',
    'https://agent.example/c\tb',
    'https://agent.example/cb\n',
    'https://agent.example/\u202ecb',
    'https://agent.éxample/cb',
    'https://',
    'https://agent.example:99999/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'cursor://anysphere/cb',
    // Other spellings of a host that is shown as what it is not.
    'http://2130706433/',
    'http://2130706433:9201/cb',
    'http://0x7f000001/cb',
    'http://0x7f.1/cb',
    'http://017700000001/cb',
    'http://127.1/cb',
    'http://127.0.0.01/cb',
    'https://134744072/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://%6cocalhost/cb',
    'https://%65vil.example/cb',
    'https:///evil.com',
    'https:////evil.com/cb',
    'http:///localhost/cb',
    'http://localhost:/cb',
    'http://localhost:09201/cb',
    // A path that is another one for a browser.
    'https://agent.example/a/../cb',
    'https://agent.example/./cb',
    'https://agent.example/a/%2e%2E/cb',
    // The gateway's own.
    'http://127.0.0.1:7391/callback',
    'http://localhost:7391/',
    'HTTP://LOCALHOST:7391/x',
    'http://[::1]:7391/x',
    'https://tandem.localhost:7391/app/settings',
    'https://127.0.0.1:7391/x',
    '//agent.example/cb',
    '/cb',
    `https://agent.example/${'x'.repeat(1_024)}`,
  ];
  for (const uri of refused)
    it(`may not: ${JSON.stringify(uri.slice(0, 60))}`, () =>
      expect(isAllowedRedirectUri(uri, OWN)).to.equal(false));

  it('what may be registered is never read as another host', () => {
    const authority = fc.oneof(
      fc.webAuthority({ withPort: true, withUserInfo: true }),
      fc.constantFrom('localhost:1', '127.0.0.1:2', '[::1]:3', 'localhost:1@evil.example'),
    );
    const rest = fc.string({ maxLength: 20 });
    forAll([fc.constantFrom('http', 'https'), authority, rest], (scheme, host, path) => {
      const uri = `${scheme}://${host}/${path}`;
      if (!isAllowedRedirectUri(uri)) return;
      const url = new URL(uri);
      expect([url.username, url.password, url.hash]).to.deep.equal(['', '', '']);
      expect(url.host === host.toLowerCase() || url.port === '').to.equal(true);
      if (scheme === 'http') expect(url.hostname).to.be.oneOf(['localhost', '127.0.0.1', '[::1]']);
    });
  });

  it('the way back keeps the registered string and adds parameters that read back as they were', () =>
    forAll([fc.constantFrom(...allowed), fc.string({ unit: 'grapheme' })], (uri, state) => {
      const back = callbackUri(uri, { code: 'c', state, absent: null });
      expect(back.startsWith(uri)).to.equal(true);
      const { searchParams } = new URL(back);
      expect(searchParams.get('code')).to.equal('c');
      expect(searchParams.get('state')).to.equal(state);
      expect(searchParams.has('absent')).to.equal(false);
    }));
});
