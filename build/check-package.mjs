// Makes the package of this system without Electron's binary and looks at it: the files of the archive, the fuses, the size;
// then starts the packaged gateway under plain Node and trades through it. Exit code 1 when anything is not as it should be.
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePackages } from './package.mjs';
import { faultsOfArchive, filesOfArchive, sizeOfFolder } from './packaged-app.mjs';
import { makeStandInElectron } from './stand-in-electron.mjs';

const require = createRequire(import.meta.url);
const MAX_BYTES = 60_000_000;
const READY_LIMIT_MS = 1_500;
const STARTS = 3;
const TRADE_LIMIT_MS = 20_000;
/** States of the fuses in the order of @electron/fuses: '1' on, '0' off. */
const FUSES = '01001100';

const faults = [];
const work = mkdtempSync(join(tmpdir(), 'tandem-package-'));
try {
  makeStandInElectron(join(work, 'electron'));
  const out = join(work, 'out');
  await makePackages([
    '--linux',
    'dir',
    `-c.electronDist=${join(work, 'electron')}`,
    `-c.directories.output=${out}`,
  ]);
  const app = join(out, 'linux-unpacked');
  const archive = join(app, 'resources', 'app.asar');
  const files = filesOfArchive(archive);
  faults.push(...faultsOfArchive(files));
  console.log(
    `${files.length} files in the archive, ${files.filter((file) => file.isUnpacked).length} unpacked`,
  );

  const bytes = sizeOfFolder(join(app, 'resources'));
  console.log(`size without Electron: ${(bytes / 1e6).toFixed(1)} MB (at most ${MAX_BYTES / 1e6})`);
  if (bytes > MAX_BYTES) faults.push(`too large: ${bytes} bytes`);

  const { getCurrentFuseWire } = require('@electron/fuses');
  const { version: _version, ...wire } = await getCurrentFuseWire(join(app, 'tandem'));
  const states = String.fromCharCode(...Object.values(wire));
  console.log(`fuses: ${states}`);
  if (states !== FUSES) faults.push(`fuses are ${states}, not ${FUSES}`);

  require('@electron/asar').extractAll(archive, join(work, 'app'));
  await tradeThrough(join(work, 'app'), join(work, 'data'));
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const fault of faults) console.error(`FAULT  ${fault}`);
console.log(faults.length === 0 ? 'the package is as it should be' : `${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** The first start makes the database; those after it are what a person waits for, the median of three. */
async function tradeThrough(root, dataDir) {
  if (existsSync(join(root, 'gateway'))) throw new Error('the package holds sources');
  await (await startGateway(root, dataDir)).stop();
  const took = [];
  for (let count = 0; count < STARTS; count += 1) {
    const gateway = await startGateway(root, dataDir);
    took.push(gateway.tookMs);
    if (count === 0) console.log(`a basket through the packaged gateway: ${await openBasket(gateway.url)}`);
    await gateway.stop();
  }
  const [, median = Number.POSITIVE_INFINITY] = took.sort((a, b) => a - b).map(Math.round);
  console.log(`gateway ready after ${median} ms (at most ${READY_LIMIT_MS})`);
  if (median > READY_LIMIT_MS) faults.push(`ready only after ${median} ms`);
}

async function startGateway(root, dataDir) {
  const started = performance.now();
  const flags = ['--port', '0', '--data-dir', dataDir, '--vault', 'file', '--paper-profile', 'frictionless'];
  const child = fork(
    join(root, 'build', 'tandem.cjs'),
    ['start', '--shell', ...flags, '--log-level', 'error'],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const message = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the packaged gateway ended with ${code}`)));
  });
  if (message.kind !== 'ready') throw new Error(`the packaged gateway: ${message.message}`);
  return {
    url: message.url,
    tookMs: performance.now() - started,
    stop: () => {
      child.send({ kind: 'stop' });
      return ended;
    },
  };
}

async function openBasket(url) {
  const call = async (method, path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const user = { email: 'ada@example.test', password: 'a long enough password' };
  const { accessToken, tradeAccount } = await call('POST', '/auth/register', user);
  const headers = { authorization: `Bearer ${accessToken}`, 'x-trade-account-id': tradeAccount.id };
  const legs = [
    { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' },
    { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
  ];
  const { execution } = await call('POST', '/trade/open', { type: 'MARKET', legs }, headers);
  for (let waitedMs = 0; waitedMs < TRADE_LIMIT_MS; waitedMs += 100) {
    const read = await call('GET', `/executions/${execution.id}`, undefined, headers);
    if (read.execution.status === 'COMPLETED') return 'COMPLETED';
    if (read.execution.status === 'FAILED') throw new Error(`the basket failed: ${read.execution.error}`);
    await sleep(100);
  }
  throw new Error('the basket did not end');
}
