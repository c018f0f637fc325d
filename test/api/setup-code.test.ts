/** Callers that may become a gateway's first user, where it knows the connection's owner and where it does not. */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { privateKeyToAccount } from 'viem/accounts';
import type { Settings } from '../../gateway/config.ts';
import { startTestGateway, type TestAnswer, type TestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { callAs, canBeOthers, STRANGER } from '../support/other-user.ts';

const USER = { email: 'ada@example.test', password: PASSWORD };
/** As on a system that does not tell whose a connection is. */
const UNTOLD: Partial<Settings> = { registration: 'first', peerCheck: 'off' };

describe('setup code', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.close());

  const start = async (settings: Partial<Settings>): Promise<void> => {
    gateway = await startTestGateway({ settings });
  };
  const file = () => join(gateway.dataDir, 'setup-code');
  const register = (extra: object = {}, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    gateway.request('POST', '/auth/register', { body: { ...USER, ...extra }, headers });
  const started = async () => (await gateway.request('GET', '/app/start')).json;

  it('is asked of the first user, and kept for the owner alone until there is one', async () => {
    await start(UNTOLD);
    const code = (await readFile(file(), 'utf8')).trim();
    expect(code).to.match(/^[0-9a-f]{32}$/);
    expect((await stat(file())).mode & 0o777).to.equal(0o600);
    expect(gateway.gateway.setupCode).to.equal(code);
    expect(gateway.gateway.signInLink()).to.match(new RegExp(`^http://[^/]+/#setup=${code}$`));
    expect(await started()).to.deep.equal({ signedIn: false, registration: 'first', setupCode: true });

    const without = await register();
    expect([without.status, without.json.statusCode]).to.deep.equal([403, 403]);
    expect(without.json.message).to.contain('setup code');
    for (const setupCode of [
      'x',
      code.slice(1),
      `${code}0`,
      code.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ]) {
      const wrong = await register({ setupCode });
      expect([wrong.status, wrong.json.errorCode]).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(wrong.json.details[0].path).to.equal('setupCode');
    }
    expect((await started()).registration).to.equal('first');

    expect((await register({ setupCode: ` ${code.toUpperCase()}\n` })).status).to.equal(201);
    expect(existsSync(file())).to.equal(false);
    expect(gateway.gateway.setupCode).to.equal(null);
    expect(await started()).to.deep.equal({ signedIn: false, registration: 'closed' });
    expect((await register({ email: 'bob@example.test', setupCode: code })).status).to.equal(403);
  });

  it('makes one owner of many who have it', async () => {
    await start(UNTOLD);
    const { setupCode } = gateway.gateway;
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => register({ email: `ada${index}@example.test`, setupCode })),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 403, 403, 403, 403]);
  });

  it('is asked of a wallet, at the sign-in and on the consent page', async () => {
    await start(UNTOLD);
    const wallet = privateKeyToAccount(`0x${'7'.repeat(64)}`);
    const client = await gateway.request('POST', '/register', {
      body: { client_name: 'Agent', redirect_uris: ['http://127.0.0.1:9/back'] },
    });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.json.client_id,
      redirect_uri: 'http://127.0.0.1:9/back',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      scope: 'mcp:read',
    });
    const page = await gateway.request('GET', `/authorize?${query}`);
    const uid = /\/consent\/([^/?]+)/.exec(page.headers.get('location') ?? '')?.[1];
    const nonce = await gateway.request('POST', '/auth/nonce', { body: { address: wallet.address } });
    const signature = await wallet.signMessage({ message: nonce.json.message });
    const body = { method: 'wallet', address: wallet.address, nonce: nonce.json.nonce, signature };
    const { setupCode } = gateway.gateway;

    for (const path of ['/auth/login', `/interaction/${uid}/login`]) {
      expect((await gateway.request('POST', path, { body })).status, path).to.equal(403);
      const wrong = { ...body, setupCode: 'f'.repeat(32) };
      expect((await gateway.request('POST', path, { body: wrong })).status, path).to.equal(400);
    }
    expect((await started()).registration).to.equal('first');
    // The nonce is not used up by a sign-in that was never looked at.
    await gateway.expect('POST', `/interaction/${uid}/login`, {
      body: { ...body, setupCode },
    });
    expect((await started()).registration).to.equal('closed');
  });

  it('is sent by the desktop app for its page', async () => {
    await start(UNTOLD);
    const headers = { 'x-tandem-setup-code': gateway.gateway.setupCode ?? '' };
    const asked = await gateway.request('GET', '/app/start', { headers });
    expect(asked.json).to.deep.equal({ signedIn: false, registration: 'first' });
    expect((await register({}, { 'x-tandem-setup-code': 'f'.repeat(32) })).status).to.equal(400);
    expect((await register({}, headers)).status).to.equal(201);
  });

  it('is new at every start, and of no use once there is a user', async () => {
    await start(UNTOLD);
    const { dataDir } = gateway;
    const first = gateway.gateway.setupCode;
    await gateway.gateway.close();
    expect(existsSync(file())).to.equal(false);
    const again = await startTestGateway({ settings: UNTOLD, dataDir });
    try {
      expect(again.gateway.setupCode)
        .to.match(/^[0-9a-f]{32}$/)
        .and.not.to.equal(first);
    } finally {
      await again.close();
    }
  });

  it('is not asked where everybody may register, nor where nobody may', async () => {
    await start({ registration: 'open', peerCheck: 'off' });
    expect(existsSync(file())).to.equal(false);
    expect((await register()).status).to.equal(201);
    await gateway.close();
    await start({ registration: 'closed', peerCheck: 'off' });
    expect(existsSync(file())).to.equal(false);
    expect((await register()).json.message).to.equal('Registration is closed');
  });

  it('is not asked of programs of the same user, and of others who may connect it is', async function () {
    if (!canBeOthers()) this.skip();
    await start({ registration: 'first', allowUser: [String(STRANGER)] });
    expect(await started()).to.deep.equal({ signedIn: false, registration: 'first' });
    expect((await callAs(STRANGER, 'POST', `${gateway.url}/auth/register`, USER)).status).to.equal(403);
    expect((await register()).status).to.equal(201);
  });
});
