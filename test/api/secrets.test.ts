/** After a whole day's work nothing secret stands in any file or any line of the log, and nobody else can read the files. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ensureDataFolder } from '../../gateway/system/data-folder.ts';
import { createLogger } from '../../gateway/system/logger.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { connectRealtime } from '../support/realtime-client.ts';
import { PAIR, traderOn } from '../support/trader.ts';

const PASSWORD = 'Tr0ub4dor & 3 horses';
const NEXT_PASSWORD = 'an entirely different one';
const WRONG_PASSWORD = 'a near miss of a password';
const EMAIL = 'ada@example.test';

interface Secret {
  readonly name: string;
  readonly value: string;
}

interface Work {
  readonly secrets: readonly Secret[];
  readonly apiKeys: readonly string[];
}

/** Everything that a user, a bot and a page do, mistakes included. */
async function workThrough(gateway: TestGateway): Promise<Work> {
  const secrets: Secret[] = [];
  const keep = (name: string, value: unknown): string => {
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
  const opened = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR }, headers);
  const { positionId } = await bot.ended(opened.json.execution.id);
  const closing = await bot.call('POST', `/positions/${positionId}/close`, { type: 'MARKET' });
  expect((await bot.ended(closing.json.execution.id)).status).to.equal('COMPLETED');
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

  it('no password, key, token, cookie, ticket or signature stands in any file', () => {
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

  it('files are readable by their owner only (0600), folders too (0700), whatever the umask', () => {
    expect(modes.size).to.be.greaterThan(8);
    for (const [name, mode] of modes)
      expect(mode.toString(8), name).to.equal(name.endsWith('/') ? '700' : '600');
  });
});
