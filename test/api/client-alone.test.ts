/** The client library where nobody answers, and where the caller names no trade account. */
import { createServer } from 'node:net';
import { expect } from 'chai';
import {
  createClient,
  GatewayUnreachable,
  OutcomeUnknown,
  type TandemClient,
  TandemError,
  TradeAccountNotChosen,
} from '../../gateway/client/client.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { lossyNetwork } from '../support/lossy-network.ts';
import { trader, usd } from '../support/trader.ts';

const NOBODY = '018f0000-0000-7000-8000-000000000000';
const KEY = `tdm_${'x'.repeat(43)}`;
const ORDER = { type: 'MARKET' as const, legs: [usd('SOL', 'BUY', '50')] };
const errorOf = (failing: Promise<unknown>): Promise<unknown> =>
  failing.then(
    () => expect.fail('nothing was thrown'),
    (error: unknown) => error,
  );

/** An address of this machine at which nobody listens. */
async function deadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

async function first(client: TandemClient, signal?: AbortSignal) {
  for await (const message of client.events(signal === undefined ? {} : { signal })) return message;
  return null;
}

describe('the client library where nobody answers', () => {
  let url: string;
  let client: TandemClient;
  before(async () => {
    url = await deadAddress();
    client = createClient({ url, apiKey: KEY, tradeAccountId: NOBODY, unreachableAfterMs: 1_000 });
  });

  it('says at once that a request reached nobody, and what to do', async () => {
    const error = await errorOf(client.call('GET /positions'));
    expect(error).to.be.instanceOf(GatewayUnreachable);
    expect((error as Error).message).to.equal(
      `Nobody answers at ${url}: start the gateway (tandem start), or give its address as \`url\``,
    );
  });

  it('ends every wait after the stated time, and says that an order was not sent', async () => {
    const waits = [
      client.place('POST /trade/open', { body: ORDER }),
      client.ended(NOBODY),
      first(client),
      first(createClient({ url, apiKey: KEY, unreachableAfterMs: 1_000 })),
    ];
    for (const error of await Promise.all(waits.map(errorOf))) {
      expect(error).to.be.instanceOf(GatewayUnreachable);
      expect((error as Error).message).to.match(/^Nobody answers at \S+( for 1 s)?: start the gateway/);
    }
  });

  it('says so too where the order’s own time is over first', async () => {
    const placed = client.place('POST /trade/open', { body: ORDER, giveUpAfterMs: 300 });
    expect(await errorOf(placed)).to.be.instanceOf(GatewayUnreachable);
  });

  it('never gives up where it is told so, nor on a page', async () => {
    for (const options of [{ unreachableAfterMs: Number.POSITIVE_INFINITY }, { cookie: true as const }]) {
      const network = lossyNetwork();
      const patient = createClient({ url, tradeAccountId: NOBODY, WebSocket: network.WebSocket, ...options });
      const stop = new AbortController();
      const waiting = first(patient, stop.signal);
      const trying = network.connecting(4).then(() => 'still waiting');
      expect(await Promise.race([waiting, trying])).to.equal('still waiting');
      stop.abort();
      expect(await waiting).to.equal(null);
    }
  });

  it('takes no span that is none', () => {
    expect(() => createClient({ url, unreachableAfterMs: Number.NaN })).to.throw(
      TandemError,
      'unreachableAfterMs',
    );
  });
});

describe('the client library without a named trade account', () => {
  const gateway = gatewayForSuite();

  it('trades on the only one', async () => {
    const bot = await trader(gateway);
    const client = createClient({ url: gateway.url, apiKey: bot.key });
    expect(await client.tradeAccount()).to.equal(bot.accountId);
    const stop = new AbortController();
    const heard: string[] = [];
    for await (const message of client.events({ signal: stop.signal })) {
      if (message.kind === 'subscribed') {
        const { execution } = await client.place('POST /trade/open', { body: ORDER });
        expect((await client.ended(execution.id)).status).to.equal('COMPLETED');
      }
      if (message.kind !== 'event') continue;
      heard.push(message.channel);
      if (message.event === 'position.created') stop.abort();
    }
    expect(new Set(heard)).to.deep.equal(new Set([`user:${bot.accountId}`]));
    const fills = [];
    for await (const fill of client.rows('GET /fills')) fills.push(fill.symbol);
    expect(fills).to.include('SOL-PERP');
    expect(() => client.accountChannel).to.throw(TandemError, 'tradeAccount()');
  });

  it('tells an order whose answer was lost before the gateway went away from one that was never sent', async () => {
    const bot = await trader(gateway, { email: 'lost@example.test' });
    const network = lossyNetwork();
    network.lose(/POST \/trade\/open/, 'answer');
    let isGone = false;
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const client = createClient({
      url: gateway.url,
      apiKey: bot.key,
      tradeAccountId: bot.accountId,
      unreachableAfterMs: 500,
      fetch: async (input, init) => {
        if (isGone) throw new TypeError('fetch failed', { cause: refused });
        return network.fetch(input, init).finally(() => {
          isGone = true;
        });
      },
    });
    const error = await errorOf(client.place('POST /trade/open', { body: ORDER, idempotencyKey: 'mine' }));
    expect(error).to.be.instanceOf(OutcomeUnknown);
    expect(error).to.have.property('idempotencyKey', 'mine');
    expect((error as Error).message).to.match(/Nobody answers at .* go on with its key mine$/);
  });

  it('lists them where there are several, and says where there is none', async () => {
    const bot = await trader(gateway, { email: 'several@example.test' });
    const bearer = { authorization: `Bearer ${bot.accessToken}` };
    const body = { alias: 'Second', connector: 'paper' };
    const second = await gateway.request('POST', '/trade-accounts', { headers: bearer, body });
    const client = createClient({ url: gateway.url, apiKey: bot.key });
    const several = await errorOf(client.call('GET /positions'));
    expect(several).to.be.instanceOf(TradeAccountNotChosen);
    expect((several as TradeAccountNotChosen).accounts).to.have.length(2);
    expect((several as Error).message).to.contain(`Second (${second.json.id})`);
    expect(await client.call('GET /positions', { tradeAccountId: second.json.id })).to.deep.equal({
      positions: [],
    });
    for (const id of [second.json.id, bot.accountId])
      await gateway.request('DELETE', `/trade-accounts/${id}`, { headers: bearer });
    const none = await errorOf(client.call('GET /positions'));
    expect((none as Error).message).to.match(/^This key reaches no trade account/);
  });
});
