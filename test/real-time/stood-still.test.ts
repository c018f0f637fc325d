/** A process that stood still does not take its own silence for the venue's. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { systemClock } from '../../gateway/system/clock.ts';
import { connectSim, type SimConnection } from '../../gateway/venues/paper/process/sim-connection.ts';

const ANSWER_AFTER_MS = 20;
const STANDS_MS = 1_200;
/** Deadlines that pass long before the standstill's end, and just before it. */
const TIMEOUTS_MS = [200, STANDS_MS - 50];

/** Answers `positions` and nothing else, in a thread of its own that goes on when this one stands still. */
const VENUE = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const line of String(chunk).split('\\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line);
        if (method !== 'positions') continue;
        const result = { ok: true, value: [] };
        setTimeout(() => socket.write(JSON.stringify({ kind: 'answer', id, result }) + '\\n'), ${ANSWER_AFTER_MS});
      }
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

for (const timeoutMs of TIMEOUTS_MS)
  describe(`a gateway that stood still beside its paper venue, with ${timeoutMs} ms of patience`, () => {
    let venue: Worker;
    let connection: SimConnection;
    const account = { tradeAccountId: 'ta-1', exchangeIdentifier: 'paper-1' };

    beforeEach(async () => {
      venue = new Worker(VENUE, { eval: true });
      const [port] = await once(venue, 'message');
      connection = await connectSim({
        host: '127.0.0.1',
        port,
        clock: systemClock,
        requestTimeoutMs: timeoutMs,
        onPush: () => undefined,
        onClose: () => undefined,
      });
    });
    afterEach(async () => {
      connection.close();
      await venue.terminate();
    });

    /** Until after the deadline, and after the answer where there is one. */
    async function standStill(): Promise<void> {
      await new Promise<void>((resolve) => setImmediate(resolve));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDS_MS);
    }

    it('reads the answer that came meanwhile', async () => {
      const asked = connection.call('positions', [account]);
      await standStill();
      expect(await asked).to.deep.equal({ ok: true, value: [] });
    });

    it('has no answer where none came', async () => {
      const asked = connection.call('balances', [account]);
      await standStill();
      expect(await asked).to.equal(null);
    });
  });
