/** Every question and answer of the command line that concerns an account says whose money it is, as text and as JSON. */
import { expect } from 'chai';
import { tandem } from '../../support/command-line.ts';
import { recordingTerminal } from '../../support/recording-terminal.ts';
import { type StubGateway, type StubRoutes, startStubGateway } from './stub-gateway.ts';

const KEY = `tdm_${'a'.repeat(43)}`;
const SECRET = `0x${'5e'.repeat(32)}`;
const PASSWORD = 'correct horse battery';
const EXECUTION_ID = '01890000-0000-7000-8000-0000000000e1';
const POSITION_ID = '01890000-0000-7000-8000-0000000000f1';

const account = (end: number, alias: string, connector: string, mode: string, network: string | null) => ({
  id: `01890000-0000-7000-8000-00000000000${end}`,
  ...{ alias, connector, mode, network, status: 'READY', exchangeIdentifier: '0xabc' },
});
const REAL = account(1, 'Main', 'live', 'LIVE', 'mainnet');
const REHEARSAL = account(2, 'Rehearsal', 'live-testnet', 'LIVE', 'testnet');
const PAPER = account(3, 'Play', 'paper', 'PAPER', null);
const ALL = [REAL, REHEARSAL, PAPER];
const WORDS = [
  [REAL, 'LIVE'],
  [REHEARSAL, 'TESTNET'],
  [PAPER, 'PAPER'],
] as const;

const execution = {
  id: EXECUTION_ID,
  ...{ status: 'COMPLETED', intent: 'OPEN', error: null, errorCode: null, positionId: POSITION_ID },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', finishedAt: '2026-01-01T00:00:01.000Z', orders: [] },
};
const position = {
  id: POSITION_ID,
  ...{ connector: 'live', status: 'OPEN', legs: [], createdAt: '2026-01-01T00:00:00.000Z' },
};
const review = {
  ...{ id: POSITION_ID, tradeId: '7', symbol: 'BTC-PERP', side: 'BUY', price: '1', quantity: '1' },
  timestamp: '2026-01-01T00:00:00.000Z',
  known: {
    ...{ symbol: 'BTC-PERP', side: 'BUY', price: '1', quantity: '1' },
    timestamp: '2026-01-01T00:00:00.000Z',
  },
};
const field = (name: string, secret: boolean) => ({
  ...{ name, label: name, kind: 'text', secret, required: true, hint: '' },
});
const FIELDS = [field('accountAddress', false), field('agentKey', true)];
const ARMING = {
  ...{ armed: true, perOrderUsd: '100', totalUsd: '500', allow: { apiKeys: false, grants: false } },
};
const connector = (id: string, mode: string, network?: string) => ({
  ...{ id, displayName: id, status: 'UP', mode, marginMode: 'required', reason: null },
  ...(network === undefined ? {} : { network, credentials: FIELDS }),
});

const ROUTES: StubRoutes = {
  'GET /health': () => [200, { status: 'ok', mode: 'MIXED', money: ['LIVE', 'TESTNET', 'PAPER'] }],
  'GET /version': () => [200, { version: '1' }],
  'GET /ready': () => [200, { ready: true, checks: [] }],
  'GET /trade-accounts': () => [200, { tradeAccounts: ALL }],
  'GET /connectors': () => [
    200,
    {
      connectors: [
        connector('live', 'LIVE', 'mainnet'),
        connector('live-testnet', 'LIVE', 'testnet'),
        connector('paper', 'PAPER'),
      ],
    },
  ],
  'GET /instruments/symbol-to-id-map': () => [200, { BTC: 'BTC-PERP' }],
  'GET /positions': () => [200, { positions: [position] }],
  'GET /executions': () => [200, { executions: [execution] }],
  [`GET /executions/${EXECUTION_ID}`]: () => [200, { execution }],
  'GET /sync/reviews': () => [200, { reviews: [review] }],
  'POST /sync/reviews/resolve': () => [200, { resolved: 1 }],
  'POST /trade/open': ({ body }) =>
    Reflect.get(Object(body), 'dryRun') === true
      ? [200, { plan: { legs: [], problems: [] } }]
      : [202, { execution, intent: 'OPEN' }],
  [`POST /positions/${POSITION_ID}/close`]: () => [202, { execution, intent: 'CLOSE' }],
  'POST /auth/login': () => [200, { accessToken: 'session-token' }],
  'POST /auth/logout': () => [204, null],
  'POST /trade-accounts': ({ body }) => [
    201,
    Reflect.get(Object(body), 'connector') === 'live' ? REAL : REHEARSAL,
  ],
  ...Object.fromEntries(
    ALL.flatMap(({ id }) => [
      [`PUT /trade-accounts/${id}/arming`, () => [200, ARMING] as const],
      [`DELETE /trade-accounts/${id}/arming`, () => [200, { ...ARMING, armed: false }] as const],
    ]),
  ),
  ...Object.fromEntries(
    [REAL, REHEARSAL].map((one) => [
      `POST /connectors/${one.connector}/check`,
      () => [200, { network: one.network, override: null, ok: true, steps: [] }] as const,
    ]),
  ),
};

const OPEN = ['open', '--long', 'BTC=10'];
const ABOUT_ONE: readonly (readonly string[])[] = [
  ['positions'],
  ['positions', '--legs'],
  ['executions'],
  ['executions', EXECUTION_ID],
  ['reviews'],
  ['reviews', '--resolve'],
  [...OPEN, '--dry-run'],
  OPEN,
  ['close', POSITION_ID],
];

describe('the mark of an account on the command line', () => {
  let stub: StubGateway;
  beforeEach(async () => {
    stub = await startStubGateway(ROUTES);
  });
  afterEach(() => stub.close());

  const run = (argv: readonly string[], terminal = recordingTerminal()) =>
    tandem(argv, { env: { ...stub.env, TANDEM_API_KEY: KEY }, terminal });
  const orders = () =>
    stub.seen.filter(({ method, path }) => method === 'POST' && /open$|close$/.test(path)).length;

  for (const argv of ABOUT_ONE) {
    it(`stands in front of the answer, and is in its JSON: ${argv.join(' ')}`, async () => {
      for (const [one, word] of WORDS) {
        const text = await run([...argv, '--account', one.alias]);
        expect(text.out.split('\n')[0]).to.equal(`${word}: ${one.alias} (${one.connector})`);
        const json = await run([...argv, '--account', one.alias, '--json']);
        expect(JSON.parse(json.out)).to.include({ mode: one.mode, network: one.network });
      }
    });
  }

  it('is said before an order goes to a venue, also where the answer is JSON', async () => {
    for (const argv of [OPEN, ['close', POSITION_ID]]) {
      for (const [one, word] of WORDS) {
        let saidBefore = '';
        const terminal = recordingTerminal();
        await stub.close();
        stub = await startStubGateway({
          ...ROUTES,
          ...Object.fromEntries(
            ['POST /trade/open', `POST /positions/${POSITION_ID}/close`].map((route) => [
              route,
              () => {
                saidBefore = terminal.errLines.join('\n');
                return [202, { execution, intent: 'OPEN' }] as const;
              },
            ]),
          ),
        });
        await run([...argv, '--account', one.alias, '--json'], terminal);
        expect(saidBefore).to.equal(word === 'PAPER' ? '' : `${word}: ${one.alias} (${one.connector})`);
      }
    }
  });

  it('no account that trades at a venue is taken unless it is named', async () => {
    await run(OPEN);
    expect(stub.seen.find(({ path }) => path === '/trade/open')?.headers['x-trade-account-id']).to.equal(
      PAPER.id,
    );
    await stub.close();
    stub = await startStubGateway({
      ...ROUTES,
      'GET /trade-accounts': () => [200, { tradeAccounts: [REHEARSAL, REAL] }],
    });
    for (const argv of ABOUT_ONE) {
      const end = await run(argv);
      expect([end.code, end.err]).to.deep.equal([
        2,
        'tandem: every account of this key is live: name one with --account',
      ]);
    }
    expect(orders()).to.equal(0);
  });

  it('is in lists of accounts and of connectors, and status says what there is', async () => {
    const accounts = await run(['accounts']);
    expect(
      accounts.out
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/)[2]),
    ).to.deep.equal(['LIVE', 'TESTNET', 'PAPER']);
    const status = await run(['status']);
    expect(status.out)
      .to.match(/^accounts +MIXED \(LIVE, TESTNET, PAPER\)$/m)
      .and.to.match(/^live-testnet +TESTNET/m)
      .and.to.match(/^live +LIVE/m);
    expect(JSON.parse((await run(['status', '--json'])).out)).to.deep.include({
      mode: 'MIXED',
      money: ['LIVE', 'TESTNET', 'PAPER'],
    });
  });

  for (const [one, word] of WORDS.slice(0, 2)) {
    const flags = word === 'TESTNET' ? ['--testnet'] : [];
    const email = ['--email', 'ada@example.test'];

    it(`is in every question and answer of connecting, arming and checking: ${word}`, async () => {
      const connecting = recordingTerminal({ typed: [PASSWORD, '0xabc', SECRET] });
      const connected = await run(['venue', 'connect', 'live', ...flags, ...email], connecting);
      expect(connected.code, connected.err).to.equal(0);
      expect(connecting.questions.slice(1)).to.deep.equal([
        `${word}: accountAddress: `,
        `${word}: agentKey: `,
      ]);
      expect(connected.err).to.contain(`${word}: connected '${one.alias}'`);

      const caps = ['--per-order', '100', '--total', '500'];
      const arm = ['venue', 'arm', one.alias, ...caps, ...email];
      const arming = recordingTerminal({ typed: [PASSWORD, one.alias] });
      expect((await run(arm, arming)).out).to.match(new RegExp(`^${word}: ${one.alias} is armed`));
      expect(arming.questions.at(-1)).to.match(new RegExp(`^${word}: this is `));
      const answers = recordingTerminal({ typed: [PASSWORD, one.alias] });
      expect(JSON.parse((await run([...arm, '--json'], answers)).out)).to.include({
        armed: true,
        ...{ mode: one.mode, network: one.network },
      });
      const disarm = ['venue', 'disarm', one.alias];
      expect((await run(disarm)).out).to.match(new RegExp(`^${word}: ${one.alias} is not armed`));
      expect(JSON.parse((await run([...disarm, '--json'])).out)).to.include({
        armed: false,
        ...{ mode: one.mode, network: one.network },
      });

      const check = ['venue', 'check', 'live', ...flags];
      expect((await run(check)).out.split('\n')[0]).to.equal(`${word}: ${one.alias} (${one.connector})`);
      expect(JSON.parse((await run([...check, '--json'])).out)).to.include({
        mode: one.mode,
        network: one.network,
      });
      const ordering = recordingTerminal({ typed: [PASSWORD, one.alias] });
      expect((await run([...check, '--order', ...email], ordering)).code).to.equal(0);
      const confirmed = ordering.questions.filter((question) =>
        question.startsWith('LIVE: this is real money'),
      );
      expect(confirmed).to.have.length(word === 'LIVE' ? 1 : 0);
    });
  }

  it('a secret in the arguments is refused before anything is asked or sent, and is not repeated', async () => {
    for (const flag of ['--secret', '--private-key', '--key', '--agent-key', '--api-secret', '--password']) {
      for (const given of [[flag, SECRET], [`${flag}=${SECRET}`]]) {
        const terminal = recordingTerminal({ typed: [PASSWORD, '0xabc', SECRET] });
        const end = await run(['venue', 'connect', 'live', ...given], terminal);
        expect(end.code).to.equal(2);
        expect(end.err)
          .to.contain(`unknown flag ${flag}`)
          .and.to.contain('secrets are never taken from the command line')
          .and.not.to.contain(SECRET);
        expect([terminal.questions, end.out]).to.deep.equal([[], '']);
      }
    }
    expect(stub.seen).to.deep.equal([]);
  });

  it('a secret comes from a question that does not show it, or from standard input', async () => {
    const argv = ['venue', 'connect', 'live', '--address', '0xabc', '--email', 'ada@example.test'];
    const sent = () =>
      stub.seen.findLast(({ path, method }) => path === '/trade-accounts' && method === 'POST');
    const asked = recordingTerminal({ typed: [PASSWORD, SECRET] });
    const shown: string[] = [];
    const openly = async (question: string) => {
      shown.push(question);
      return '';
    };
    const end = await run(argv, { ...asked, ask: openly });
    expect([end.code, shown]).to.deep.equal([0, []]);
    expect(sent()?.body).to.deep.include({ credentials: { accountAddress: '0xabc', agentKey: SECRET } });
    expect(`${end.out}${end.err}`).not.to.contain(SECRET);
    const piped = await tandem(argv, {
      env: { ...stub.env, TANDEM_PASSWORD: PASSWORD },
      terminal: recordingTerminal({ input: `${SECRET}\n` }),
    });
    expect(piped.code, piped.err).to.equal(0);
    expect(sent()?.body).to.deep.include({ credentials: { accountAddress: '0xabc', agentKey: SECRET } });
    expect(`${piped.out}${piped.err}`).not.to.contain(SECRET);
  });
});
