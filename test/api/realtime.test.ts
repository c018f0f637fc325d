import { connect as connectTcp } from 'node:net';
import { expect } from 'chai';
import { perp } from '../support/market-venue.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import {
  connectRealtime,
  type Message,
  type RealtimeClient,
  refusedUpgrade,
} from '../support/realtime-client.ts';
import {
  ANNA,
  annaSession,
  BEN,
  benKey,
  type RealtimeRig,
  startRealtimeRig,
} from '../support/realtime-rig.ts';

const on = (channel: string) => (message: Message) => message['channel'] === channel;
const isError = (message: Message) => message['op'] === 'error';

describe('realtime', () => {
  let rig: RealtimeRig;

  beforeEach(async () => {
    rig = await startRealtimeRig();
  });
  afterEach(() => rig.stop());

  /** Everything the server has sent so far has arrived once this pong has. */
  async function flushed(client: RealtimeClient): Promise<readonly Message[]> {
    await client.ask({ op: 'ping' });
    return client.messages;
  }

  async function signedIn(): Promise<RealtimeClient> {
    const client = await rig.connect();
    await client.ask({ op: 'auth', token: ANNA.token });
    return client;
  }

  describe('the upgrade', () => {
    it('is served on /ws only', async () => {
      expect(await refusedUpgrade(`ws://127.0.0.1:${rig.port}/socket`)).to.deep.equal({
        status: 404,
        body: { message: 'Not Found', error: 'Not Found', statusCode: 404 },
      });
    });

    for (const [name, origin] of [
      ['an evil page', () => 'http://evil.example'],
      ['a sandboxed page', () => 'null'],
      ['another port of this host', () => `http://127.0.0.1:${rig.port + 1}`],
      ['another name of this host', () => `http://localhost:${rig.port}`],
      ['another scheme', () => `https://127.0.0.1:${rig.port}`],
      ['a longer name', () => `http://127.0.0.1:${rig.port}.evil.example`],
    ] as const) {
      it(`is refused for ${name}, cookie or not`, async () => {
        for (const cookie of [{}, { cookie: 'tandem_session=anna' }]) {
          const { status, body } = await refusedUpgrade(rig.url, {
            headers: { origin: origin(), ...cookie },
          });
          expect(status).to.equal(403);
          expect(body).to.include({ error: 'Forbidden', statusCode: 403 });
        }
      });
    }

    for (const query of [
      'token=anna-token',
      'access_token=x',
      'apiKey=x',
      'api_key=x',
      'X-API-Key=x',
      'ticket=x',
      'authorization=Bearer%20x',
      'v=1&ticket=x',
      'q=tdm_0123456789',
      'q=eyJhbGciOiJFZERTQSJ9.e30.x',
    ]) {
      it(`is refused with a credential in the URL: ${query}`, async () => {
        expect(await refusedUpgrade(`${rig.url}?${query}`)).to.deep.equal({
          status: 400,
          body: {
            message: 'Credentials are not accepted in the URL: send {"op":"auth"} after connecting',
            error: 'Bad Request',
            statusCode: 400,
          },
        });
      });
    }

    it('accepts other query parameters', async () => {
      const client = await connectRealtime(`${rig.url}?v=1&client=bot`);
      expect(await client.ask({ op: 'ping' })).to.include({ op: 'pong' });
      client.end();
    });

    it('is refused when the handshake is incomplete', async () => {
      const socket = connectTcp(rig.port, '127.0.0.1');
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${rig.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      );
      const text = await new Promise<string>((resolve) =>
        socket.once('data', (data) => resolve(String(data))),
      );
      expect(text).to.match(/^HTTP\/1\.1 400 /);
      socket.destroy();
    });
  });

  describe('credentials', () => {
    const subscribe = (client: RealtimeClient, account: string) =>
      client.ask({ op: 'subscribe', channels: [`user:${account}`] });

    it('a wrong one is refused with its message, and what was there stays', async () => {
      const client = await signedIn();
      expect(await client.ask({ op: 'auth', apiKey: 'wrong' })).to.include({
        op: 'error',
        code: 'UNAUTHENTICATED',
        message: 'Invalid API key',
      });
      expect(await subscribe(client, ANNA.account)).to.include({ op: 'ack' });
    });

    it('a grant after a session takes the private channels away', async () => {
      const client = await signedIn();
      await subscribe(client, ANNA.account);
      expect(await client.ask({ op: 'auth', token: 'anna-grant' })).to.deep.include({
        authenticated: false,
        subscriptions: [],
      });
    });

    it('the cookie speaks for the user only on a page of this very origin', async () => {
      const cookie = 'tandem_session=anna';
      const own = await rig.connect({ cookie, origin: rig.origin });
      expect(await subscribe(own, ANNA.account)).to.include({ op: 'ack', authenticated: true });
      // Let in by the guard, because a setting allows that origin, but not this gateway's own page.
      const allowed = await rig.connect({ cookie, origin: 'http://localhost:5173' });
      expect(await subscribe(allowed, ANNA.account)).to.include({ code: 'UNAUTHENTICATED' });
      const program = await rig.connect({ cookie });
      expect(await subscribe(program, ANNA.account)).to.include({ code: 'UNAUTHENTICATED' });
    });

    it('an old cookie leaves the connection anonymous', async () => {
      const client = await rig.connect({ cookie: 'tandem_session=old', origin: rig.origin });
      expect(await subscribe(client, ANNA.account)).to.include({ code: 'UNAUTHENTICATED' });
    });

    it('one that expires receives nothing more', async () => {
      const client = await signedIn();
      await subscribe(client, ANNA.account);
      rig.dead.add(annaSession);
      rig.emit(ANNA.account);
      expect(await client.next(isError)).to.include({ code: 'UNAUTHENTICATED' });
      expect((await flushed(client)).filter(on(`user:${ANNA.account}`))).to.deep.equal([]);
    });

    it('one that is ended while it is being verified is refused', async () => {
      const client = await rig.connect();
      let open = () => {};
      const verifying = new Promise<void>((begun) => {
        rig.authGate = () => {
          begun();
          return new Promise((resolve) => {
            open = resolve;
          });
        };
      });
      const answer = client.ask({ op: 'auth', apiKey: BEN.apiKey });
      await verifying;
      rig.realtime.dropPrincipal((principal) => principal === benKey);
      open();
      expect(await answer).to.include({ code: 'UNAUTHENTICATED', message: 'The credential has ended' });
    });

    it('an account that is removed ends its stream', async () => {
      const client = await signedIn();
      await subscribe(client, ANNA.account);
      rig.accounts.delete(ANNA.account);
      rig.emit(ANNA.account);
      expect(await client.next(isError)).to.include({ id: null, code: 'RESOURCE_NOT_FOUND' });
    });

    it('messages sent behind an auth message wait for it', async () => {
      const client = await rig.connect();
      client.send({ op: 'auth', token: ANNA.token });
      client.send({ op: 'subscribe', channels: [`user:${ANNA.account}`] });
      client.send({ op: 'ping', id: 'last' });
      await client.next((message) => message['id'] === 'last');
      expect(client.messages.map((message) => message['op'])).to.deep.equal(['ack', 'ack', 'pong']);
    });
  });

  describe('public channels', () => {
    it('begin with a snapshot, then send what changed', async () => {
      const client = await rig.connect();
      client.send({ op: 'subscribe', channels: ['prices:paper'], id: 1 });
      expect(await client.next()).to.deep.equal({
        op: 'ack',
        id: 1,
        subscriptions: ['prices:paper'],
        authenticated: false,
      });
      const snapshot = await client.next();
      expect(snapshot).to.deep.include({
        channel: 'prices:paper',
        event: 'snapshot',
        timestamp: new Date(rig.clock.now()).toISOString(),
        data: JSON.parse(rig.market.rowsJson('prices', 'paper')),
      });
      rig.venue.move({ 'ETH-PERP': '115' });
      const update = await client.next();
      expect(update).to.include({ channel: 'prices:paper', event: 'update' });
      expect(update['data']).to.deep.equal(
        JSON.parse(rig.market.rowsJsonOf('prices', 'paper', ['ETH-PERP'])),
      );
    });

    it('carry funding, market rows and connector status', async () => {
      const client = await rig.connect();
      client.send({ op: 'subscribe', channels: ['funding:paper', 'baskets:paper', 'status'] });
      const rows = async (channel: string) => (await client.next(on(channel)))['data'];
      expect(await rows('funding:paper')).to.deep.equal(JSON.parse(rig.market.rowsJson('funding', 'paper')));
      expect(await rows('baskets:paper')).to.deep.equal(JSON.parse(rig.market.rowsJson('markets', 'paper')));
      expect(await rows('status')).to.deep.equal(rig.market.connectors());
      rig.venue.send({
        quotes: [],
        funding: [
          {
            id: 'BTC-PERP',
            symbol: 'BTC',
            rate: '-0.0001',
            intervalHours: 1,
            nextFundingTime: rig.clock.now(),
          },
        ],
      });
      expect(await rows('funding:paper')).to.have.nested.property('[0].rate', '-0.0001');
      expect(await rows('baskets:paper')).to.have.nested.property('[0].funding', '-0.0001');
      rig.venue.setStatus('DOWN', 'maintenance');
      expect(await rows('status')).to.have.nested.property('[0].status', 'DOWN');
    });

    it('conflate prices: the latest value wins, at most ten messages a second', async () => {
      const client = await rig.connect();
      client.send({ op: 'subscribe', channels: ['prices:paper'] });
      await client.next(on('prices:paper'));
      for (let tick = 1; tick <= 200; tick += 1) {
        await rig.clock.advance(10);
        rig.venue.move({ 'BTC-PERP': String(1_000 + tick), ...(tick === 7 ? { 'ETH-PERP': '7' } : {}) });
      }
      await rig.clock.advance(100);
      const updates = (await flushed(client)).filter((message) => message['event'] === 'update');
      expect(updates.length).to.be.within(20, 21);
      const marks = updates.map(
        ({ data }) => JSON.parse(JSON.stringify(data)) as { id: string; mark: string }[],
      );
      expect(marks.at(-1)?.map(({ mark }) => mark)).to.deep.equal(['1200']);
      expect(marks.flat().filter(({ id }) => id === 'ETH-PERP')).to.have.length(1);
      for (const rows of marks) expect(new Set(rows.map(({ id }) => id)).size).to.equal(rows.length);
    });

    it('send the same bytes to every client that keeps up', async () => {
      const clients = await Promise.all([rig.connect(), rig.connect(), rig.connect()]);
      const raw: string[][] = clients.map((client) => {
        const texts: string[] = [];
        client.ws.on('message', (data) => texts.push(data.toString()));
        return texts;
      });
      for (const client of clients) await client.ask({ op: 'subscribe', channels: ['prices:paper'] });
      rig.venue.move({ 'BTC-PERP': '5', 'ETH-PERP': '6' });
      for (const client of clients) await client.next((message) => message['event'] === 'update');
      expect(new Set(raw.map((texts) => texts.at(-1))).size).to.equal(1);
    });

    it('start again with a snapshot when subscribed again, and stop when unsubscribed', async () => {
      const client = await rig.connect();
      for (let round = 0; round < 2; round += 1) {
        client.send({ op: 'subscribe', channels: ['prices:paper', 'prices:paper'] });
        expect(await client.next(on('prices:paper'))).to.include({ event: 'snapshot' });
      }
      expect(await client.ask({ op: 'unsubscribe', channels: ['prices:paper', 'status'] })).to.deep.include({
        op: 'ack',
        subscriptions: [],
      });
      const before = client.messages.length;
      rig.venue.move({ 'BTC-PERP': '5' });
      expect(await flushed(client)).to.have.length(before + 1);
    });

    it('are unknown for another connector, and the rest of that message is not applied', async () => {
      const client = await rig.connect();
      for (const name of [
        'prices:nowhere',
        'prices',
        'prices:',
        'candles:paper',
        'constructor:paper',
        'Status',
      ]) {
        expect(await client.ask({ op: 'subscribe', channels: ['status', name] })).to.include({
          op: 'error',
          code: 'UNKNOWN_CHANNEL',
          message: `Unknown channel: ${name}`,
        });
      }
      expect(await client.ask({ op: 'unsubscribe', channels: ['x'] })).to.deep.include({ subscriptions: [] });
    });
  });

  describe('private channels', () => {
    const channel = `user:${ANNA.account}`;
    const seqs = (messages: readonly Message[]) =>
      messages.filter(on(channel)).map((message) => message['seq']);

    it('resume several by an object of channel → seq', async () => {
      const second = '0190b7a0-0000-7000-8000-0000000000a2';
      const account = rig.accounts.get(ANNA.account);
      if (account !== undefined) rig.accounts.set(second, { ...account, id: second });
      rig.emit(ANNA.account, 3);
      rig.emit(second, 3);
      const client = await signedIn();
      const channels = [channel, `user:${second}`];
      expect(
        await client.ask({ op: 'subscribe', channels, resumeFrom: { [channel]: 1, [`user:${second}`]: 2 } }),
      ).to.deep.include({ seq: { [channel]: 1, [`user:${second}`]: 2 } });
      await client.next(on(`user:${second}`));
      expect(seqs(await flushed(client))).to.deep.equal([2, 3]);
      expect(client.messages.filter(on(`user:${second}`)).map((message) => message['seq'])).to.deep.equal([
        3,
      ]);
    });

    it('refuse resumeFrom that names no private channel of the message', async () => {
      const client = await signedIn();
      for (const [channels, resumeFrom, message] of [
        [
          ['status'],
          1,
          'resumeFrom: a number needs exactly one user: channel; use an object of channel → seq',
        ],
        [[channel], { status: 1 }, 'resumeFrom: names a channel that is not a user: channel of this message'],
      ] as const) {
        expect(await client.ask({ op: 'subscribe', channels, resumeFrom })).to.include({
          op: 'error',
          code: 'INVALID_MESSAGE',
          message,
        });
      }
    });

    it('keep one subscription when subscribed twice', async () => {
      const client = await signedIn();
      await client.ask({ op: 'subscribe', channels: [channel] });
      await client.ask({ op: 'subscribe', channels: [channel] });
      rig.emit(ANNA.account, 2);
      await client.ask({ op: 'subscribe', channels: [channel], resumeFrom: 1 });
      await client.next((message) => message['seq'] === 2);
      rig.emit(ANNA.account);
      await client.next((message) => message['seq'] === 3);
      expect(seqs(await flushed(client))).to.deep.equal([1, 2, 2, 3]);
      expect(rig.realtime.stats().subscriptions).to.equal(1);
    });
  });

  describe('limits', () => {
    it('answer every malformed message and keep the connection', async () => {
      const client = await rig.connect();
      client.ws.send(Buffer.from('{"op":"ping"}'), { binary: true });
      expect(await client.next()).to.deep.equal({
        op: 'error',
        id: null,
        code: 'BINARY_NOT_SUPPORTED',
        message: 'Only text messages are understood',
      });
      for (const [text, code] of [
        ['{', 'INVALID_JSON'],
        ['{"op":"sell"}', 'UNKNOWN_OP'],
        ['{"op":"auth"}', 'INVALID_MESSAGE'],
        ['{"op":"subscribe","channels":["x"]}', 'UNKNOWN_CHANNEL'],
      ]) {
        client.send(text);
        expect(await client.next()).to.include({ op: 'error', id: null, code });
      }
      expect(await client.ask({ op: 'ping' })).to.include({ op: 'pong' });
    });

    it('close at a message over 64 KiB', async () => {
      const client = await rig.connect();
      const padding = ' '.repeat(64 * 1024 - '{"op":"ping"}'.length);
      client.send(`{"op":"ping"}${padding}`);
      expect(await client.next()).to.include({ op: 'pong' });
      client.send(`{"op":"ping"}${padding} `);
      expect((await client.closed).code).to.equal(1009);
    });

    it('close with an error at too many messages, and at too much in them', async () => {
      const padded = `{"op":"ping"}${' '.repeat(60_000)}`;
      for (const { text, count } of [
        { text: '{"op":"ping"}', count: 500 },
        { text: padded, count: 4 },
      ]) {
        const client = await rig.connect();
        for (let sent = 0; sent < count; sent += 1) client.send(text);
        for (let sent = 0; sent < count; sent += 1) expect(await client.next()).to.include({ op: 'pong' });
        client.send(text);
        expect(await client.next()).to.include({ op: 'error', id: null, code: 'TOO_MANY_MESSAGES' });
        expect(await client.closed).to.deep.equal({ code: 1008, reason: 'Too many messages' });
      }
    });

    it('give messages back with time @long', async () => {
      const client = await rig.connect();
      for (let round = 0; round < 3; round += 1) {
        // Not for 30 s: who has subscribed to nothing has to go then.
        if (round > 0) await rig.clock.advance(10_000);
        for (let sent = 0; sent < 500; sent += 1) client.send('{"op":"ping"}');
        for (let sent = 0; sent < 500; sent += 1) expect(await client.next()).to.include({ op: 'pong' });
      }
      expect(client.ws.readyState).to.equal(client.ws.OPEN);
    });

    it('close who has neither a credential nor a subscription for 30 s, and nobody else', async () => {
      const idle = await rig.connect();
      const reader = await rig.connect();
      await reader.ask({ op: 'subscribe', channels: ['status'] });
      const owner = await signedIn();
      const grant = await rig.connect();
      await grant.ask({ op: 'auth', token: 'anna-grant' });
      const readingGrant = await rig.connect();
      await readingGrant.ask({ op: 'auth', token: 'anna-grant' });
      await readingGrant.ask({ op: 'subscribe', channels: ['prices:paper'] });
      await rig.clock.advance(29_000);
      for (const client of [idle, reader, owner, grant, readingGrant])
        expect(await client.ask({ op: 'ping' })).to.include({ op: 'pong' });
      await rig.clock.advance(6_000);
      for (const client of [idle, grant])
        expect(await client.closed).to.deep.equal({
          code: 1008,
          reason: 'Neither a credential nor a subscription for 30 s',
        });
      for (const client of [reader, owner, readingGrant])
        expect(await client.ask({ op: 'ping' })).to.include({ op: 'pong' });
    });

    it('allow 256 channels a connection', async () => {
      const { account } = ANNA;
      const template = rig.accounts.get(account);
      const ids = Array.from(
        { length: 256 },
        (_, index) => `0190b7a0-0000-7000-8000-0000000${String(10_000 + index)}`,
      );
      for (const id of ids) if (template !== undefined) rig.accounts.set(id, { ...template, id });
      const client = await signedIn();
      const channels = ids.map((id) => `user:${id}`);
      expect((await client.ask({ op: 'subscribe', channels }))['subscriptions']).to.have.length(256);
      expect(await client.ask({ op: 'subscribe', channels: ['status'] })).to.include({
        op: 'error',
        code: 'TOO_MANY_CHANNELS',
        message: 'At most 256 channels a connection',
      });
      expect(await client.ask({ op: 'subscribe', channels: channels.slice(0, 2) })).to.include({ op: 'ack' });
    });

    it('find a dead peer after two unanswered pings, and keep a living one', async () => {
      const dead = await rig.connect();
      const alive = await rig.connect();
      // A connection without a credential and a subscription is not kept.
      for (const client of [dead, alive]) await client.ask({ op: 'subscribe', channels: ['status'] });
      await flushed(alive);
      dead.ws.pause();
      for (let beat = 1; beat <= 3; beat += 1) {
        const pinged = new Promise<void>((resolve) => alive.ws.once('ping', () => resolve()));
        expect(rig.realtime.stats().connections).to.equal(2);
        await rig.clock.advance(20_000);
        await pinged;
        await flushed(alive);
      }
      expect(rig.realtime.stats().connections).to.equal(1);
      dead.ws.resume();
      expect((await dead.closed).code).to.equal(1006);
      await rig.clock.advance(20_000);
      expect(await alive.ask({ op: 'ping' })).to.include({ op: 'pong' });
    });

    it('close with 1001 when the gateway stops, and take nobody after that', async () => {
      const client = await rig.connect();
      rig.realtime.close();
      expect(await client.closed).to.deep.equal({ code: 1001, reason: 'The gateway is stopping' });
      expect(rig.realtime.stats().connections).to.equal(0);
      expect(await refusedUpgrade(rig.url).then(String, () => 'cut')).to.equal('cut');
    });
  });
});

describe('realtime with slow clients', () => {
  const rig = openForEachTest(
    () => startRealtimeRig({ instruments: symbols.map((symbol) => perp('paper', symbol)) }),
    (opened) => opened.stop(),
  );
  const channel = `user:${ANNA.account}`;
  const symbols = Array.from({ length: 2_000 }, (_, index) => `COIN${index}`);

  /** Every price moves; about 400 kB as text. */
  function moveAll(mark: number): void {
    rig.venue.move(Object.fromEntries(symbols.map((symbol) => [`${symbol}-PERP`, String(mark)])));
  }

  it('drop public updates, never private events, and catch up with a snapshot', async () => {
    const slow = await rig.connect({ authorization: `Bearer ${ANNA.token}` });
    const quick = await rig.connect();
    await slow.ask({ op: 'subscribe', channels: [channel, 'prices:paper'] });
    await quick.ask({ op: 'subscribe', channels: ['prices:paper'] });
    await slow.next(on('prices:paper'));
    slow.ws.pause();
    let mark = 1_000;
    // The kernel takes some megabytes before anything waits in the process.
    while (rig.realtime.stats().publicDropped < 20) {
      mark += 1;
      moveAll(mark);
      rig.emit(ANNA.account);
      await quick.next((message) => message['event'] === 'update');
      await rig.clock.advance(100);
    }
    const emitted = rig.log.lastSeq(ANNA.account);
    slow.ws.resume();
    await slow.next((message) => message['event'] === 'snapshot');
    const own = slow.messages.filter(on(channel)).map((message) => message['seq']);
    expect(own).to.deep.equal(Array.from({ length: emitted }, (_, index) => index + 1));
    const prices = slow.messages.filter(on('prices:paper'));
    expect(prices.filter(({ event }) => event === 'snapshot')).to.have.length(2);
    expect(prices.length).to.be.below(mark - 1_000 + 2);
    expect(prices.at(-1)).to.have.nested.property('data[0].mark', String(mark));
    moveAll(7);
    expect(await slow.next(on('prices:paper'))).to.include({ event: 'update' });
  });

  it('are closed with 1013 when 8 MiB wait for them', async () => {
    const slow = await rig.connect({ authorization: `Bearer ${ANNA.token}` });
    await slow.ask({ op: 'subscribe', channels: [channel] });
    slow.ws.pause();
    for (let round = 0; round < 1_000 && rig.realtime.stats().closedSlow === 0; round += 1) {
      rig.emit(ANNA.account, 1_000);
      await rig.clock.advance(0);
    }
    expect(rig.realtime.stats()).to.include({ closedSlow: 1, connections: 0, subscriptions: 0 });
    rig.emit(ANNA.account);
    slow.ws.resume();
    expect(await slow.closed).to.deep.equal({ code: 1013, reason: 'Client reads too slowly' });
    const own = slow.messages.filter(on(channel)).map((message) => message['seq']);
    expect(own).to.deep.equal(Array.from({ length: own.length }, (_, index) => index + 1));
    expect(own.length).to.be.below(rig.log.lastSeq(ANNA.account));
  });
});
