/** `/ws` of the composed gateway: who gets in, what a trade tells, and what a client that was away is told afterwards. */
import { expect } from 'chai';
import { ackMessage, privateMessage, serverMessage } from '../../gateway/contract/realtime.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startTestGateway } from '../support/gateway.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import {
  connectRealtime,
  type Message,
  type RealtimeClient,
  refusedUpgrade,
} from '../support/realtime-client.ts';
import { PAIR, type Trader, trader, traderOn, usd } from '../support/trader.ts';

describe('/ws of the gateway', () => {
  const gateway = openForSuite(() => startTestGateway({ clock, hasCross: true }));
  let bot: Trader;
  let channel: string;
  let email: string;
  let users = 0;
  const clock = createFakeClock();
  const clients: RealtimeClient[] = [];

  beforeEach(async () => {
    users += 1;
    email = `ada${users}@example.test`;
    bot = await trader(gateway, { email });
    channel = `user:${bot.accountId}`;
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.end();
  });

  const url = () => `ws://127.0.0.1:${gateway.port}/ws`;
  const asUser = (over: Readonly<Record<string, string>> = {}) => ({
    headers: { authorization: `Bearer ${bot.accessToken}`, ...over },
  });
  async function connect(headers: Record<string, string> = {}): Promise<RealtimeClient> {
    const client = await connectRealtime(url(), { headers }, clock);
    clients.push(client);
    return client;
  }
  async function withKey(): Promise<RealtimeClient> {
    const client = await connect();
    expect(await client.ask({ op: 'auth', apiKey: bot.key })).to.include({ op: 'ack', authenticated: true });
    return client;
  }
  const subscribe = (client: RealtimeClient, over: object = {}) =>
    client.ask({ op: 'subscribe', channels: [channel], ...over });
  const newTicket = async (): Promise<{ ticket: string; expiresAt: string }> => {
    return gateway.expect('POST', '/auth/ws-ticket', asUser());
  };
  const isPrivate = (message: Message) =>
    message['channel'] === channel && message['seq'] !== undefined && message['event'] !== 'resync';
  const told = (client: RealtimeClient) =>
    client.messages.filter(isPrivate).map((message) => privateMessage.parse(message));
  /** The next private event of that name; the ones before it stay in `told`. */
  const event = (client: RealtimeClient, name: string) =>
    client.next((message) => isPrivate(message) && message['event'] === name);
  /** Everything the server has sent so far has arrived once this pong has. */
  const flushed = (client: RealtimeClient) => client.ask({ op: 'ping' });
  const close = async (positionId: string) => {
    return bot.execute(`/positions/${positionId}/close`, { type: 'MARKET' });
  };

  describe('credentials', () => {
    const anonymous = {
      op: 'error',
      code: 'UNAUTHENTICATED',
      message: 'Private channels need a session or an API key: send {"op":"auth"} first',
    };

    it('an anonymous connection gets public channels and no private one', async () => {
      const client = await connect();
      expect(await subscribe(client)).to.deep.include(anonymous);
      expect(await client.ask({ op: 'subscribe', channels: ['prices:paper'] })).to.include({ op: 'ack' });
      const snapshot = await client.next((message) => message['event'] === 'snapshot');
      expect(snapshot['data']).to.have.length.at.least(60);
      await bot.open(PAIR);
      await flushed(client);
      expect(told(client)).to.deep.equal([]);
    });

    it('an API key, an access token and a ticket in an auth message, each opens the user’s accounts', async () => {
      const { ticket } = await newTicket();
      for (const credential of [{ apiKey: bot.key }, { token: bot.accessToken }, { ticket }]) {
        const client = await connect();
        expect(await client.ask({ op: 'auth', ...credential })).to.include({
          op: 'ack',
          authenticated: true,
        });
        const ack = ackMessage.parse(await subscribe(client));
        expect(ack).to.deep.include({ subscriptions: [channel], authenticated: true });
      }
    });

    it('a key in the upgrade’s header does too; a wrong one refuses the upgrade', async () => {
      const client = await connect({ 'x-api-key': bot.key });
      expect(await subscribe(client)).to.include({ op: 'ack' });
      expect(await refusedUpgrade(url(), { headers: { 'x-api-key': 'tdm_unknown' } })).to.deep.equal({
        status: 401,
        body: { message: 'Invalid API key', error: 'Unauthorized', statusCode: 401 },
      });
    });

    it('the cookie of the session speaks for the user on a page of this very origin only', async () => {
      const body = { method: 'email', email, password: PASSWORD };
      const login = await gateway.request('POST', '/auth/login', { body });
      const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
      const own = await connect({ cookie, origin: gateway.url });
      expect(await subscribe(own)).to.include({ op: 'ack', authenticated: true });
      const program = await connect({ cookie });
      expect(await subscribe(program)).to.deep.include(anonymous);
    });

    it('a ticket is good once', async () => {
      const { ticket } = await newTicket();
      const first = await connect();
      expect(await first.ask({ op: 'auth', ticket })).to.include({ op: 'ack' });
      const second = await connect();
      expect(await second.ask({ op: 'auth', ticket })).to.include({ op: 'error', code: 'UNAUTHENTICATED' });
      expect(await subscribe(second)).to.deep.include(anonymous);
    });

    it('a ticket is good for 30 seconds', async () => {
      const [early, late] = [await newTicket(), await newTicket()];
      const lifeMs = Date.parse(late.expiresAt) - clock.now();
      expect(lifeMs).to.be.within(29_000, 30_000);
      await clock.advance(29_000);
      const client = await connect();
      expect(await client.ask({ op: 'auth', ticket: early.ticket })).to.include({ op: 'ack' });
      await clock.advance(1_001);
      const tooLate = await connect();
      expect(await tooLate.ask({ op: 'auth', ticket: late.ticket })).to.include({ code: 'UNAUTHENTICATED' });
    });

    it('a ticket ends with the session that bought it', async () => {
      const { ticket } = await newTicket();
      expect((await gateway.request('POST', '/auth/logout', asUser())).status).to.equal(204);
      const client = await connect();
      expect(await client.ask({ op: 'auth', ticket })).to.include({ code: 'UNAUTHENTICATED' });
    });

    it('another user’s account answers like one that does not exist', async () => {
      const eve = await trader(gateway, { email: 'eve@example.test', connector: 'paper' });
      const client = await withKey();
      for (const account of [eve.accountId, '018f0000-0000-7000-8000-000000000000', 'mine']) {
        expect(await client.ask({ op: 'subscribe', channels: [`user:${account}`] })).to.deep.include({
          op: 'error',
          code: 'RESOURCE_NOT_FOUND',
          message: 'Trade account not found',
        });
      }
      await eve.open([usd('BTC', 'BUY', '100')]);
      await flushed(client);
      expect(client.messages.filter((message) => message['op'] === undefined)).to.deep.equal([]);
    });

    it('a key that is limited to other accounts does not reach this one', async () => {
      const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper' });
      const made = await gateway.request('POST', '/api-keys', {
        ...asUser(),
        body: { label: 'limited', scope: 'read', tradeAccountIds: [other.json.id] },
      });
      const client = await connect();
      await client.ask({ op: 'auth', apiKey: made.json.key });
      expect(await subscribe(client)).to.include({ code: 'RESOURCE_NOT_FOUND' });
      expect(await client.ask({ op: 'subscribe', channels: [`user:${other.json.id}`] })).to.include({
        op: 'ack',
      });
    });

    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1']) {
      it(`a page of ${origin} is refused before the handshake`, async () => {
        const { status, body } = await refusedUpgrade(url(), { headers: { origin, 'x-api-key': bot.key } });
        expect(status).to.equal(403);
        expect(body).to.include({ error: 'Forbidden', statusCode: 403 });
      });
    }

    it('so is another host, and a credential in the URL', async () => {
      expect((await refusedUpgrade(url(), { headers: { host: 'evil.example' } })).status).to.equal(421);
      expect((await refusedUpgrade(`${url()}?apiKey=${bot.key}`)).status).to.equal(400);
    });
  });

  describe('what a trade tells', () => {
    it('open: order.updated of each leg, execution.completed, position.created; seq rises by one', async () => {
      const client = await withKey();
      const ack = ackMessage.parse(await subscribe(client));
      expect(ack.seq).to.deep.equal({ [channel]: 0 });
      const execution = await bot.open(PAIR);
      await event(client, 'position.created');
      const events = told(client);
      expect(events.map((one) => one.seq)).to.deep.equal(events.map((_, index) => index + 1));
      const named = (name: string) =>
        events.filter((one) => one.event === name).map((one) => one.data.entityId);
      expect(new Set(named('order.updated'))).to.deep.equal(
        new Set(execution.orders.map((order: { id: string }) => order.id)),
      );
      expect(named('execution.completed')).to.deep.equal([execution.id]);
      expect(named('position.created')).to.deep.equal([execution.positionId]);
      expect(events.map((one) => one.event).slice(-2)).to.deep.equal([
        'execution.completed',
        'position.created',
      ]);
      for (const one of events) expect(Object.keys(one.data)).to.deep.equal(['entityId']);
    });

    it('what is told is already there to be read', async () => {
      const client = await withKey();
      await subscribe(client);
      const { json } = await bot.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
      await event(client, 'execution.completed');
      const { execution } = (await bot.call('GET', `/executions/${json.execution.id}`)).json;
      expect(execution.status).to.equal('COMPLETED');
      expect((await bot.call('GET', `/positions/${execution.positionId}`)).status).to.equal(200);
    });

    it('a failure is execution.failed, whose reason is read; an addition position.updated, the end position.closed', async () => {
      const client = await withKey();
      await subscribe(client);
      const failed = await bot.open([usd('BTC', 'BUY', '2')]);
      expect((await event(client, 'execution.failed'))['data']).to.deep.equal({ entityId: failed.id });
      const { positionId } = await bot.open(PAIR);
      await event(client, 'position.created');
      await bot.open(PAIR);
      expect((await event(client, 'position.updated'))['data']).to.deep.equal({ entityId: positionId });
      await close(positionId);
      expect((await event(client, 'position.closed'))['data']).to.deep.equal({ entityId: positionId });
      const events = told(client);
      expect(events.map((one) => one.seq)).to.deep.equal(events.map((_, index) => index + 1));
    });

    it('each account has numbers of its own', async () => {
      const other = await bot.call('POST', '/trade-accounts', { alias: 'Other', connector: 'paper-cross' });
      const otherBot = traderOn(gateway, { ...bot, accountId: other.json.id });
      const client = await withKey();
      const otherChannel = `user:${other.json.id}`;
      await client.ask({ op: 'subscribe', channels: [channel, otherChannel] });
      await Promise.all([bot.open(PAIR), otherBot.open(PAIR)]);
      const waiting = new Set<unknown>([channel, otherChannel]);
      while (waiting.size > 0)
        waiting.delete((await client.next((message) => message['seq'] === 4))['channel']);
      for (const name of [channel, otherChannel]) {
        const seqs = client.messages
          .filter((message) => message['channel'] === name)
          .map((message) => message['seq']);
        expect(seqs).to.deep.equal([1, 2, 3, 4]);
      }
    });

    it('every message is one of the protocol', async () => {
      const client = await withKey();
      await client.ask({
        op: 'subscribe',
        channels: [channel, 'prices:paper', 'funding:paper', 'baskets:paper', 'status'],
      });
      await bot.open(PAIR);
      await event(client, 'position.created');
      await client.ask({ op: 'subscribe', channels: ['nothing'] });
      for (const message of client.messages) serverMessage.parse(message);
      const public_ = new Set(client.messages.map((message) => message['channel']));
      for (const name of ['prices:paper', 'funding:paper', 'baskets:paper', 'status'])
        expect(public_, name).to.include(name);
    });
  });

  describe('a client that was away', () => {
    it('is told with resumeFrom exactly what it missed, in order, then goes on', async () => {
      const first = await withKey();
      await subscribe(first);
      const { positionId } = await bot.open(PAIR);
      const last = Number((await event(first, 'position.created'))['seq']);
      first.end();
      await first.closed;
      await close(positionId);
      await bot.open([usd('SOL', 'BUY', '200')]);

      const again = await withKey();
      expect(ackMessage.parse(await subscribe(again, { resumeFrom: last })).seq).to.deep.equal({
        [channel]: last,
      });
      await event(again, 'position.created');
      await bot.open([usd('AVAX', 'BUY', '200')]);
      await event(again, 'position.created');
      const seqs = told(again).map((one) => one.seq);
      expect(seqs).to.deep.equal(seqs.map((_, index) => last + 1 + index));

      const whole = await withKey();
      await subscribe(whole, { resumeFrom: 0 });
      await whole.next((message) => message['seq'] === seqs.at(-1));
      expect(told(whole).slice(0, last)).to.deep.equal(told(first).slice(0, last));
      expect(told(whole).slice(last)).to.deep.equal(told(again));
    });

    it('with nothing missed is told nothing', async () => {
      const first = await withKey();
      await subscribe(first);
      await bot.open(PAIR);
      const last = Number((await event(first, 'position.created'))['seq']);
      const again = await withKey();
      await subscribe(again, { resumeFrom: last });
      await flushed(again);
      expect(told(again)).to.deep.equal([]);
      expect(again.messages.filter((message) => message['event'] === 'resync')).to.deep.equal([]);
    });

    it('also after a restart of the gateway on the same data folder: the numbers go on', async () => {
      const before = await withKey();
      await subscribe(before);
      const { positionId } = await bot.open(PAIR);
      const last = Number((await event(before, 'position.created'))['seq']);
      const known = told(before).slice(0, 2);
      await gateway.restart();
      await close(positionId);
      const after = await withKey();
      await subscribe(after, { resumeFrom: known.length });
      await event(after, 'position.closed');
      const replayed = told(after);
      expect(replayed.map((one) => one.seq)).to.deep.equal(
        replayed.map((_, index) => known.length + 1 + index),
      );
      expect(replayed.slice(0, last - known.length)).to.deep.equal(told(before).slice(known.length));
      const closed = replayed.at(-1);
      expect(closed).to.deep.include({ event: 'position.closed', data: { entityId: positionId } });
      expect(closed?.seq).to.be.greaterThan(last);
    });

    it('whose number lies in the future is told to read the state anew', async () => {
      await bot.open(PAIR);
      const client = await withKey();
      await subscribe(client, { resumeFrom: 1_000 });
      const resync = await client.next((message) => message['event'] === 'resync');
      serverMessage.parse(resync);
      const seq = Number(resync['seq']);
      expect(resync['channel']).to.equal(channel);
      expect(seq).to.be.within(1, 10);
      await bot.open([usd('SOL', 'BUY', '200')]);
      await event(client, 'position.created');
      expect(told(client)[0]?.seq).to.equal(seq + 1);
    });
  });

  describe('a credential that ends', () => {
    const ended = {
      op: 'error',
      id: null,
      code: 'UNAUTHENTICATED',
      message: 'The credential has ended; private subscriptions are closed',
    };

    it('a revoked key: nothing private any more, public channels go on', async () => {
      const made = await gateway.request('POST', '/api-keys', {
        ...asUser(),
        body: { label: 'short', scope: 'read' },
      });
      const client = await connect();
      await client.ask({ op: 'auth', apiKey: made.json.key });
      await client.ask({ op: 'subscribe', channels: [channel, 'prices:paper'] });
      await bot.open([usd('SOL', 'BUY', '200')]);
      const last = Number((await event(client, 'position.created'))['seq']);
      await gateway.expect('DELETE', `/api-keys/${made.json.id}`, asUser(), 204);
      await bot.open([usd('AVAX', 'BUY', '200')]);
      expect(await client.next((message) => message['op'] === 'error')).to.deep.equal(ended);
      expect(told(client).at(-1)?.seq).to.equal(last);
      expect(await subscribe(client)).to.include({ code: 'UNAUTHENTICATED' });
      expect(await client.next((message) => message['event'] === 'update')).to.include({
        channel: 'prices:paper',
      });
    });

    it('a session that signs out: the same', async () => {
      const client = await connect();
      await client.ask({ op: 'auth', token: bot.accessToken });
      await subscribe(client);
      expect((await gateway.request('POST', '/auth/logout', asUser())).status).to.equal(204);
      await bot.open(PAIR);
      expect(await client.next((message) => message['op'] === 'error')).to.deep.equal(ended);
      expect(told(client)).to.deep.equal([]);
    });
  });
});
