/**
 * A live account through a bad day, in a real process: its key and what it signs stand in no file, no line of the log, no answer,
 * no event and nowhere that other programs of this machine can look.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { addressOf, toHex } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { processClient } from '../real-time/support/process-client.ts';
import { until } from '../real-time/support/until.ts';
import type { GatewayClient, TestAnswer } from '../support/gateway-client.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { connectRealtime, type RealtimeClient } from '../support/realtime-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Emulator, startEmulator } from '../support/venues/hyperliquid/emulator.ts';

const LEGS = [
  { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '200' },
  { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '200' },
];

/** A key as it may be written down. */
function formsOf(key: Buffer): readonly (string | Buffer)[] {
  const hex = key.toString('hex');
  return [hex, hex.toUpperCase(), key.toString('base64').replace(/=+$/, ''), key.toString('base64url'), key];
}

describe('secrets of a live account', () => {
  const main = randomBytes(32);
  const agent = randomBytes(32);
  /** Key of another account: refused for this one. */
  const wrong = randomBytes(32);
  const secrets = new Map<string, readonly (string | Buffer)[]>([
    ['key of the agent', formsOf(agent)],
    ['key of the account itself', formsOf(main)],
    ['wrong key', formsOf(wrong)],
  ]);
  const contents = new Map<string, Buffer>();
  let dataDir: string;
  let emulator: Emulator;
  let gateway: GatewayProcess;
  let client: GatewayClient;
  let events: RealtimeClient;
  let session: Record<string, string>;
  let accountId = '';

  const keep = (name: string, bytes: Buffer | string) => contents.set(name, Buffer.from(bytes));
  /** Keeps what was answered. */
  const ask = async (method: string, path: string, body?: object): Promise<TestAnswer> => {
    const account = accountId === '' ? {} : { 'x-trade-account-id': accountId };
    const options = { headers: { ...session, ...account }, ...(body === undefined ? {} : { body }) };
    const answer = await client.request(method, path, options);
    keep(`answer ${contents.size} of ${method} ${path} (${answer.status})`, answer.text);
    return answer;
  };
  const connect = (accountAddress: string, key: Buffer) =>
    ask('POST', '/trade-accounts', {
      ...{ alias: 'Main', connector: 'hyperliquid' },
      credentials: { accountAddress, agentPrivateKey: toHex(key) },
    });
  const traded = async (path: string, body: object): Promise<Json> => {
    const placed = await until('it is taken in', async () => {
      const answer = await ask('POST', path, body);
      return answer.status === 202 ? answer.json.execution.id : null;
    });
    return until('it ends', async () => {
      const { execution } = (await ask('GET', `/executions/${placed}`)).json;
      return ['IDLE', 'ACTIVE'].includes(execution.status) ? null : execution;
    });
  };
  const launch = async () => {
    gateway = launchGateway({
      dataDir,
      logLevel: 'debug',
      flags: ['--allow-file-vault'],
      env: { TANDEM_LIVE: 'on', TANDEM_HYPERLIQUID_URL: emulator.url },
    });
    const { url, port } = await gateway.ready;
    client = processClient(url);
    return port;
  };
  const look = async (moment: string) => {
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) keep(`file ${relative(dataDir, path)}, ${moment}`, await readFile(path));
    }
    for (const name of ['cmdline', 'environ'])
      keep(`process ${name}, ${moment}`, await readFile(`/proc/${gateway.pid}/${name}`));
    keep(`log, ${moment}`, gateway.errorLines.join('\n'));
  };

  before(async function () {
    this.timeout(120_000);
    buildGateway();
    dataDir = await temporaryFolder();
    emulator = await startEmulator({ pulseMs: 200 });
    const { script } = emulator;
    script.setWeightPerMinute(null);
    const address = addressOf(main);
    script.addAccount({ address, deposit: '10000' });
    script.addAgent(address, addressOf(agent));
    const port = await launch();
    const { accessToken } = await client.register();
    session = { authorization: `Bearer ${accessToken}` };

    expect((await connect(address, wrong)).status).to.equal(400);
    expect((await connect(address, main)).status).to.equal(400);
    expect((await connect('0x12', agent)).status).to.equal(400);
    const made = await until('it is connected', async () => {
      const answer = await connect(address, agent);
      return answer.status === 201 ? answer.json : null;
    });
    events = await connectRealtime(`ws://127.0.0.1:${port}/ws`);
    await events.ask({ op: 'auth', token: accessToken });
    await events.ask({ op: 'subscribe', channels: [`user:${made.id}`, 'status'] });
    accountId = made.id;
    await until('it is armed', async () => {
      const terms = { alias: 'Main', perOrderUsd: '1000', totalUsd: '5000' };
      return (await ask('PUT', `/trade-accounts/${made.id}/arming`, terms)).status === 200;
    });
    await until('its history is known', async () => (await ask('POST', '/sync', {})).status === 200);
    await ask('POST', '/connectors/hyperliquid/check', { account: 'Main', tradeAccountId: made.id });
    // Answers of venues and of proxies before them, which repeat parts of the request.
    script.fault({ on: 'order', do: 'lose_answer' });
    const opened = await traded('/trade/open', { type: 'MARKET', legs: LEGS });
    expect(opened.status).to.equal('COMPLETED');
    const echo = emulator.script.sentContaining('"type":"order"').at(-1) ?? '';
    script.fault({ on: 'order', do: 'status', code: 502, body: `<html>${echo}</html>` });
    script.fault({ on: 'orderStatus', do: 'truncate' });
    await ask('POST', '/trade/open', { type: 'MARKET', legs: LEGS });
    await look('while it runs');
    await gateway.stop('SIGKILL');
    events.end();
    await launch();
    await until('it is there again', async () => (await ask('POST', '/sync', {})).status === 200);
    script.clearFaults();
    script.revokeAgent(address, addressOf(agent));
    const positions = (await ask('GET', '/positions?status=OPEN')).json.positions;
    await traded(`/positions/${positions[0]?.id}/close`, { type: 'MARKET' });
    await until('the key is refused', async () => {
      const { json } = await ask('GET', `/trade-accounts/${accountId}`);
      return json.status === 'INVALID_CREDENTIALS';
    });
    for (const path of ['/notifications', '/executions', '/audit-log', '/fills', '/orders'])
      await ask('GET', path);
    await look('after its key was refused');
    await gateway.stop('SIGTERM');
    await look('stopped').catch(() => undefined);
    keep('events', JSON.stringify(events.messages));
    for (const body of script.sent()) {
      for (const name of ['r', 's']) {
        const part = new RegExp(`"${name}":"0x([0-9a-f]{40,64})"`).exec(body)?.[1];
        if (part !== undefined) secrets.set(`${name} of ${part.slice(0, 6)}`, [part]);
      }
    }
  });
  after(async () => {
    await gateway.stop('SIGKILL');
    await emulator.close();
  });

  it('the day left what it should have: files, debug lines, events, answers, signatures', () => {
    const names = [...contents.keys()].join('\n');
    for (const part of [
      'file tandem.db,',
      'file tandem.db-wal',
      'file vault.json',
      'cmdline',
      'environ',
      'log, ',
    ])
      expect(names).to.include(part);
    expect(String(contents.get('log, while it runs'))).to.include('"level":"debug"');
    // The same search finds a text that is not secret.
    const isNamed = (part: string) =>
      [...contents].some(
        ([name, bytes]) => name.startsWith(part) && bytes.includes(addressOf(main).slice(2)),
      );
    expect(isNamed('file ')).to.equal(true);
    expect(String(contents.get('events'))).to.include('"mode":"LIVE"');
    expect([...secrets.keys()].filter((name) => / of [0-9a-f]{6}$/.test(name)).length).to.be.at.least(4);
  });

  it('and no secret anywhere', () => {
    for (const [place, bytes] of contents)
      for (const [name, forms] of secrets)
        for (const form of forms) expect(bytes.includes(form), `${name} in ${place}`).to.equal(false);
  });
});
