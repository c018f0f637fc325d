// Starts the gateway of an installed program under plain Node, as the desktop app starts it, and trades through it.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const STARTS = 5;
const TRADE_LIMIT_MS = 20_000;

/**
 * @param {string} root folder with `build/tandem.cjs`
 * @param {string} dataDir new data folder
 * @returns {Promise<{ outcome: string, fastestMs: number, medianMs: number }>} status of a basket, and times of five
 *   starts, without the first start of all, which makes the database
 */
export async function tradeThrough(root, dataDir) {
  await (await startGateway(root, dataDir)).stop();
  const took = [];
  let outcome = '';
  for (let count = 0; count < STARTS; count += 1) {
    const gateway = await startGateway(root, dataDir);
    took.push(gateway.tookMs);
    if (count === 0) outcome = await openBasket(gateway.url);
    await gateway.stop();
  }
  const sorted = took.sort((a, b) => a - b);
  return {
    outcome,
    fastestMs: Math.round(sorted[0]),
    medianMs: Math.round(sorted[Math.floor(STARTS / 2)]),
  };
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
