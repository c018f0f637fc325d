/** The event stream of the client library: nothing missed and nothing twice, whatever happens to its connections. */
import { expect } from 'chai';
import {
  type AccountEvent,
  createClient,
  StreamRefused,
  type TandemClient,
  TandemError,
} from '../../gateway/client/client.ts';
import { gatewayForSuite, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { lossyNetwork } from '../support/lossy-network.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { settled } from '../support/outstanding.ts';
import { type Trader, traderForSuite, usd } from '../support/trader.ts';

const TICKERS = ['SOL', 'AVAX', 'DOGE', 'XRP', 'LINK', 'BTC', 'ETH'];

describe('events of the client library', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  const network = openForEachTest(lossyNetwork);
  const client = openForEachTest(() => clientOf(gateway, bot));

  const clientOf = ({ url }: TestGateway, { key, accountId }: Trader) =>
    createClient({ url, apiKey: key, tradeAccountId: accountId, WebSocket: network.WebSocket });

  let opened = 0;
  /** Each on a basket of its own: of one basket only one may be under way. */
  const open = () => {
    const ticker = TICKERS[opened++ % TICKERS.length] ?? '';
    return client.place('POST /trade/open', { body: { type: 'MARKET', legs: [usd(ticker, 'BUY', '50')] } });
  };

  /** Every event that the account has had, from the gateway's own record. */
  async function record(): Promise<readonly AccountEvent[]> {
    const events: AccountEvent[] = [];
    const { accountChannel } = client;
    const last = await position();
    if (last === 0) return [];
    for await (const message of client.events({
      channels: [accountChannel],
      resumeFrom: { [accountChannel]: 0 },
    })) {
      if (message.kind !== 'event') continue;
      events.push(message);
      if (message.seq === last) break;
    }
    return events;
  }

  async function position(): Promise<number> {
    for await (const message of client.events({ channels: [client.accountChannel] }))
      if (message.kind === 'subscribed') return message.seq[client.accountChannel] ?? 0;
    throw new Error('the stream ended');
  }

  it('says where it begins, and events follow without a gap', async () => {
    const heard: string[] = [];
    const events: AccountEvent[] = [];
    for await (const message of client.events({ channels: [client.accountChannel] })) {
      heard.push(message.kind);
      if (message.kind === 'subscribed') await open();
      if (message.kind !== 'event') continue;
      events.push(message);
      if (message.event === 'position.created' || message.event === 'position.updated') break;
    }
    expect(heard).to.deep.equal(['subscribed', ...events.map(() => 'event')]);
    const begin = await position();
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).to.deep.equal(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    expect(seqs.at(-1)).to.be.at.most(begin);
    expect(events.map(({ event }) => event)).to.include('execution.completed');
  });

  it('misses nothing and repeats nothing when its connection is cut again and again', async () => {
    const { accountChannel } = client;
    const begin = await position();
    const heard: AccountEvent[] = [];
    let subscriptions = 0;
    let losses = 0;
    const onLost = () => {
      losses += 1;
    };
    for await (const message of client.events({ channels: [accountChannel], onLost })) {
      if (message.kind === 'subscribed') {
        subscriptions += 1;
        // Cut with events on their way, and more happening while nobody is connected.
        const { execution } = await open();
        if (subscriptions < 5) {
          network.cut();
          await open();
        }
        await bot.ended(execution.id);
      } else if (message.kind === 'event') {
        heard.push(message);
        if (subscriptions === 5 && message.seq === (await position())) break;
      }
    }
    expect([subscriptions, losses]).to.deep.equal([5, 4]);
    const all = (await record()).filter(({ seq }) => seq > begin);
    expect(heard).to.deep.equal(all.slice(0, heard.length));
    expect(heard.length).to.be.greaterThan(10);
  });

  it('goes on after a number, a place by channel or an event, and throws for anything else', async () => {
    const { accountChannel } = client;
    const { execution } = await open();
    await bot.ended(execution.id);
    const [first, second] = await record();
    if (first === undefined) throw new Error('nothing has happened');
    const next = async (resumeFrom: unknown, channels = [accountChannel]) => {
      for await (const message of client.events({ channels, resumeFrom } as never))
        if (message.kind === 'event') return message;
      throw new Error('the stream ended');
    };
    const refusal = (...asked: Parameters<typeof next>) => next(...asked).catch((error: Error) => error);
    for (const point of [first.seq, { [accountChannel]: first.seq }, first])
      expect(await next(point)).to.deep.equal(second);
    for (const wrong of [
      '3',
      null,
      [3],
      -1,
      1.5,
      Number.NaN,
      { 'user:nobody': 3 },
      { [accountChannel]: '3' },
    ])
      expect(await refusal(wrong), JSON.stringify(wrong)).to.be.instanceOf(TandemError);
    expect(await refusal(3, ['status'])).to.be.instanceOf(TandemError);
  });

  it('goes on after a restart of the gateway where it was', async () => {
    const { accountChannel } = client;
    const heard: number[] = [];
    let restarted = false;
    for await (const message of client.events({ channels: [accountChannel] })) {
      if (message.kind === 'subscribed') {
        const { execution } = await open();
        await bot.ended(execution.id);
      } else if (message.kind === 'event') {
        heard.push(message.seq);
        if (message.event !== 'execution.completed') continue;
        if (restarted) break;
        restarted = true;
        await gateway.restart({ settings: { port: gateway.port } });
      }
    }
    expect(heard).to.deep.equal(heard.map((_, index) => (heard[0] ?? 0) + index));
  });

  it('resumes from where another program stopped, and is told to resync where nothing is known', async () => {
    const { accountChannel } = client;
    await bot.ended((await open()).execution.id);
    const all = await record();
    const middle = all[Math.floor(all.length / 2)]?.seq ?? 0;
    const resumed: number[] = [];
    const channels = [accountChannel];
    for await (const message of client.events({ channels, resumeFrom: { [accountChannel]: middle } })) {
      if (message.kind !== 'event') continue;
      resumed.push(message.seq);
      if (message.seq === all.at(-1)?.seq) break;
    }
    expect(resumed).to.deep.equal(all.filter(({ seq }) => seq > middle).map(({ seq }) => seq));
    for await (const message of client.events({ channels, resumeFrom: { [accountChannel]: 1_000_000 } })) {
      if (message.kind === 'subscribed') continue;
      expect(message.kind).to.equal('resync');
      break;
    }
  });

  it('public channels need no key: a snapshot, then changes; after a cut a snapshot again', async () => {
    const anyone = createClient({ url: gateway.url, WebSocket: network.WebSocket });
    const heard: string[] = [];
    for await (const message of anyone.events({ channels: ['prices:paper'] })) {
      if (message.kind === 'subscribed') continue;
      heard.push(message.kind);
      if (heard.length === 2) network.cut();
      if (heard.filter((event) => event === 'snapshot').length === 2) break;
      await gateway.clock.advance(1_000);
    }
    expect(heard.slice(0, 2)).to.deep.equal(['snapshot', 'update']);
    expect(heard.at(-1)).to.equal('snapshot');
  });

  it('ends with its signal, also while it waits for a gateway that is gone', async () => {
    const gone = await startTestGateway();
    await gone.close();
    const stop = new AbortController();
    const waiting = createClient({ url: gone.url, WebSocket: network.WebSocket })
      .events({ channels: ['status'], signal: stop.signal })
      .next();
    await network.connecting(1);
    await settled();
    stop.abort();
    expect(await waiting).to.deep.equal({ value: undefined, done: true });

    const live = new AbortController();
    const events = client.events({ channels: [client.accountChannel], signal: live.signal });
    expect((await events.next()).value?.kind).to.equal('subscribed');
    const next = events.next();
    live.abort();
    expect(await next).to.deep.equal({ value: undefined, done: true });
  });

  it('what is refused for good ends it with the reason', async () => {
    const refusal = async (own: TandemClient, channel: string) => {
      try {
        await own.events({ channels: [channel] }).next();
      } catch (error) {
        return error instanceof StreamRefused ? error.code : error;
      }
      return null;
    };
    expect(await refusal(client, 'prices:nowhere')).to.equal('UNKNOWN_CHANNEL');
    expect(await refusal(client, 'user:018f0000-0000-7000-8000-000000000000')).to.equal('RESOURCE_NOT_FOUND');
    const stranger = createClient({ url: gateway.url, apiKey: 'tdm_unknown', tradeAccountId: bot.accountId });
    expect(await refusal(stranger, stranger.accountChannel)).to.equal('UNAUTHENTICATED');
    const anyone = createClient({ url: gateway.url, tradeAccountId: bot.accountId });
    expect(await refusal(anyone, anyone.accountChannel)).to.equal('UNAUTHENTICATED');
  });
});
