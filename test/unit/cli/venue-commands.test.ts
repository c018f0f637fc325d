import { expect } from 'chai';
import { armAccount } from '../../../gateway/contract/account-limits.ts';
import { tandem } from '../../support/command-line.ts';
import { recordingTerminal } from '../../support/recording-terminal.ts';
import { type StubGateway, startStubGateway } from './stub-gateway.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const ARMING = `/trade-accounts/${ID}/arming`;
const PASSWORD = 'correct horse battery';
const KEY = `tdm_${'k'.repeat(43)}`;
const ACCOUNT = { id: ID, alias: 'Real money', connector: 'live', mode: 'LIVE', status: 'READY' };
const LIMITS = {
  tradeAccountId: ID,
  armed: true,
  perOrderUsd: '100',
  totalUsd: '500',
  allow: { apiKeys: true, grants: false },
};
const CAPS = '--email ada@example.test --per-order 100 --total 500';
const ARM = ['venue', 'arm', 'real money', ...CAPS.split(' ')];

describe('venue commands', () => {
  let stub: StubGateway;
  let alias = ACCOUNT.alias;
  beforeEach(async () => {
    alias = ACCOUNT.alias;
    stub = await startStubGateway({
      'GET /health': () => [200, { status: 'ok' }],
      'POST /auth/login': () => [200, { accessToken: 'session-token' }],
      'POST /auth/logout': () => [204, null],
      'GET /trade-accounts': () => [200, { tradeAccounts: [{ ...ACCOUNT, alias }] }],
      [`PUT ${ARMING}`]: () => [200, LIMITS],
      [`DELETE ${ARMING}`]: () => [200, { ...LIMITS, armed: false }],
    });
  });
  afterEach(() => stub.close());

  const run = (argv: readonly string[], typed?: readonly string[], env: Record<string, string> = {}) =>
    tandem(argv, {
      env: { ...stub.env, ...env },
      terminal: recordingTerminal(typed === undefined ? {} : { typed }),
    });
  const seen = (method: string) => stub.seen.find((one) => one.method === method && one.path === ARMING);

  it('arms in a session of its own, with the password and the alias typed', async () => {
    const flags = ['--allow', 'api-keys', '--day-loss', '50', '--programs-read', 'no'];
    const end = await run([...ARM, ...flags], [PASSWORD, 'Real money']);
    expect([end.code, end.err]).to.deep.equal([0, '']);
    expect(end.out).to.equal(
      'LIVE: Real money is armed, up to 100 USD an order and 500 USD in all; API keys may open on it.',
    );
    expect(armAccount.body.parse(seen('PUT')?.body)).to.deep.equal({
      alias: 'Real money',
      armed: true,
      perOrderUsd: '100',
      totalUsd: '500',
      dayLossUsd: '50',
      allow: { apiKeys: true, grants: false },
      programsReadCredentials: false,
    });
    expect(seen('PUT')?.headers['authorization']).to.equal('Bearer session-token');
    expect(stub.seen.at(-1)?.path).to.equal('/auth/logout');
  });

  it('leaves out what was not named, and sends what was typed: the gateway compares it', async () => {
    expect((await run([...ARM, '--day-loss', 'none'], [PASSWORD, 'Paper'])).code).to.equal(0);
    expect(seen('PUT')?.body).to.deep.equal({
      alias: 'Paper',
      perOrderUsd: '100',
      totalUsd: '500',
      dayLossUsd: null,
    });
  });

  it('an alias that a program has given control characters moves nothing on the terminal', async () => {
    alias = 'Real\u001b[2K\rmoney';
    const terminal = recordingTerminal({ typed: [PASSWORD, alias] });
    const argv = ['venue', 'arm', ID, ...ARM.slice(3)];
    await tandem(argv, { env: stub.env, terminal });
    expect(terminal.questions.at(-1)).to.match(
      /LIVE: this is real money\. Type the account's alias \(Real \[2K money\)/,
    );
  });

  it('takes the alias of the command line where nobody can be asked', async () => {
    expect((await run(ARM, undefined, { TANDEM_PASSWORD: PASSWORD })).code).to.equal(0);
    expect(seen('PUT')?.body).to.include({ alias: 'real money' });
  });

  it('disarms with the saved key', async () => {
    const end = await run(['venue', 'disarm', 'Real money'], undefined, { TANDEM_API_KEY: KEY });
    expect([end.code, end.out]).to.deep.equal([
      0,
      'LIVE: Real money is not armed: nothing opens on it, and everything still closes.',
    ]);
    expect(seen('DELETE')?.headers['x-api-key']).to.equal(KEY);
  });

  it('refuses flags that make no sense before it asks for anything', async () => {
    for (const [argv, said] of [
      [[...ARM, '--allow', 'everybody'], '--allow takes api-keys, grants or none'],
      [[...ARM, '--programs-read', 'maybe'], '--programs-read must be yes or no'],
      [[...ARM, '--day-loss', 'much'], '--day-loss must be an amount in USD'],
      [ARM.slice(0, -2), '--total <usd> is needed'],
    ] as const) {
      const end = await run(argv);
      expect(end.code).to.equal(2);
      expect(end.err).to.contain(said);
    }
    expect(stub.seen).to.deep.equal([]);
  });

  describe('check', () => {
    const STEPS = [
      { name: 'connection', ok: true, detail: 'answers in 40 ms', remedy: null },
      { name: 'rights', ok: false, detail: 'The venue does not know this key', remedy: 'Approve a new one' },
    ];
    const PATH = '/connectors/live-testnet/check';
    const report = (ok: boolean) => ({
      ...{ connector: 'live-testnet', network: 'testnet', override: null, tradeAccountId: ID },
      ...{ at: '2026-01-01T00:00:00.000Z', version: '1', ok, steps: ok ? STEPS.slice(0, 1) : STEPS },
    });
    const serve = async (ok: boolean) => {
      await stub.close();
      stub = await startStubGateway({
        'GET /connectors': () => [200, { connectors: [TESTNET] }],
        'GET /trade-accounts': () => [
          200,
          { tradeAccounts: [{ ...ACCOUNT, connector: 'live-testnet', network: 'testnet' }] },
        ],
        [`POST ${PATH}`]: () => [200, report(ok)],
      });
    };
    const TESTNET = {
      ...{ id: 'live-testnet', displayName: 'Live testnet', mode: 'LIVE', network: 'testnet' },
      ...{ status: 'UP', since: '2026-01-01T00:00:00.000Z', reason: null, inUse: true },
    };
    const check = (...more: string[]) =>
      run(['venue', 'check', 'live', '--testnet', ...more], undefined, { TANDEM_API_KEY: KEY });

    it('shows each step, what to do about one that fails, and ends with 1 then', async () => {
      await serve(false);
      const end = await check();
      expect(end.code).to.equal(1);
      expect(end.out).to.equal(
        'TESTNET: Real money (live-testnet)\n✓ connection  answers in 40 ms\n✗ rights      The venue does not know this key\n              → Approve a new one',
      );
      expect(stub.seen.find(({ path }) => path === PATH)?.body).to.deep.equal({
        tradeAccountId: ID,
        transcript: false,
      });
      await serve(true);
      expect((await check()).code).to.equal(0);
    });

    it('names the account where several are meant, and the connector that is not there', async () => {
      await serve(true);
      expect((await run(['venue', 'check', 'elsewhere'], undefined, { TANDEM_API_KEY: KEY })).err).to.match(
        /no live venue 'elsewhere'/,
      );
      expect((await check('--account', 'nobody')).code).to.equal(2);
    });
  });

  it('lists accounts of a test network as such', async () => {
    await stub.close();
    stub = await startStubGateway({
      'GET /trade-accounts': () => [200, { tradeAccounts: [{ ...ACCOUNT, network: 'testnet' }] }],
    });
    const end = await run(['accounts'], undefined, { TANDEM_API_KEY: KEY });
    expect(end.out).to.match(/TESTNET/);
    expect(end.out).not.to.match(/LIVE/);
  });
});
