/** The client library in Chromium, on a page of the gateway: the same calls, its own WebSocket, the session cookie. */
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { chromiumForSuite, openWatched, type WatchedPage } from '../support/browser.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import type { Json } from '../support/json.ts';
import { framesPass } from '../support/page-time.ts';
import { traderForSuite } from '../support/trader.ts';
import { until } from '../support/until.ts';

const ENTRY = fileURLToPath(new URL('../../gateway/client/client.ts', import.meta.url));

/** One script that puts the library into the global `tandem`. */
async function browserScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'tandem',
    platform: 'browser',
    external: ['ws'],
    logLevel: 'silent',
  });
  // A declaration of a script that is evaluated is not global by itself.
  return `${outputFiles[0]?.text ?? ''}\nglobalThis.tandem = tandem;`;
}

describe('the client library in a browser', function () {
  this.timeout(60_000);
  const clock = createFakeClock();
  const browser = chromiumForSuite();
  const gateway = gatewayForSuite({ clock });
  const bot = traderForSuite(gateway);
  let tab: WatchedPage;

  before(async () => {
    tab = await openWatched(browser, {}, (status) => status === 401 || status === 404);
    // A page on the host of the pages that asks for little itself: the consent page of a request that is not there.
    await tab.page.goto(`http://tandem.localhost:${gateway.port}/consent/nobody-asked`);
    await tab.page.evaluate(await browserScript());
  });

  /** Runs the body of an async function in the page, with the library as `tandem`. */
  async function inPage(body: string): Promise<Json> {
    let isOver = false;
    const work = tab.page.evaluate<Json>(`(async () => { ${body} })()`).finally(() => {
      isOver = true;
    });
    work.catch(() => undefined);
    // Time moves at the pace of the page, so that nothing times out because the page is slow.
    const both = {
      async advance(ms: number) {
        await framesPass(tab.page, ms);
        await clock.advance(ms);
      },
    };
    await until(both, 'the page has ended', () => isOver);
    return work;
  }
  const ORDER = `{ body: { type: 'MARKET', legs: [{ symbol: 'SOL-PERP', side: 'BUY', mode: 'USD', amount: '50' }] } }`;
  const account = () => JSON.stringify(bot.accountId);

  it('with a key: opens a basket, waits for its end, walks a list', async () => {
    const result = await inPage(`
      const client = tandem.createClient({ apiKey: ${JSON.stringify(bot.key)}, tradeAccountId: ${account()} });
      const { execution } = await client.place('POST /trade/open', ${ORDER});
      const ended = await client.ended(execution.id);
      const fills = [];
      for await (const fill of client.rows('GET /fills', { query: { limit: 1 } })) fills.push(fill.symbol);
      return { url: client.url, status: ended.status, key: ended.basketKey === tandem.deriveBasketKey(['SOL-PERP'], []), fills };
    `);
    expect(result.url, 'the gateway of the page').to.equal(`http://tandem.localhost:${gateway.port}`);
    expect(result.status).to.equal('COMPLETED');
    expect(result.key).to.equal(true);
    expect(new Set(result.fills)).to.deep.equal(new Set(['SOL-PERP']));
  });

  it('with the session cookie: renews it once on a 401, hears events, and errors have their classes', async () => {
    const credentials = JSON.stringify({ method: 'email', email: 'ada@example.test', password: PASSWORD });
    await inPage(`
      await fetch('/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(credentials)} });
    `);
    clock.leap(16 * 60 * 1_000);
    // The venue's next prices come: those of before are too old to trade at.
    await clock.advance(2_000);
    const result = await inPage(`
      const client = tandem.createClient({ cookie: true, tradeAccountId: ${account()} });
      const { email } = await client.call('GET /auth/me');
      const heard = [];
      for await (const message of client.events({ channels: [client.accountChannel] })) {
        heard.push(message.kind === 'event' ? message.event : message.kind);
        if (message.kind === 'subscribed') await client.place('POST /trade/open', ${ORDER});
        if (['execution.completed', 'execution.failed'].includes(message.event)) break;
      }
      const error = await client.call('GET /executions/{id}', { params: { id: ${account()} } }).catch((thrown) => thrown);
      return { email, heard, notFound: error instanceof tandem.ResourceNotFound };
    `);
    expect(result.email).to.equal('ada@example.test');
    expect(result.heard[0]).to.equal('subscribed');
    expect(result.heard.at(-1)).to.equal('execution.completed');
    expect(result.notFound).to.equal(true);
  });

  it('asks for nothing outside the gateway and breaks no policy of the page', () => {
    expect(tab.offences).to.deep.equal([]);
  });
});
