import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import type { AccountEvent } from '../../../../gateway/engine/ports/venue.ts';
import { PAPER_PROFILES } from '../../../../gateway/venues/paper/market/profile.ts';
import {
  createRemotePaperVenue,
  type RemotePaperVenue,
} from '../../../../gateway/venues/paper/process/remote.ts';
import type { PaperVenue } from '../../../../gateway/venues/paper/venue/paper-venue.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { faultScript } from '../../../support/fault-script.ts';
import { ACCOUNT, flatOrder, flatPaperVenues } from '../../../support/flat-paper-venue.ts';
import { lookUp } from '../../../support/order-lookup.ts';
import { settled } from '../../../support/outstanding.ts';
import { type SimServer, serveVenue } from '../../../support/paper-process/sim-server.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { inspectSim } from '../../../support/sim-client.ts';
import { until } from '../../../support/until.ts';
import { inTime } from '../../../support/venues/shared/in-time.ts';

describe('remote paper venue', () => {
  const clock = createFakeClock();
  const venues = flatPaperVenues();
  let venue: PaperVenue;
  let server: SimServer;
  let remote: RemotePaperVenue;

  const remoteTo = (port: number) =>
    inTime(
      clock,
      createRemotePaperVenue({
        ...{ host: '127.0.0.1', port, connector: 'paper', profile: PAPER_PROFILES.frictionless },
        ...{ clock, logger: silentLogger, requestTimeoutMs: 10_000 },
      }),
    );
  beforeEach(async () => {
    venue = await venues.start(clock);
    server = await serveVenue(venue, 0, silentLogger);
    remote = remoteTo(server.port);
    await remote.start();
    await remote.openAccount(ACCOUNT);
  });
  afterEach(async () => {
    await remote.stop();
    await server.close();
  });

  const order = (clientOrderId: string) => flatOrder(clock, clientOrderId);

  it('answers unknown when the connection drops under way, and finds the order after coming back', async () => {
    const events: AccountEvent[] = [];
    remote.accountStream(ACCOUNT, (event) => events.push(event));
    venue.setFaults(faultScript().at({ batch: 1 }, { kind: 'delay', delayMs: 5_000 }).done());
    const placing = remote.placeBatch(ACCOUNT, [order('lost-1'), order('lost-2')]);
    await settled();
    const { port } = server;
    await server.close();
    expect((await placing).map(({ kind, clientOrderId }) => [kind, clientOrderId])).to.deep.equal([
      ['unknown', 'lost-1'],
      ['unknown', 'lost-2'],
    ]);
    await until(clock, 'it is down', () => remote.status().status === 'DOWN');
    expect(await remote.positions(ACCOUNT)).to.deep.include({ ok: false });
    expect((await remote.placeBatch(ACCOUNT, [order('not-sent')]))[0]?.kind).to.equal('unknown');

    server = await serveVenue(venue, port, silentLogger);
    await until(clock, 'it is back', () => remote.status().status === 'UP');
    expect(events.map(({ kind }) => kind)).to.deep.equal(['reconnected']);
    // The request had left: the venue executes it when its delay is over, connection or not.
    const found = await until(clock, 'it is executed', async () => {
      const told = await lookUp(remote, ACCOUNT, 'lost-1');
      return told.ok && told.value.kind === 'not_found' ? null : told;
    });
    expect(found.ok && found.value).to.deep.include({ kind: 'done', state: 'filled' });
    const notSent = await lookUp(remote, ACCOUNT, 'not-sent');
    expect(notSent.ok && notSent.value.kind).to.equal('not_found');
    await remote.placeBatch(ACCOUNT, [order('after')]);
    await until(clock, 'its fill is told', () =>
      events.some((event) => event.kind === 'fill' && event.fill.clientOrderId === 'after'),
    );
  });

  it('lets a test look inside and set faults over the socket', async () => {
    const inspector = await inspectSim(server.port);
    await inspector.setFaults(faultScript().at({ leg: 1 }, { kind: 'drop_answer' }).done());
    const outcomes = await remote.placeBatch(ACCOUNT, [order('a'), order('b')]);
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['done', 'unknown']);
    expect((await inspector.orders(ACCOUNT)).map(({ clientOrderId }) => clientOrderId)).to.deep.equal([
      'a',
      'b',
    ]);
    expect(await inspector.fills(ACCOUNT)).to.have.length(2);
    expect(await inspector.journalHash()).to.equal(venue.journalHash());
    await inspector.shock('AAA-PERP', 0.5);
    const positions = await remote.positions(ACCOUNT);
    expect(positions.ok && positions.value[0]?.unrealizedPnl).to.equal('-200.4');
    inspector.close();
  });

  it('hangs up on whoever does not speak its language', async () => {
    const socket = connect({ host: '127.0.0.1', port: server.port });
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
    });
    expect((await remote.balances(ACCOUNT)).ok).to.equal(true);
  });

  it('answers unknown when the venue never does', async () => {
    const sockets: Socket[] = [];
    const mute: Server = createServer((socket) => {
      sockets.push(socket);
      socket.on('data', (data) => {
        // It says hello like the real one and is silent from then on.
        if (!data.includes('"hello"')) return;
        const result = { info: venue.info, instruments: venue.instruments(), status: venue.status() };
        socket.write(`${JSON.stringify({ kind: 'answer', id: 1, result })}\n`);
      });
    });
    await new Promise<void>((resolve) => {
      mute.listen(0, '127.0.0.1', resolve);
    });
    const address = mute.address();
    const silent = remoteTo(address === null || typeof address === 'string' ? 0 : address.port);
    await silent.start();
    expect((await silent.placeBatch(ACCOUNT, [order('x')]))[0]?.kind).to.equal('unknown');
    const balances = await silent.balances(ACCOUNT);
    expect(balances.ok ? null : balances.error.kind).to.equal('unknown');
    await silent.stop();
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      mute.close(() => resolve());
    });
  });
});
