import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createApiKeyRoute } from '../../../gateway/contract/api-keys.ts';
import { loginRoute, registerRoute } from '../../../gateway/contract/auth.ts';
import { tandem } from '../../support/command-line.ts';
import { recordingTerminal } from '../../support/recording-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type StubGateway, type StubRoutes, startStubGateway } from './stub-gateway.ts';

const KEY = `tdm_${'k'.repeat(43)}`;
const EMAIL = 'ada@example.test';
const PASSWORD = 'correct horse battery';
const RECORD = {
  id: '01890000-0000-7000-8000-000000000001',
  label: 'bot',
  scope: 'read_write',
  keyPrefix: 'tdm_kkkk',
  expiresAt: null,
  lastUsedAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** A gateway with or without its user. */
function gatewayWith(user: boolean): StubRoutes {
  const unauthorised = [
    401,
    { message: 'Invalid email or password', error: 'Unauthorized', statusCode: 401 },
  ] as const;
  return {
    'GET /health': () => [200, { status: 'ok' }],
    'POST /auth/login': ({ body }) =>
      user && loginPassword(body) === PASSWORD ? [200, { accessToken: 'session-token' }] : unauthorised,
    'POST /auth/register': () =>
      user
        ? [403, { message: 'Registration is closed', error: 'Forbidden', statusCode: 403 }]
        : [201, { accessToken: 'session-token' }],
    'POST /auth/logout': () => [204, null],
    'POST /api-keys': () => [201, { ...RECORD, key: KEY }],
    'GET /api-keys': () => [200, { apiKeys: [RECORD] }],
    [`DELETE /api-keys/${RECORD.id}`]: () => [204, null],
  };
}

function loginPassword(body: unknown): string {
  const parsed = loginRoute.body.parse(body);
  return parsed.method === 'email' ? parsed.password : '';
}

describe('keys commands', () => {
  let stub: StubGateway;
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });
  afterEach(() => stub.close());

  async function run(
    argv: readonly string[],
    user: boolean,
    env: Record<string, string>,
    terminal = recordingTerminal(),
  ) {
    stub = await startStubGateway(gatewayWith(user), dataDir);
    return tandem([...argv, '--data-dir', dataDir], { env: { TANDEM_URL: stub.url, ...env }, terminal });
  }
  const paths = () => stub.seen.map((one) => `${one.method} ${one.path}`);

  it('makes the first user and a key, prints the key once, and ends its session', async () => {
    const end = await run(['keys', 'create', '--email', EMAIL, '--label', 'bot', '--expires', '30'], false, {
      TANDEM_PASSWORD: PASSWORD,
    });
    expect([end.code, end.out]).to.deep.equal([0, KEY]);
    expect(end.err).to.contain('Created the user').and.not.to.contain(KEY);
    expect(paths()).to.deep.equal([
      'GET /health',
      'POST /auth/login',
      'POST /auth/register',
      'POST /api-keys',
      'POST /auth/logout',
    ]);
    expect(registerRoute.body.parse(stub.seen[2]?.body)).to.deep.equal({ email: EMAIL, password: PASSWORD });
    const body = createApiKeyRoute.body.parse(stub.seen[3]?.body);
    expect(body).to.include({ label: 'bot', scope: 'read_write' });
    expect(body.expiresAt).to.be.a('string');
    expect(stub.seen[3]?.headers['authorization']).to.equal('Bearer session-token');
  });

  it('saves the key for the other commands, readable by its owner alone', async () => {
    const end = await run(['keys', 'create', '--email', EMAIL, '--save'], true, {
      TANDEM_PASSWORD: PASSWORD,
    });
    expect(end.code).to.equal(0);
    const path = join(dataDir, 'cli.json');
    expect(JSON.parse(await readFile(path, 'utf8'))).to.deep.equal({ apiKey: KEY });
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    await tandem(['accounts', '--data-dir', dataDir], { env: { TANDEM_URL: stub.url } });
    expect(stub.seen.at(-1)?.headers['x-api-key']).to.equal(KEY);
  });

  it('reads the password from standard input when nobody can be asked', async () => {
    const end = await run(
      ['keys', 'create', '--email', EMAIL],
      true,
      {},
      recordingTerminal({ input: `${PASSWORD}\n` }),
    );
    expect(end.code).to.equal(0);
  });

  it('asks on a terminal, and again before it makes a user', async () => {
    const typed = [EMAIL, PASSWORD, 'y', PASSWORD];
    const end = await run(['keys', 'create'], false, {}, recordingTerminal({ typed }));
    expect([end.code, end.out]).to.deep.equal([0, KEY]);
    await stub.close();
    const differing = await run(
      ['keys', 'create'],
      false,
      {},
      recordingTerminal({ typed: [EMAIL, PASSWORD, 'y', 'other'] }),
    );
    expect([differing.code, differing.err]).to.deep.equal([1, 'tandem: the two passwords differ']);
    expect(paths()).not.to.include('POST /auth/register');
  });

  it('says that the sign-in was wrong when the gateway has its user already', async () => {
    const end = await run(['keys', 'create', '--email', EMAIL], true, {
      TANDEM_PASSWORD: 'not the password',
    });
    expect([end.code, end.err]).to.deep.equal([1, 'tandem: wrong email or password']);
  });

  it('takes no password from argv', async () => {
    const end = await run(['keys', 'create', '--email', EMAIL, '--password', PASSWORD], true, {});
    expect(end.code).to.equal(2);
    expect(end.err).to.contain('unknown flag --password').and.not.to.contain(PASSWORD);
    expect(stub.seen).to.deep.equal([]);
  });

  it('lists keys, and revokes one by its label', async () => {
    const list = await run(['keys', 'list', '--email', EMAIL], true, { TANDEM_PASSWORD: PASSWORD });
    expect(list.out).to.match(/bot +read_write +tdm_kkkk… +never +never/);
    await stub.close();
    const end = await run(['keys', 'revoke', 'bot', '--email', EMAIL], true, { TANDEM_PASSWORD: PASSWORD });
    expect(end.code).to.equal(0);
    expect(paths()).to.include(`DELETE /api-keys/${RECORD.id}`);
    await stub.close();
    const unknown = await run(['keys', 'revoke', 'other', '--email', EMAIL], true, {
      TANDEM_PASSWORD: PASSWORD,
    });
    expect(unknown.code).to.equal(2);
  });
});
