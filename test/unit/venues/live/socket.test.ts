/** A WebSocket that comes back by itself: a real server on loopback, the test's clock. */
import { expect } from 'chai';
import {
  createVenueSocket,
  type VenueSocket,
  type VenueSocketOptions,
} from '../../../../gateway/venues/live/kit/socket.ts';
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts';
import {
  createLiveHarness,
  type LiveHarness,
  type LiveHarnessOptions,
} from '../../../support/live-harness.ts';
import { untilSettled } from '../../../support/until.ts';

const PING_MS = 20_000;
const SILENCE_MS = 50_000;

interface Log {
  readonly ups: number[];
  readonly downs: string[];
  readonly failures: string[];
  readonly messages: [text: string, generation: number][];
  readonly faults: unknown[];
}

describe('kit: socket', () => {
  let harness: LiveHarness;
  let clock: FakeClock;
  let log: Log;
  const sockets: VenueSocket[] = [];

  function socketTo(options: Partial<VenueSocketOptions> = {}): VenueSocket {
    const socket = createVenueSocket({
      url: () => harness.wsUrl,
      clock,
      pingMs: PING_MS,
      pingText: () => 'ping',
      silenceMs: SILENCE_MS,
      random: () => 0.5,
      ...(harness.ca === undefined ? {} : { ca: harness.ca }),
      onUp: (generation) => log.ups.push(generation),
      onDown: (reason) => log.downs.push(reason),
      onFailure: (reason) => log.failures.push(reason),
      onMessage: (text, generation) => log.messages.push([text, generation]),
      onFault: (error) => log.faults.push(error),
      ...options,
    });
    sockets.push(socket);
    return socket;
  }
  async function rig(server: LiveHarnessOptions = {}): Promise<void> {
    harness = await createLiveHarness(server);
  }
  /** A socket whose first connection is up. */
  async function connected(options: Partial<VenueSocketOptions> = {}): Promise<VenueSocket> {
    await rig();
    const socket = socketTo(options);
    socket.start();
    await upTimes(1);
    return socket;
  }
  const upTimes = (times: number) => untilSettled('it is up', () => log.ups.length === times);
  const downTimes = (times: number) => untilSettled('it is down', () => log.downs.length === times);
  const heard = (text: string, times = 1) =>
    untilSettled(
      `the server heard ${text}`,
      () => harness.heard.filter((one) => one === text).length === times,
    );
  /** To the next attempt, and no further: its own time limit counts from there. */
  const again = () => clock.advance(clock.untilNext() ?? 0);

  beforeEach(() => {
    clock = createFakeClock();
    log = { ups: [], downs: [], failures: [], messages: [], faults: [] };
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.close();
    await harness.stop();
  });

  for (const tls of [false, true]) {
    it(`sends its subscriptions when it is up, and all of them again after each connection${tls ? ', with TLS' : ''}`, async () => {
      await rig({ tls });
      const socket = socketTo();
      let asked = 0;
      socket.subscribe('prices', () => `prices ${++asked}`);
      socket.start();
      await upTimes(1);
      socket.subscribe('fills', () => 'fills');
      await heard('prices 1');
      await heard('fills');
      harness.cutSockets();
      await downTimes(1);
      expect(socket.up).to.equal(false);
      await again();
      await upTimes(2);
      // The text is asked for each time: it may hold a token.
      await heard('prices 2');
      await heard('fills', 2);
      expect(log.ups).to.deep.equal([1, 2]);
    });
  }

  it('forgets what was unsubscribed', async () => {
    await rig();
    const socket = socketTo();
    socket.subscribe('prices', () => 'prices');
    socket.subscribe('fills', () => 'fills');
    socket.start();
    await upTimes(1);
    socket.unsubscribe('prices', 'no prices');
    await heard('no prices');
    harness.cutSockets();
    await downTimes(1);
    await again();
    await heard('fills', 2);
    await heard('prices', 1);
  });

  it('says what it sends only while it is up', async () => {
    await rig();
    const socket = socketTo();
    expect(socket.send('early')).to.equal(false);
    socket.start();
    await upTimes(1);
    expect(socket.send('now')).to.equal(true);
    await heard('now');
    expect(harness.heard).not.to.contain('early');
  });

  describe('a quiet connection', () => {
    it('is pinged with the venue’s own text', async () => {
      await connected();
      await clock.advance(PING_MS - 1);
      expect(harness.heard).to.deep.equal([]);
      await clock.advance(1);
      await heard('ping');
    });

    it('or with a ping of the protocol, whose answer counts as a word', async () => {
      await rig();
      const socket = createVenueSocket({
        ...{ url: () => harness.wsUrl, clock, pingMs: PING_MS, silenceMs: SILENCE_MS },
        onUp: (generation) => log.ups.push(generation),
        onDown: (reason) => log.downs.push(reason),
        onMessage: () => {},
        onFault: (error) => log.faults.push(error),
      });
      sockets.push(socket);
      let pinged = 0;
      socket.start();
      await upTimes(1);
      for (const server of harness.sockets) server.on('ping', () => (pinged += 1));
      for (let round = 1; round <= 6; round += 1) {
        await clock.advance(PING_MS);
        await untilSettled('it is pinged', () => pinged === round);
      }
      expect(log.downs).to.deep.equal([]);
    });

    it('is given up after the silence, and another one is made', async () => {
      await connected();
      await clock.advance(2 * PING_MS);
      expect(log.downs).to.deep.equal([]);
      await clock.advance(PING_MS);
      expect(log.downs).to.deep.equal(['silence']);
      await again();
      await upTimes(2);
    });

    it('is kept while anything at all arrives', async () => {
      await connected();
      for (let round = 1; round <= 6; round += 1) {
        harness.broadcast('{}');
        await untilSettled('it is heard', () => log.messages.length === round);
        await clock.advance(PING_MS);
      }
      expect(log.downs).to.deep.equal([]);
    });
  });

  describe('the waits between attempts', () => {
    /** Waits before the second and later attempts, with this jitter. */
    async function waits(count: number, random: number): Promise<number[]> {
      await rig();
      harness.refuseSockets(true);
      socketTo({ random: () => random }).start();
      const found: number[] = [];
      for (let nth = 1; nth <= count; nth += 1) {
        await untilSettled('an attempt fails', () => log.failures.length === nth);
        const wait = clock.untilNext() ?? Number.NaN;
        found.push(wait);
        await clock.advance(wait);
      }
      return found;
    }

    it('grow, from half a second', async () => {
      const found = await waits(9, 0.999999);
      expect(found[0]).to.be.within(500, 1_000);
      for (const [nth, wait] of found.entries()) expect(wait).to.be.at.least(found[nth - 1] ?? 0);
      expect(found[8]).to.be.within(29_000, 30_000);
    });

    it('are never shorter than half a second nor longer than 30 s, whatever the jitter', async () => {
      for (const wait of await waits(9, 0)) expect(wait).to.be.within(500, 30_000);
    });

    it('differ between two gateways', async () => {
      const early = await waits(4, 0.1);
      await harness.stop();
      log.failures.length = 0;
      expect(await waits(4, 0.9)).not.to.deep.equal(early);
    });

    it('begin small again only after a connection that stood for a while', async () => {
      await rig();
      socketTo({ random: () => 0.999999 }).start();
      const found: number[] = [];
      for (let nth = 1; nth <= 4; nth += 1) {
        await upTimes(nth);
        if (nth === 4) await clock.advance(40_000);
        harness.cutSockets();
        await downTimes(nth);
        const wait = clock.untilNext() ?? Number.NaN;
        found.push(wait);
        await clock.advance(wait);
      }
      expect(found[2]).to.be.greaterThan(found[0] ?? 0);
      expect(found[3]).to.equal(found[0]);
    });
  });

  describe('a connection that was given up', () => {
    it('is not heard any more, though its messages are on their way', async () => {
      await rig();
      const socket: VenueSocket = socketTo({
        onMessage: (text, generation) => {
          log.messages.push([text, generation]);
          if (text === 'first') socket.reconnect('the machine slept');
        },
      });
      socket.start();
      await upTimes(1);
      // One piece of the network: the second lies there when the first is heard.
      for (const server of harness.sockets) {
        server.send('first');
        server.send('late');
      }
      await downTimes(1);
      await clock.advance(0);
      await upTimes(2);
      harness.broadcast('new');
      await untilSettled('the new one speaks', () => log.messages.some(([text]) => text === 'new'));
      expect(log.messages).to.deep.equal([
        ['first', 1],
        ['new', 2],
      ]);
      expect(log.downs).to.deep.equal(['the machine slept']);
    });

    it('by a machine that slept is replaced at once', async () => {
      const socket = await connected();
      socket.reconnect('the machine slept');
      await clock.advance(0);
      await upTimes(2);
      expect(socket.generation).to.equal(2);
    });
  });

  describe('a login', () => {
    const login = {
      message: () => 'login',
      verdict: (text: string) => (text === 'yes' ? 'accepted' : text === 'no' ? 'refused' : 'other'),
    } as const;

    it('comes before everything else', async () => {
      await rig({ onSocketMessage: (text, socket) => text === 'login' && socket.send('yes') });
      const socket = socketTo({ login });
      socket.subscribe('fills', () => 'fills');
      socket.start();
      await heard('fills');
      expect(harness.heard).to.deep.equal(['login', 'fills']);
      expect(log.messages).to.deep.equal([]);
    });

    it('that is refused is a failure, and is tried again later', async () => {
      let answer = 'no';
      await rig({ onSocketMessage: (text, socket) => text === 'login' && socket.send(answer) });
      socketTo({ login }).start();
      await untilSettled('it fails', () => log.failures.length === 1);
      expect(log.failures).to.deep.equal(['login refused']);
      expect(log.ups).to.deep.equal([]);
      answer = 'yes';
      await again();
      await upTimes(1);
    });

    it('that is not answered is given up', async () => {
      await rig();
      socketTo({ login, openTimeoutMs: 7_000 }).start();
      await heard('login');
      await clock.advance(7_000);
      expect(log.failures).to.deep.equal(['no connection in time']);
    });
  });

  it('an address that cannot be had is a failed connection', async () => {
    await rig();
    let asked = 0;
    socketTo({
      url: async () => {
        asked += 1;
        if (asked === 1) throw new Error('no token');
        return harness.wsUrl;
      },
    }).start();
    await untilSettled('it fails', () => log.failures.length === 1);
    await again();
    await upTimes(1);
  });

  it('an exception of a listener does not end it', async () => {
    await connected({
      onMessage: (text) => {
        if (text === 'bad') throw new Error('a listener failed');
        log.messages.push([text, 0]);
      },
    });
    harness.broadcast('bad');
    harness.broadcast('good');
    await untilSettled('the good one is heard', () => log.messages.length === 1);
    expect(log.faults).to.have.length(1);
  });

  it('a message that is too large ends the connection', async () => {
    await connected({ maxPayloadBytes: 100 });
    harness.broadcast('x'.repeat(101));
    await downTimes(1);
    expect(log.messages).to.deep.equal([]);
  });

  it('closed, it says and does nothing more', async () => {
    const socket = await connected();
    socket.close();
    await untilSettled('the server sees the end', () => harness.sockets.size === 0);
    socket.start();
    socket.reconnect('too late');
    await clock.advance(120_000);
    expect(clock.pending()).to.equal(0);
    expect(log.ups).to.deep.equal([1]);
    expect(log.downs).to.deep.equal([]);
    expect(socket.up).to.equal(false);
  });
});
