/** `POST /connectors/{id}/check` at the emulated Hyperliquid: each step that can fail, by itself. */
import { expect } from 'chai';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import { accountAt, secretsOf, type TestAccount } from '../support/venues/hyperliquid/adapter.ts';
import { type Emulator, startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';
import { LiveUser } from '../support/venues/shared/live-account.ts';

const PATH = '/connectors/hyperliquid/check';

interface Report {
  readonly ok: boolean;
  readonly override: string | null;
  readonly steps: readonly { name: string; ok: boolean; detail: string; remedy: string | null }[];
  readonly transcript?: readonly { question: string; answer: string }[];
}

describe('API: check of a live venue', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let gateway: TestGateway;
  let own: TestAccount;
  let live: LiveUser;
  let tradeAccountId = '';

  const ask = (method: string, path: string, body?: object) => live.ask(method, path, body);
  const check = async (body: object): Promise<Report> => {
    const answer = await ask('POST', PATH, body);
    expect(answer.status, JSON.stringify(answer.json)).to.equal(200);
    return answer.json;
  };
  const failing = ({ steps }: Report) => steps.filter(({ ok }) => !ok).map(({ name }) => name);

  beforeEach(async function () {
    this.timeout(20_000);
    emulator = await startEmulator({ clock, pulseMs: 200 });
    own = accountAt(emulator, '10000');
    gateway = await startGatewayWithVenue(clock, hyperliquid, { hyperliquidUrl: emulator.url });
    live = new LiveUser(gateway, (await gateway.register()).accessToken, 'hyperliquid');
    tradeAccountId = await live.add('Main', own.access.credentials);
  });
  afterEach(async () => {
    await gateway.close();
    await emulator.close();
  });

  it('finds everything in order, orders nothing, keeps the result, and its transcript names nobody', async () => {
    expect((await ask('GET', PATH)).status).to.equal(404);
    const report = await check({ tradeAccountId, transcript: true });
    expect(failing(report), JSON.stringify(report.steps)).to.deep.equal([]);
    expect(report).to.include({ ok: true, override: emulator.url });
    expect(report.steps.map(({ name }) => name)).to.include.members([
      ...['connection', 'clock', 'instruments', 'signing', 'rights', 'account_mode', 'balances', 'fees'],
      ...['rate_limits', 'market_stream', 'account_stream'],
    ]);
    expect(emulator.script.traffic().counts).not.to.have.any.keys('order', 'cancelByCloid', 'updateLeverage');
    const text = JSON.stringify(report.transcript).toLowerCase();
    expect(report.transcript?.length).to.be.greaterThan(5);
    for (const secret of secretsOf(own)) expect(text).not.to.include(secret);
    const { transcript: _, ...kept } = report;
    expect((await ask('GET', PATH)).json).to.deep.equal(kept);
  });

  it('needs no account for the venue itself', async () => {
    const report = await check({});
    expect(failing(report)).to.deep.equal([]);
    expect(report.steps.map(({ name }) => name)).not.to.include('rights');
  });

  it('is of live connectors, and of accounts there', async () => {
    expect((await ask('POST', '/connectors/paper/check', {})).status).to.equal(501);
    expect((await ask('POST', '/connectors/nowhere/check', {})).status).to.equal(404);
    const { json } = await ask('GET', '/trade-accounts');
    const other = (json.tradeAccounts as { id: string; mode: string }[]).find(({ mode }) => mode === 'PAPER');
    expect((await ask('POST', PATH, { tradeAccountId: other?.id })).status).to.equal(404);
  });

  const BROKEN: readonly [string, string, (emulator: Emulator) => void, RegExp][] = [
    ['the venue is away', 'connection', ({ script }) => script.offline(true), /on line|maintenance/],
    [
      'a proxy answers',
      'connection',
      ({ script }) => script.fault({ on: 'exchangeStatus', do: 'status', code: 502 } as never),
      /on line|maintenance/,
    ],
    [
      'the key is revoked',
      'rights',
      ({ script }) => script.revokeAgent(own.address, own.agent),
      /Approve a new agent key/,
    ],
    [
      'the mode of the account is unknown',
      'rights',
      ({ script }) => script.setAbstraction(own.address, 'portfolioMargin' as never),
      /./,
    ],
    [
      'the requests of the account are used up',
      'rate_limits',
      ({ script }) => script.setRequests(own.address, 20_000, 10_000),
      /USDC traded/,
    ],
    [
      'the stream is silent',
      'market_stream',
      ({ script }) => script.streamFaults({ silent: ['*'] } as never),
      /firewall|proxy/,
    ],
  ];
  for (const [what, step, breakIt, remedy] of BROKEN)
    it(`names the step that fails and what to do: ${what}${what === BROKEN[0]?.[0] ? '' : ' @long'}`, async function () {
      this.timeout(90_000);
      breakIt(emulator);
      const report = await check({ tradeAccountId });
      expect(report.ok).to.equal(false);
      expect(failing(report), JSON.stringify(report.steps)).to.include(step);
      expect(report.steps.find(({ name, ok }) => name === step && !ok)?.remedy).to.match(remedy);
    });
});
