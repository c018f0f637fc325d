/** After a whole day's work nothing secret stands in any file or any line of the log, and nobody else can read the files. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ensureDataFolder } from '../../gateway/system/data-folder.ts';
import { createLogger } from '../../gateway/system/logger.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { newPkce, oauthClient, READ_WRITE } from '../support/oauth-client.ts';
import { connectRealtime } from '../support/realtime-client.ts';
import { PAIR, traderOn } from '../support/trader.ts';

const PASSWORD = 'Tr0ub4dor & 3 horses';
const NEXT_PASSWORD = 'an entirely different one';
const WRONG_PASSWORD = 'a near miss of a password';
const EMAIL = 'ada@example.test';
const NOBODY = 65_534;

interface Secret {
  readonly name: string;
  readonly value: string;
}

interface Work {
  readonly secrets: readonly Secret[];
  readonly apiKeys: readonly string[];
}

type Keep = (name: string, value: unknown) => string;

/** Everything that a client and the user who allows it do, mistakes included. */
async function connectAgent(gateway: TestGateway, accountId: string, keep: Keep): Promise<void> {
  const client = oauthClient(gateway);
  const visitor = consentVisitor(gateway, { email: EMAIL, password: NEXT_PASSWORD });
  const keepTokens = (moment: string, { json }: Awaited<ReturnType<typeof client.redeem>>) => {
    keep(`refresh token of ${moment}`, json.refresh_token);
    keep(`signature of the access token of ${moment}`, json.access_token.split('.')[2]);
    return { access: keep(`access token of ${moment}`, json.access_token), refresh: json.refresh_token };
  };
  const clientId = await client.register();
  const link = `${gateway.url}${client.authorizePath(clientId, newPkce().challenge)}`;
  const uid = await visitor.open(link);
  expect((await visitor.login(uid, WRONG_PASSWORD)).status).to.equal(401);
  expect((await visitor.login(uid)).status).to.equal(200);
  keep('cookie of the consent page', visitor.cookies().split('=')[1]);
  expect((await visitor.abort(uid)).status).to.equal(200);

  const authorization = await client.authorize(visitor, READ_WRITE, { clientId });
  const code = keep('code', authorization.code);
  const verifier = keep('verifier', authorization.verifier);
  const wrong = keep('wrong verifier', newPkce().verifier);
  await client.redeem(authorization, { code_verifier: wrong });
  await client.redeem(authorization, { code_verifier: `${verifier} with a space` });
  await gateway.request('POST', '/token', { body: { code, code_verifier: verifier } });
  await gateway.request('GET', `/authorize?client_id=${clientId}&code=${code}&code_verifier=${verifier}`);
  const first = keepTokens('the code', await client.redeem(authorization));
  await client.redeem(authorization);

  const asAgent = { authorization: `Bearer ${first.access}`, 'x-trade-account-id': accountId };
  await gateway.expect('GET', '/positions', { headers: asAgent });
  await gateway.expect(
    'POST',
    '/trade/open',
    {
      headers: asAgent,
      body: { type: 'MARKET', legs: PAIR },
    },
    202,
  );
  await gateway.request('GET', '/auth/me', { headers: asAgent });
  await gateway.request('POST', `/trade-accounts/${accountId}/credentials`, { headers: asAgent });

  const second = keepTokens('the refresh', await client.refresh(clientId, first.refresh));
  await client.refresh(clientId, first.refresh);
  await client.refresh(await client.register(), second.refresh);
  await client.refresh(clientId, second.refresh, { scope: 'everything' });
  await gateway.request('POST', '/revoke', { body: `{"token":"${second.refresh}"` });
  await client.revoke(second.access);
  expect((await client.revoke(second.refresh)).status).to.equal(200);
  const ended = { authorization: `Bearer ${second.access}`, 'x-trade-account-id': accountId };
  expect((await gateway.request('GET', '/positions', { headers: ended })).status).to.equal(401);
  await client.refresh(clientId, second.refresh);

  // Credentials still in use when the gateway stops must be hidden as well as ended ones.
  const lasting = await client.authorize(visitor, READ_WRITE, { clientId });
  keep('code of the lasting grant', lasting.code);
  keep('verifier of the lasting grant', lasting.verifier);
  keepTokens('the lasting grant', await client.redeem(lasting));
  const unredeemed = await client.authorize(visitor, READ_WRITE, { clientId });
  keep('unredeemed code', unredeemed.code);
  keep('unused verifier', unredeemed.verifier);
}

/** Everything that a user, a bot and a page do, mistakes included. */
async function workThrough(gateway: TestGateway): Promise<Work> {
  const secrets: Secret[] = [];
  const keep: Keep = (name, value) => {
    expect(value, name).to.be.a('string').with.length.at.least(8);
    secrets.push({ name, value: String(value) });
    return String(value);
  };
  const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    gateway.request('POST', path, { headers, body });
  const keepSession = (kind: string, answer: Awaited<ReturnType<typeof post>>) => {
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    keep(`cookie of ${kind}`, cookie.split('=')[1]);
    keep(`refresh token of ${kind}`, answer.json.refreshToken);
    const accessToken = keep(`access token of ${kind}`, answer.json.accessToken);
    // Any part of a token that proves something is as good as the token.
    keep(`signature of the access token of ${kind}`, accessToken.split('.')[2]);
    return { cookie, accessToken, refreshToken: String(answer.json.refreshToken) };
  };

  for (const [name, value] of Object.entries({ PASSWORD, NEXT_PASSWORD, WRONG_PASSWORD })) keep(name, value);
  const registered = await post('/auth/register', { email: EMAIL, password: PASSWORD });
  expect(registered.status).to.equal(201);
  const accountId: string = registered.json.tradeAccount.id;
  keepSession('the registration', registered);
  await post('/auth/login', { method: 'email', email: EMAIL, password: WRONG_PASSWORD });
  await post('/auth/login', { method: 'email', email: EMAIL, password: PASSWORD, passwort: PASSWORD });
  await post('/auth/login', `{"method":"email","password":"${WRONG_PASSWORD}"`);
  const login = keepSession(
    'the login',
    await post('/auth/login', { method: 'email', email: EMAIL, password: PASSWORD }),
  );
  const refreshed = keepSession(
    'the refresh',
    await post('/auth/session/refresh', { refreshToken: login.refreshToken }),
  );
  await post('/auth/session/refresh', { refreshToken: login.refreshToken });

  const again = keepSession(
    'the next login',
    await post('/auth/login', { method: 'email', email: EMAIL, password: PASSWORD }),
  );
  const bearer = { authorization: `Bearer ${again.accessToken}` };
  const changed = await post('/auth/password', { current: PASSWORD, next: NEXT_PASSWORD }, bearer);
  expect(changed.status).to.equal(204);
  await gateway.request('GET', '/auth/me', { headers: { authorization: `Bearer ${refreshed.accessToken}` } });

  const wallet = privateKeyToAccount(generatePrivateKey());
  const { nonce, message } = (await post('/auth/nonce', { address: wallet.address })).json;
  const signature = keep('wallet signature', await wallet.signMessage({ message }));
  keep('wallet nonce', nonce);
  keepSession(
    'the wallet',
    await post('/auth/login', { method: 'wallet', address: wallet.address, nonce, signature }),
  );

  const apiKeys: string[] = [];
  for (const scope of ['read_write', 'read']) {
    const made = await post('/api-keys', { label: `my ${scope}`, scope }, bearer);
    apiKeys.push(keep(`API key ${scope}`, made.json.key));
    // Its first characters are shown in lists; the rest is the secret.
    keep(`rest of API key ${scope}`, made.json.key.slice(made.json.keyPrefix.length));
  }
  const [key = '', readKey = ''] = apiKeys;
  const wrongKey = keep('mistyped API key', `tdm_${'wrong'.repeat(8)}`);
  await gateway.request('GET', '/executions', { headers: { 'x-api-key': wrongKey } });
  await gateway.request('GET', '/nothing', {
    headers: { 'x-api-key': key, ...bearer, cookie: login.cookie },
  });
  await gateway.request('GET', `/executions?apiKey=${key}`, { headers: { 'x-api-key': readKey } });
  await post(`/auth/logout?token=${again.accessToken}`, undefined, { 'x-api-key': key });

  const credentials = {
    apiKey: 'venue-api-key-of-mine',
    apiSecret: keep('venue secret', 'venue-secret-of-mine'),
  };
  keep('venue key', credentials.apiKey);
  const path = `/trade-accounts/${accountId}/credentials`;
  await gateway.request('PUT', path, { headers: { 'x-api-key': key }, body: credentials });
  await post(
    '/trade-accounts',
    { alias: 'With credentials', connector: 'paper', credentials },
    { 'x-api-key': key },
  );

  const ticket = keep('ticket', (await post('/auth/ws-ticket', undefined, bearer)).json.ticket);
  const bot = traderOn(gateway, { key, accountId, accessToken: again.accessToken });
  const url = `ws://127.0.0.1:${gateway.port}/ws`;
  for (const credential of [
    { apiKey: key },
    { token: again.accessToken },
    { ticket },
    { apiKey: wrongKey },
    { ticket },
  ]) {
    const client = await connectRealtime(url);
    await client.ask({ op: 'auth', ...credential });
    await client.ask({ op: 'auth', ...credential, password: PASSWORD });
    await client.ask({ op: 'subscribe', channels: [`user:${accountId}`] });
    client.end();
  }
  await connectRealtime(`${url}?ticket=${ticket}`).catch(() => undefined);

  const headers = { 'idempotency-key': 'my-order-1' };
  const { positionId } = await bot.execute('/trade/open', { type: 'MARKET', legs: PAIR }, headers);
  expect((await bot.execute(`/positions/${positionId}/close`, { type: 'MARKET' })).status).to.equal(
    'COMPLETED',
  );
  await connectAgent(gateway, accountId, keep);
  return { secrets, apiKeys };
}

describe('secrets', () => {
  let home: string;
  let dataDir: string;
  let work: Work;
  /** Contents by file name, read while the gateway ran and again after it had stopped. */
  const contents = new Map<string, Buffer>();
  const modes = new Map<string, number>();
  const lines: string[] = [];
  let umask: number;

  before(async () => {
    // Whatever the user's umask leaves open, the gateway closes by itself.
    umask = process.umask(0);
    home = await mkdtemp(join(tmpdir(), 'tandem-secrets-'));
    // As homes often are: everybody may walk through them.
    await chmod(home, 0o755);
    await mkdir(join(home, 'share'), { mode: 0o755 });
    dataDir = join(home, 'share', 'tandem');
    expect(ensureDataFolder(dataDir)).to.deep.include({ ok: true });
    const logger = createLogger({
      level: 'debug',
      pretty: false,
      stream: { write: (line: string) => void lines.push(line) },
    });
    const gateway = await startTestGateway({ dataDir, overrides: { logger } });
    try {
      work = await workThrough(gateway);
      await look('running');
    } finally {
      await gateway.close();
    }
    await look('stopped');
  });
  after(async () => {
    process.umask(umask);
    await rm(home, { recursive: true, force: true });
  });

  async function look(moment: string): Promise<void> {
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = `${moment}: ${relative(dataDir, path)}${entry.isDirectory() ? '/' : ''}`;
      modes.set(name, (await stat(path)).mode & 0o777);
      if (entry.isFile()) contents.set(name, await readFile(path));
    }
    modes.set(`${moment}: ./`, (await stat(dataDir)).mode & 0o777);
  }

  it('the run left what it should have: database with its log, venue journals, vault, debug lines', () => {
    const names = [...contents.keys()].join('\n');
    for (const expected of [
      'running: tandem.db',
      'running: tandem.db-wal',
      'stopped: tandem.db',
      'paper',
      'vault',
    ])
      expect(names).to.include(expected);
    const levels = new Set(lines.map((line) => JSON.parse(line).level));
    expect(levels).to.include('debug');
    expect(lines.join('')).to.include('Invalid API key');
  });

  it('no password, key, token, code, verifier, cookie, ticket or signature stands in any file', () => {
    for (const [name, bytes] of contents) {
      for (const secret of work.secrets) {
        expect(bytes.includes(secret.value), `${secret.name} in ${name}`).to.equal(false);
        const base64 = Buffer.from(secret.value).toString('base64').replace(/=+$/, '');
        expect(bytes.includes(base64), `${secret.name} as base64 in ${name}`).to.equal(false);
      }
    }
  });

  it('nor in any line of the log, at debug level', () => {
    expect(lines).to.not.deep.equal([]);
    for (const line of lines) {
      for (const secret of work.secrets)
        expect(line.includes(secret.value), `${secret.name} in ${line}`).to.equal(false);
    }
  });

  it('an API key is kept as its SHA-256', () => {
    const databases = [...contents].filter(([name]) => name.startsWith('stopped: tandem.db'));
    for (const key of work.apiKeys) {
      const hash = createHash('sha256').update(key).digest('hex');
      expect(databases.some(([, bytes]) => bytes.includes(hash))).to.equal(true);
    }
  });

  it('another user of this machine reads none of them', async function () {
    // Only root can become somebody else.
    if (process.getuid?.() !== 0) this.skip();
    const asNobody = (command: string, path: string) => {
      const { status, stdout } = spawnSync(command, [path], { uid: NOBODY, gid: NOBODY });
      return [status === 0, stdout.length > 0];
    };
    // The way to the folder is open: only the folder itself stops them.
    await writeFile(join(home, 'share', 'public'), 'for all', { mode: 0o644 });
    expect(asNobody('cat', join(home, 'share', 'public'))).to.deep.equal([true, true]);
    const paths = [...contents.keys()].flatMap((name) => name.split('stopped: ')[1] ?? []);
    expect(paths).to.include('tandem.db');
    expect(asNobody('ls', dataDir)).to.deep.equal([false, false]);
    for (const path of paths)
      expect(asNobody('cat', join(dataDir, path)), path).to.deep.equal([false, false]);
  });

  it('files are readable by their owner only (0600), folders too (0700), whatever the umask', () => {
    expect(modes.size).to.be.greaterThan(8);
    for (const [name, mode] of modes)
      expect(mode.toString(8), name).to.equal(name.endsWith('/') ? '700' : '600');
  });
});
