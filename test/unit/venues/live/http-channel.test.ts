/** Certainty about a request's arrival: a real server on loopback, and every way in which a connection ends. */
import { createServer } from 'node:net';
import { expect } from 'chai';
import {
  type ChannelRequest,
  createHttpChannel,
  type HttpChannel,
  type HttpChannelOptions,
} from '../../../../gateway/venues/live/kit/http-channel.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import {
  createLiveHarness,
  type Fault,
  type LiveHarness,
  type LiveHarnessOptions,
} from '../../../support/live-harness.ts';
import { untilSettled } from '../../../support/until.ts';

const ORDER: ChannelRequest = { method: 'POST', path: '/order', body: '{"a":1}', deadlineMs: 20_000 };

describe('HTTP channel of live venues', () => {
  let harness: LiveHarness;
  const channels: HttpChannel[] = [];

  async function rig(
    server: LiveHarnessOptions = {},
    options: Partial<HttpChannelOptions> = {},
  ): Promise<HttpChannel> {
    harness = await createLiveHarness(server);
    return channelTo(harness.origin, { ...(harness.ca ? { ca: harness.ca } : {}), ...options });
  }

  function channelTo(origin: string, options: Partial<HttpChannelOptions> = {}): HttpChannel {
    const channel = createHttpChannel({ origin, clock: createFakeClock(), idleMs: 60_000, ...options });
    channels.push(channel);
    return channel;
  }

  afterEach(async () => {
    for (const channel of channels.splice(0)) channel.close();
    await harness?.stop();
  });

  for (const tls of [false, true]) {
    describe(tls ? 'TLS' : 'plain', () => {
      it('hands over status, headers and text', async () => {
        const channel = await rig({
          tls,
          answer: ({ body }) => ({ status: 429, headers: { 'Retry-After': '7' }, body: `${body} ✓` }),
        });
        const answer = await channel.call(ORDER);
        expect(answer).to.include({ kind: 'answer', status: 429, body: '{"a":1} ✓' });
        if (answer.kind === 'answer') expect(answer.headers['retry-after']).to.equal('7');
      });

      const afterBytes: Fault[] = ['cut-unread', 'cut-read', 'half', 'reset', 'garbage'];
      for (const fault of afterBytes) {
        it(`${fault} is unknown, on a new connection and on a kept one`, async () => {
          const channel = await rig({ tls });
          harness.fail(/order/, fault);
          expect((await channel.call(ORDER)).kind).to.equal('unknown');
          expect((await channel.call(ORDER)).kind).to.equal('answer');
          harness.fail(/order/, fault);
          expect((await channel.call(ORDER)).kind).to.equal('unknown');
        });
      }

      it('no answer until the deadline is unknown', async () => {
        const clock = createFakeClock();
        const channel = await rig({ tls }, { clock });
        harness.fail(/order/, 'stall');
        const call = channel.call(ORDER);
        await untilSettled('the request is read', () => harness.requests.length === 1);
        await clock.advance(ORDER.deadlineMs);
        expect((await call).kind).to.equal('unknown');
      });

      it('a page of a proxy is an answer, for the caller to judge', async () => {
        const channel = await rig({ tls });
        harness.fail(/order/, 'html-502');
        expect(await channel.call(ORDER)).to.include({ kind: 'answer', status: 502 });
        expect(harness.requests).to.have.length(0);
      });
    });
  }

  it('nobody listens: not sent', async () => {
    const channel = await rig();
    const { origin } = harness;
    await harness.stop();
    const answer = await channel.call(ORDER);
    expect(answer).to.deep.equal({ kind: 'not_sent', reason: 'ECONNREFUSED' });
    harness = await createLiveHarness();
    expect(origin).to.be.a('string');
  });

  it('a name that no server knows: not sent', async () => {
    await rig();
    const channel = channelTo('https://no-such-host.invalid');
    expect((await channel.call(ORDER)).kind).to.equal('not_sent');
  });

  it('cut in the TLS handshake: not sent, and the next one goes through', async () => {
    const channel = await rig({ tls: true });
    harness.refuseConnections(true);
    expect((await channel.call(ORDER)).kind).to.equal('not_sent');
    harness.refuseConnections(false);
    expect((await channel.call(ORDER)).kind).to.equal('answer');
    expect(harness.requests).to.have.length(1);
  });

  it('a certificate that is not trusted: not sent', async () => {
    await rig({ tls: true });
    const channel = channelTo(harness.origin);
    expect((await channel.call(ORDER)).kind).to.equal('not_sent');
    expect(harness.requests).to.have.length(0);
  });

  it('a handshake that never ends: not sent at the deadline, and nothing is written later', async () => {
    const clock = createFakeClock();
    const bytes: Buffer[] = [];
    let accepted = 0;
    const silent = createServer((socket) => {
      accepted += 1;
      // Reads, so that it hears of the end, and answers nothing.
      socket.resume();
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    await rig();
    const channel = channelTo(`https://127.0.0.1:${port}`, { clock, tap: (chunk) => bytes.push(chunk) });
    const call = channel.call({ ...ORDER, deadlineMs: 5_000 });
    await untilSettled('the server has the connection', () => accepted === 1);
    await clock.advance(5_000);
    expect((await call).kind).to.equal('not_sent');
    expect(bytes).to.have.length(0);
    channel.close();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('no free place until the deadline: not sent', async () => {
    const clock = createFakeClock();
    const channel = await rig({}, { clock, maxInFlight: 1 });
    harness.fail(/order/, 'stall');
    const first = channel.call({ ...ORDER, deadlineMs: 9_000 });
    await untilSettled('the first is read', () => harness.requests.length === 1);
    const second = channel.call({ ...ORDER, deadlineMs: 3_000 });
    const third = channel.call({ ...ORDER, deadlineMs: 30_000 });
    await clock.advance(3_000);
    expect((await second).kind).to.equal('not_sent');
    await clock.advance(6_000);
    expect((await first).kind).to.equal('unknown');
    expect((await third).kind).to.equal('answer');
    expect(harness.requests).to.have.length(2);
  });

  it('a connection that the server closed while it waited never makes an order certain', async () => {
    const channel = await rig();
    await channel.call(ORDER);
    harness.closeIdle();
    // The machine decides if the end is seen before the bytes are written. Only `not_sent` is wrong for a request
    // that was read.
    const answer = await channel.call(ORDER);
    if (answer.kind === 'not_sent') expect(harness.requests).to.have.length(1);
    else expect(answer.kind).to.be.oneOf(['answer', 'unknown']);
  });

  it('a connection that waited too long is not used again', async () => {
    const clock = createFakeClock();
    const channel = await rig({}, { clock });
    await channel.call(ORDER);
    await channel.call(ORDER);
    expect(harness.connections).to.equal(1);
    await clock.advance(60_000);
    expect((await channel.call(ORDER)).kind).to.equal('answer');
    expect(harness.connections).to.equal(2);
    channel.dropIdle();
    expect((await channel.call(ORDER)).kind).to.equal('answer');
    expect(harness.connections).to.equal(3);
  });

  it('too much, or what is no UTF-8, is unknown', async () => {
    const big = await rig({ answer: () => ({ body: 'x'.repeat(5_000) }) }, { maxBodyBytes: 4_999 });
    expect((await big.call(ORDER)).kind).to.equal('unknown');
    const zipped = channelTo(harness.origin);
    await harness.stop();
    harness = await createLiveHarness({
      answer: () => ({ headers: { 'content-encoding': 'gzip' }, body: 'x' }),
    });
    expect((await channelTo(harness.origin).call(ORDER)).kind).to.equal('unknown');
    zipped.close();
  });

  it('follows no redirect', async () => {
    const channel = await rig({ answer: () => ({ status: 307, headers: { location: '/other' }, body: '' }) });
    expect(await channel.call(ORDER)).to.include({ kind: 'answer', status: 307 });
    expect(harness.requests).to.have.length(1);
  });

  it('a request that cannot be written is not sent, gives its place back, and says nothing of itself', async () => {
    const channel = await rig({}, { maxInFlight: 1 });
    const answer = await channel.call({ ...ORDER, headers: { sign: 'very\nsecret' } });
    expect(answer.kind).to.equal('not_sent');
    expect(JSON.stringify(answer)).not.to.contain('secret');
    expect((await channel.call(ORDER)).kind).to.equal('answer');
  });

  it('closing: what is under way is unknown, what comes later is not sent', async () => {
    const channel = await rig();
    harness.fail(/order/, 'stall');
    const call = channel.call(ORDER);
    await untilSettled('the request is read', () => harness.requests.length === 1);
    channel.close();
    expect((await call).kind).to.equal('unknown');
    expect((await channel.call(ORDER)).kind).to.equal('not_sent');
  });

  it('the tap sees every byte of a request, under TLS too', async () => {
    const bytes: Buffer[] = [];
    const channel = await rig({ tls: true }, { tap: (chunk) => bytes.push(chunk) });
    await channel.call({ ...ORDER, headers: { 'x-key': 'abc' } });
    const text = Buffer.concat(bytes).toString();
    expect(text).to.match(/^POST \/order HTTP\/1\.1\r\n/);
    expect(text).to.contain('x-key: abc');
    expect(text).to.match(/\{"a":1\}$/);
  });

  it('speaks without encryption to loopback only', () => {
    expect(() => channelTo('http://api.example.com')).to.throw('not encrypted');
    expect(() => channelTo('ftp://127.0.0.1')).to.throw();
  });

  it('the first order after ten idle minutes pays no handshake', async () => {
    const clock = createFakeClock();
    const keepWarm = { method: 'GET', path: '/time' } as const;
    const channel = await rig({ tls: true }, { clock, idleMs: 40_000, keepWarm });
    channel.start();
    for (let warmed = 1; warmed <= 30; warmed += 1) {
      await untilSettled(
        'kept warm',
        () => harness.requests.length === warmed && clock.untilNext() === 20_000,
      );
      await clock.advance(20_000);
    }
    await untilSettled('kept warm', () => harness.requests.length === 31 && clock.untilNext() === 20_000);
    expect((await channel.call(ORDER)).kind).to.equal('answer');
    expect(harness.handshakes).to.equal(1);
    expect(harness.connections).to.equal(1);
    expect(channel.connectionsMade).to.equal(1);
  });
});
