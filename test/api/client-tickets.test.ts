/** The client library as the desktop app's page uses it: no token, and a single-use ticket for each WebSocket. */
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { createClient, StreamRefused, type TandemClient } from '../../gateway/client/client.ts';
import { createForward } from '../../main/pages/forward.ts';
import { createPageHandler } from '../../main/pages/page-handler.ts';
import { createSessionKeeper } from '../../main/pages/session-keeper.ts';
import { staticFiles } from '../../main/pages/static-files.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { usd } from '../support/trader.ts';

describe('the client library with tickets', () => {
  const gateway = gatewayForEachTest();
  let client: TandemClient;
  /** The first message of each connection. */
  let proofs: Record<string, string>[];
  let sockets: WebSocket[];
  let bought: string[];

  beforeEach(async () => {
    const folder = await temporaryFolder();
    const place = { url: gateway.url, pageOrigin: `http://tandem.localhost:${gateway.port}` };
    const handle = createPageHandler({
      files: staticFiles(folder),
      starting: staticFiles(folder),
      session: createSessionKeeper(join(folder, 'session'), null),
      forward: createForward(),
      gateway: async () => place,
      gatewayNow: () => place,
      decided: () => undefined,
      userAgent: 'Tandem desktop/0.1.0',
    });
    proofs = [];
    sockets = [];
    bought = [];
    class Watched extends WebSocket {
      #isFirst = true;
      constructor(url: string) {
        super(url);
        sockets.push(this);
      }
      override send(text: string): void {
        if (this.#isFirst) proofs.push(JSON.parse(text));
        this.#isFirst = false;
        super.send(text);
      }
    }
    const ask: typeof fetch = async (input, init) => {
      const url = String(input);
      if (url.endsWith('/auth/ws-ticket')) bought.push(url);
      const answer = await handle(new Request(url, init));
      if (answer.type === 'error') throw new TypeError('Failed to fetch');
      return answer;
    };
    const page = createClient({
      url: 'app://tandem',
      cookie: true,
      realtime: { url: `ws://127.0.0.1:${gateway.port}/ws`, ticket: true },
      fetch: ask,
      WebSocket: Watched,
    });
    const { tradeAccount } = await page.call('POST /auth/register', {
      body: { email: 'ada@example.test', password: PASSWORD },
    });
    client = page.onAccount(tradeAccount?.id ?? '');
  });
  afterEach(async () => {
    for (const socket of sockets) socket.terminate();
  });

  it('buys one for every connection, and misses nothing over a broken one', async () => {
    const place = (ticker: string) =>
      client.place('POST /trade/open', { body: { type: 'MARKET', legs: [usd(ticker, 'BUY', '50')] } });
    const seqs: number[] = [];
    let subscriptions = 0;
    const channel = client.accountChannel;
    for await (const message of client.events({ channels: [channel] })) {
      if (message.kind === 'subscribed') {
        subscriptions += 1;
        await place(subscriptions === 1 ? 'SOL' : 'BTC');
      }
      if (message.kind !== 'event') continue;
      seqs.push(message.seq);
      if (seqs.length === 1) sockets.at(-1)?.terminate();
      if (subscriptions === 2 && message.event === 'position.created') break;
    }
    const [first = 0] = seqs;
    expect(seqs).to.deep.equal(seqs.map((_, index) => first + index));
    expect(sockets.length).to.equal(2);
    expect(proofs.map(({ op }) => op)).to.deep.equal(['auth', 'auth']);
    const tickets = proofs.map(({ ticket }) => ticket ?? '');
    expect(tickets.every((ticket) => ticket.length >= 16)).to.equal(true);
    expect([new Set(tickets).size, bought.length]).to.deep.equal([2, 2]);
    for (const proof of proofs) expect(Object.keys(proof).sort()).to.deep.equal(['id', 'op', 'ticket']);
  });

  it('is refused once nobody is signed in any more', async () => {
    await client.call('POST /auth/logout');
    const refusal = await (async () => {
      for await (const _message of client.events({ channels: [client.accountChannel] })) return null;
      return null;
    })().catch((error: unknown) => error);
    expect(refusal).to.be.an('error');
    expect(refusal instanceof StreamRefused || (refusal as Error).name === 'Unauthorized').to.equal(true);
    expect(proofs).to.deep.equal([]);
  });
});
