/**
 * The receivers of docs/webhooks.md as they are printed there, each in a process of its own, and what a gateway delivers to them:
 * genuine events are taken, changed ones refused and sent again, and what comes twice counts once.
 */
import { spawn } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Clock } from '../../gateway/engine/ports/system.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { ROOT, readDocument } from '../support/documents.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { buildGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { freePort, listenLocally } from '../support/local-port.ts';
import { findPython, PYTHON_PACKAGES } from '../support/python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';
import { processClient } from './support/process-client.ts';
import { until } from './support/until.ts';

/** The port that stands in the page: each receiver gets one that is free. */
const PORT = '8080';
const PAGE = readDocument('docs/webhooks.md');
const RECEIVERS = PAGE.blocks.filter(({ code }) => code.includes(`, ${PORT}`) || code.includes(`(${PORT}`));
const LIBRARY = join(ROOT, 'gateway/client/python');

interface Passed {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
}

/** Between the gateway and a receiver: hands on what comes, byte by byte, and keeps it. */
class Relay {
  readonly passed: Passed[] = [];
  /** Changes the body on its way to the receiver. */
  change: (body: string) => string = (body) => body;
  #port = 0;
  readonly #server = createServer(async (request, response) => {
    const body = await buffer(request);
    const status = await this.send(Buffer.from(this.change(body.toString())), request.headers);
    this.passed.push({ body, headers: request.headers, status });
    response.writeHead(status).end();
  });

  async open(port: number): Promise<string> {
    this.#port = port;
    const own = await listenLocally(this.#server);
    this.#server.unref();
    return `http://127.0.0.1:${own}/`;
  }

  async send(body: Buffer, headers: IncomingHttpHeaders): Promise<number> {
    const own = Object.entries(headers).filter(
      ([name]) => name.startsWith('tandem-') || name === 'content-type',
    );
    const answer = await fetch(`http://127.0.0.1:${this.#port}/`, {
      method: 'POST',
      headers: Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body),
    });
    return answer.status;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** As a reader who has put it into a file does. @returns what it printed so far, and its end */
async function start(code: string, port: number, secret: string) {
  const [, name = ''] = /^(?:\/\/|#) ([\w.]+): TANDEM_WEBHOOK_SECRET=/.exec(code) ?? [];
  const folder = await temporaryFolder();
  await writeFile(join(folder, name), code.replace(PORT, String(port)));
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules', 'tandem-gateway'), 'dir');
  const program = name.endsWith('.py') ? (findPython() ?? '') : process.execPath;
  const child = spawn(program, [name], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      TANDEM_WEBHOOK_SECRET: secret,
      ...(name === 'plain.py' ? {} : { PYTHONPATH: LIBRARY }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until('the receiver listens', async () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${complaints}`);
    return listens(port);
  });
  return {
    lines,
    end: async () => {
      child.kill();
      await ended;
    },
  };
}

describe('the receivers of docs/webhooks.md', () => {
  /** Receivers refuse what is older than five minutes by the machine's clock, so the gateway runs by it, but for its waits. */
  let passedMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + passedMs };
  let gateway: TestGateway;
  let bot: Trader;

  before(async () => {
    buildGateway();
    gateway = await startTestGateway({ clock: null, overrides: { clock } });
    bot = await trader(processClient(gateway.url));
  });
  after(() => gateway.close());

  it('are in JavaScript, in Python and in Python without the library', () => {
    expect(RECEIVERS.map(({ language, code }) => [language, code.split(':')[0]])).to.deep.equal([
      ['js', '// receiver.mjs'],
      ['python', '# receiver.py'],
      ['python', '# plain.py'],
    ]);
  });

  for (const { language, line, code } of RECEIVERS)
    it(`line ${line}, ${language}: takes what is genuine, once, and refuses what is not${code.startsWith('# plain') ? ' @long' : ''}`, async function () {
      if (language === 'python' && findPython() === null) {
        console.warn(
          `    *** A RECEIVER IN PYTHON HAS NOT BEEN RUN: no python3 with ${PYTHON_PACKAGES} here ***`,
        );
        return this.skip();
      }
      const port = await freePort();
      const relay = new Relay();
      const hook = { url: await relay.open(port), events: ['execution.completed'] };
      const { id, secret } = (await bot.call('POST', '/webhooks', hook)).json;
      const rows = async (): Promise<Json[]> =>
        (await bot.call('GET', `/webhooks/${id}/deliveries`)).json.deliveries;
      const delivered = (count: number) =>
        until(`${count} are delivered`, async () => {
          const own = (await rows()).filter(({ status }) => status === 'DELIVERED');
          return own.length === count && own;
        });
      const receiver = await start(code, port, secret);
      try {
        const first = await bot.open(PAIR);
        const [row] = await delivered(1);
        expect([row?.['attempts'], row?.['responseStatus']]).to.deep.equal([1, 204]);
        const said = [`execution.completed ${first.id}`];
        expect(receiver.lines).to.deep.equal(said);

        // The same event as a delivery of its own is taken, and counts once.
        await bot.expect('POST', `/webhooks/${id}/deliveries/${row?.['id']}/redeliver`, undefined, 202);
        await delivered(2);
        const [one, two] = relay.passed;
        if (one === undefined || two === undefined) throw new Error('two have passed');
        expect(two.headers['tandem-event-id']).to.equal(one.headers['tandem-event-id']);
        expect(two.headers['tandem-delivery-id']).not.to.equal(one.headers['tandem-delivery-id']);

        // The receiver refuses an altered body, or one sent without the secret.
        const signature = String(one.headers['tandem-signature']);
        const other = Buffer.from(one.body.toString().replace(first.id, bot.accountId));
        const refused = async (body: Buffer, header: string) =>
          expect(await relay.send(body, { ...one.headers, 'tandem-signature': header }), header).to.equal(
            400,
          );
        await refused(other, signature);
        await refused(
          one.body,
          signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
        );
        await refused(one.body, signature.replace(/t=\d+/, 't=1'));
        await refused(one.body, '');
        await refused(one.body, 't=,v1=');

        // Changed on its way, the gateway's own delivery is refused, and comes again as it was.
        relay.change = (body) => body.replace('execution.completed', 'execution.failed');
        const second = await bot.open(PAIR);
        const waiting = await until('it waits', async () =>
          (await rows()).find(({ status }) => status === 'RETRYING'),
        );
        expect([waiting?.['attempts'], waiting?.['responseStatus']]).to.deep.equal([1, 400]);
        relay.change = (body) => body;
        passedMs += 11_000;
        // Timers run in real time: a change makes the courier look at once.
        await bot.call('PATCH', `/webhooks/${id}`, { name: 'Again' });
        await delivered(3);
        expect(relay.passed.map(({ status }) => status)).to.deep.equal([204, 204, 400, 204]);
        await until('it is printed', () => receiver.lines.length > said.length);
        expect(receiver.lines).to.deep.equal([...said, `execution.completed ${second.id}`]);
      } finally {
        await receiver.end();
        await bot.call('DELETE', `/webhooks/${id}`);
        await relay.close();
      }
    });
});
