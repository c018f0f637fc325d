/** A timeout is not a failure: whatever the network loses, an order is placed once and its outcome is found. */
import { expect } from 'chai';
import {
  createClient,
  type Execution,
  NothingToDo,
  OutcomeUnknown,
  Refusal,
  ResourceBusy,
  type TandemClient,
  ValidationFailed,
} from '../../gateway/client/client.ts';
import { checkAgainstContract } from '../../gateway/client/contract-check.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { faultScript } from '../support/fault-script.ts';
import { gatewayForSuite, startTestGateway, whileTimePasses } from '../support/gateway.ts';
import { type Fate, type LossyNetwork, lossyNetwork } from '../support/lossy-network.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { settled } from '../support/outstanding.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trader, traderForSuite, usd } from '../support/trader.ts';

const OPEN = /POST \/trade\/open/;
const BY_KEY = /GET \/executions\/by-key/;

describe('orders of the client library', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  let network: LossyNetwork;
  let client: TandemClient;

  beforeEach(() => {
    network = lossyNetwork();
    client = createClient({
      url: gateway.url,
      apiKey: bot.key,
      tradeAccountId: bot.accountId,
      timeoutMs: 2_000,
      checkAnswer: checkAgainstContract,
      fetch: network.fetch,
      WebSocket: network.WebSocket,
    });
  });

  const order = (ticker = 'SOL') => ({ type: 'MARKET' as const, legs: [usd(ticker, 'BUY', '50')] });
  /** Asked without the client, so that nothing of it is lost. */
  const executions = async (): Promise<readonly Execution[]> =>
    (await bot.call('GET', '/executions?limit=2000')).json.executions;

  const LOSSES: Readonly<Record<string, readonly (readonly [RegExp, Fate])[]>> = {
    nothing: [],
    'the request': [[OPEN, 'request']],
    'the answer': [[OPEN, 'answer']],
    'everything after the answer was written': [[OPEN, 'silence']],
    'the request twice': [
      [OPEN, 'request'],
      [OPEN, 'request'],
    ],
    'the answer, and then the answer to the question': [
      [OPEN, 'answer'],
      [BY_KEY, 'answer'],
      [BY_KEY, 'request'],
    ],
    'the answer behind a failure of the gateway': [
      [OPEN, 'failure'],
      [BY_KEY, 'failure'],
    ],
    'the request, then the answer to the second one': [
      [OPEN, 'request'],
      [OPEN, 'answer'],
    ],
  };
  for (const [lost, fates] of Object.entries(LOSSES)) {
    it(`places one order when the network loses ${lost}`, async () => {
      const before = await executions();
      for (const [fits, fate] of fates) network.lose(fits, fate);
      const placed = await client.place('POST /trade/open', { body: order() });
      const after = await executions();
      expect(after).to.have.length(before.length + 1);
      expect(after[0]?.id).to.equal(placed.execution.id);
      expect(placed.intent).to.equal(placed.execution.intent);
      expect((await client.ended(placed.execution.id)).status).to.equal('COMPLETED');
    });
  }

  it('asks by the key before it sends again, and sends again only what is not acknowledged', async () => {
    network.lose(OPEN, 'answer');
    await client.place('POST /trade/open', { body: order() });
    expect(network.requests).to.deep.equal(['POST /trade/open', 'GET /executions/by-key']);
    network.lose(OPEN, 'request');
    await client.place('POST /trade/open', { body: order() });
    expect(network.requests.slice(2)).to.deep.equal([
      'POST /trade/open',
      'GET /executions/by-key',
      'POST /trade/open',
    ]);
  });

  it('closing and adjusting are found by their key too', async () => {
    const { execution } = await client.place('POST /trade/open', { body: order('AVAX') });
    const params = { id: (await client.ended(execution.id)).positionId ?? '' };
    network.lose(/adjust/, 'answer');
    const body = { intent: 'INCREASE' as const, usd: '50' };
    const adjusting = await client.place('POST /positions/{id}/adjust', { params, body });
    expect((await client.ended(adjusting.execution.id)).status).to.equal('COMPLETED');
    network.lose(/close/, 'answer');
    const closing = await client.place('POST /positions/{id}/close', { params, body: { type: 'MARKET' } });
    expect(closing.intent).to.equal('CLOSE');
    await client.ended(closing.execution.id);
    const again = client.place('POST /positions/{id}/close', { params, body: { type: 'MARKET' } });
    expect(await again.catch((error: unknown) => error)).to.be.instanceOf(NothingToDo);
  });

  it('a refusal is not tried again', async () => {
    const refused = client.place('POST /trade/open', { body: { ...order(), clientId: 'nobody' } });
    expect(await refused.catch((error: unknown) => error)).to.be.instanceOf(ValidationFailed);
    expect(network.requests).to.deep.equal(['POST /trade/open']);
  });

  it('a busy position is the caller’s to wait for when nothing was lost', async () => {
    const { execution } = await client.place('POST /trade/open', { body: order('LINK') });
    const params = { id: (await client.ended(execution.id)).positionId ?? '' };
    const close = () => client.place('POST /positions/{id}/close', { params, body: { type: 'MARKET' } });
    // Two connections are open before: on a busy machine a new one may come when the position is closed already.
    await Promise.all([client.call('GET /positions'), client.call('GET /positions')]);
    const outcomes = await Promise.allSettled([close(), close()]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect(refused[0]).to.be.instanceOf(ResourceBusy);
  });

  it('at the deadline the key says how to go on, and with it the order is still placed once', async () => {
    const before = await executions();
    network.lose(OPEN, 'answer');
    network.lose(BY_KEY, ...Array.from({ length: 50 }, (): Fate => 'request'));
    const request = { body: order(), giveUpAfterMs: 300 };
    const failure = await client.place('POST /trade/open', request).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(OutcomeUnknown);
    const { idempotencyKey } = failure as OutcomeUnknown;
    const placed = await client.place('POST /trade/open', { body: order(), idempotencyKey });
    const after = await executions();
    expect(after).to.have.length(before.length + 1);
    expect(after[0]?.id).to.equal(placed.execution.id);
    await client.ended(placed.execution.id);
  });

  it('an order whose answer was lost is found after the gateway was started again', async () => {
    const dataDir = await temporaryFolder();
    const first = await startTestGateway({ dataDir });
    const user = await trader(first);
    const url = first.url;
    const own = createClient({ url, apiKey: user.key, tradeAccountId: user.accountId, fetch: network.fetch });
    network.lose(OPEN, 'answer');
    network.lose(BY_KEY, 'request', 'request');
    const placing = own.place('POST /trade/open', { body: order() });
    await network.requested(2);
    await first.close();
    const second = await startTestGateway({ dataDir, settings: { port: first.port } });
    try {
      const placed = await placing;
      const { executions: all } = await own.call('GET /executions');
      expect(all.map(({ id }) => id)).to.deep.equal([placed.execution.id]);
      expect(['COMPLETED', 'FAILED']).to.include((await own.ended(placed.execution.id)).status);
    } finally {
      await second.close();
    }
  });

  describe('waiting for the end', () => {
    it('of a basket that is unwound is over when its filled legs are closed again', async () => {
      const refusal = { kind: 'reject', reason: 'other', message: 'no' } as const;
      const slow = { kind: 'delay', delayMs: 600 } as const;
      const faults = faultScript().at({ batch: 1, leg: 1 }, refusal).at({ batch: 2 }, slow);
      gateway.gateway.paperVenue('paper').setFaults(faults.done());
      const legs = [usd('LTC', 'BUY', '100'), usd('BCH', 'SELL', '100')];
      const body = { type: 'MARKET' as const, legs, onLegFailure: 'UNWIND' as const };
      const { execution } = await client.place('POST /trade/open', { body });
      const ended = await whileTimePasses(gateway.clock, client.ended(execution.id));
      expect(ended.status).to.equal('FAILED');
      const [unwinding] = await executions();
      expect(unwinding).to.include({ parentId: execution.id, intent: 'CLOSE', status: 'COMPLETED' });
      const position = await client.call('GET /positions/{id}', { params: { id: ended.positionId ?? '' } });
      expect(position.status).to.equal('CLOSED');
    });

    it('all that wait share one connection', async () => {
      const ids: string[] = [];
      for (const ticker of ['SOL', 'AVAX', 'DOGE', 'XRP', 'BTC'])
        ids.push((await client.place('POST /trade/open', { body: order(ticker) })).execution.id);
      const ended = await Promise.all(ids.map((id) => client.ended(id)));
      expect(ended.map(({ id, status }) => ({ id, status }))).to.deep.equal(
        ids.map((id) => ({ id, status: 'COMPLETED' })),
      );
      expect(network.connections).to.be.at.most(1);
    });

    it('goes on when the connection breaks and reading fails meanwhile', async () => {
      const slow = await startTestGateway({ settings: { paperProfile: 'brutal' } });
      try {
        const user = await trader(slow);
        const own = createClient({
          url: slow.url,
          apiKey: user.key,
          tradeAccountId: user.accountId,
          fetch: network.fetch,
          WebSocket: network.WebSocket,
        });
        const { execution } = await own.place('POST /trade/open', { body: order() });
        network.lose(/GET \/executions\//, 'answer', 'request', 'failure');
        const ending = own.ended(execution.id);
        await network.connecting(1);
        await settled();
        network.cut();
        await slow.clock.advance(20_000);
        expect((await ending).finishedAt).to.be.a('string');
      } finally {
        await slow.close();
      }
    });

    it('ends with the reason of its signal', async () => {
      network.lose(/GET \/executions\//, ...Array.from({ length: 50 }, (): Fate => 'request'));
      const { execution } = await client.place('POST /trade/open', { body: order() });
      const stop = new AbortController();
      const ending = client.ended(execution.id, { signal: stop.signal });
      const reason = new Error('enough');
      stop.abort(reason);
      expect(await ending.catch((error: unknown) => error)).to.equal(reason);
      await bot.ended(execution.id);
    });

    it('an execution that does not exist is refused', async () => {
      const ending = client.ended('018f0000-0000-7000-8000-000000000000');
      expect(await ending.catch((error: unknown) => error)).to.be.instanceOf(Refusal);
    });

    it('an agent, who gets no private events, learns of the end by reading', async () => {
      const agent = await oauthClient(gateway).connect(consentVisitor(gateway));
      const session = { accessToken: agent.access_token, refreshToken: 'none' };
      const own = createClient({ url: gateway.url, session, tradeAccountId: bot.accountId });
      const { execution } = await own.place('POST /trade/open', { body: order() });
      expect((await own.ended(execution.id)).status).to.equal('COMPLETED');
    });
  });

  it('the execution by its key is the one of this user, this account and this route', async () => {
    const { execution } = await client.place('POST /trade/open', { body: order(), idempotencyKey: 'mine' });
    const read = (own: TandemClient, query: { key: string; route?: 'POST /positions/{id}/close' }) =>
      own.call('GET /executions/by-key', { query }).then(
        (answer) => answer.execution.id,
        (error: unknown) => (error instanceof Refusal ? error.status : error),
      );
    expect(await read(client, { key: 'mine' })).to.equal(execution.id);
    expect(await read(client, { key: 'mine', route: 'POST /positions/{id}/close' })).to.equal(404);
    expect(await read(client, { key: 'never' })).to.equal(404);
    const spare = await client.call('POST /trade-accounts', { body: { alias: 'Spare', connector: 'paper' } });
    expect(await read(client.onAccount(spare.id), { key: 'mine' })).to.equal(404);
    const other = await trader(gateway, { email: 'eve@example.test', connector: 'paper' });
    const eve = createClient({ url: gateway.url, apiKey: other.key, tradeAccountId: other.accountId });
    expect(await read(eve, { key: 'mine' })).to.equal(404);
    expect(await read(client, { key: '' })).to.equal(400);
    await client.ended(execution.id);
  });
});
