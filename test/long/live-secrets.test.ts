/** Keys of a live account are in the vault and nowhere else: not in files, log lines, errors, events or transcripts. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createLogger } from '../../gateway/system/logger.ts';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { TestAnswer } from '../support/gateway-client.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type Emulator, startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';

const PATH = '/connectors/hyperliquid/wallet-approvals';
const CHECK_MS = 60_000;

describe('API: the keys of a live account', () => {
  const mainKey = generatePrivateKey();
  const strangerKey = generatePrivateKey();
  const wallet = privateKeyToAccount(mainKey);
  const lines: string[] = [];
  const answers: string[] = [];
  const contents = new Map<string, Buffer>();
  const clock = createFakeClock();
  let emulator: Emulator;
  let gateway: TestGateway;
  let dataDir: string;
  let agentKey = '';
  let toldToOwner = '';
  let headers: Record<string, string>;

  async function ask(method: string, path: string, body?: object, on?: string): Promise<TestAnswer> {
    const answer = await gateway.request(method, path, {
      headers: { ...headers, ...(on === undefined ? {} : { 'x-trade-account-id': on }) },
      ...(body === undefined ? {} : { body }),
    });
    answers.push(`${method} ${path}: ${answer.text}`);
    return answer;
  }
  async function look(moment: string): Promise<void> {
    for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) contents.set(`${moment}: ${relative(dataDir, path)}`, await readFile(path));
    }
  }

  before(async function () {
    this.timeout(CHECK_MS + 30_000);
    dataDir = await temporaryFolder();
    emulator = await startEmulator({ clock, pulseMs: 200 });
    emulator.script.addAccount({ address: wallet.address.toLowerCase(), deposit: '10000' });
    const stream = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ level: 'debug', pretty: false, stream });
    const settings = { hyperliquidUrl: emulator.url };
    gateway = await startGatewayWithVenue(clock, hyperliquid, settings, { dataDir, overrides: { logger } });
    headers = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
    // Refused: the key of the account itself, one that is no agent of it, one that is none.
    for (const agentPrivateKey of [mainKey, strangerKey, `${strangerKey}7`]) {
      const credentials = { accountAddress: wallet.address, agentPrivateKey };
      const body = { alias: 'Main', connector: 'hyperliquid', credentials };
      expect((await ask('POST', '/trade-accounts', body)).status).to.equal(400);
    }
    const { json } = await ask('POST', PATH, { address: wallet.address, chainId: 42_161 });
    const signature = await wallet.signTypedData(json.typedData);
    const made = await ask('POST', `${PATH}/${json.id}`, { signature, alias: 'Main' });
    expect(made.status, made.text).to.equal(201);
    const id: string = made.json.id;
    await until(gateway.clock, 'the account is ready', async () => {
      const { tradeAccounts } = (await ask('GET', '/trade-accounts')).json;
      return tradeAccounts.some(
        (one: { status: string; mode: string }) => one.mode === 'LIVE' && one.status === 'READY',
      )
        ? true
        : null;
    });
    // The one answer that has it, to its owner.
    const told = await gateway.request('POST', `/trade-accounts/${id}/credentials`, { headers, body: {} });
    toldToOwner = told.text;
    agentKey = told.json.credentials.agentPrivateKey;
    await ask('PUT', `/trade-accounts/${id}/arming`, { alias: 'Main', perOrderUsd: '100', totalUsd: '500' });
    const legs = [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '30' },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '30' },
    ];
    await until(gateway.clock, 'it opens', async () =>
      (await ask('POST', '/trade/open', { type: 'MARKET', legs }, id)).status === 202 ? true : null,
    );
    await until(gateway.clock, 'it is open', async () =>
      (await ask('GET', '/positions?status=OPEN', undefined, id)).json.positions.length === 1 ? true : null,
    );
    const check = await ask('POST', '/connectors/hyperliquid/check', {
      tradeAccountId: id,
      transcript: true,
    });
    expect(check.status, check.text).to.equal(200);
    for (const path of ['/notifications', '/audit-log', '/executions', '/portfolio', '/connectors'])
      await ask('GET', path, undefined, id);
    await look('running');
    await gateway.close();
    await look('stopped');
  });
  after(async () => {
    await emulator.close();
    await removeTemporaryFolders();
  });

  /** Forms in which a key could be written. */
  function formsOf(key: string): readonly Buffer[] {
    const hex = key.replace(/^0x/, '').toLowerCase();
    const raw = Buffer.from(hex, 'hex');
    const texts = [hex, hex.toUpperCase(), raw.toString('base64'), raw.toString('base64url'), raw.join(',')];
    return [raw, ...texts.map((text) => Buffer.from(text))];
  }
  function expectNowhere(place: string, content: Buffer): void {
    for (const [name, key] of Object.entries({ mainKey, strangerKey, agentKey })) {
      const found = formsOf(key).some((form) => content.includes(form));
      expect(found, `${name} in ${place}`).to.equal(false);
    }
  }

  it('are found where they are, and the run left what it should have', () => {
    for (const text of [toldToOwner, toldToOwner.toUpperCase()])
      expect(() => expectNowhere('the answer to the owner', Buffer.from(text))).to.throw('agentKey');
    expect(agentKey).to.match(/^(0x)?[0-9a-f]{64}$/);
    const names = [...contents.keys()].join('\n');
    expect(names).to.contain('tandem.db').and.to.contain('vault');
    expect(lines).not.to.deep.equal([]);
    expect(answers.length).to.be.greaterThan(10);
  });

  it('stand in no file', () => {
    for (const [name, content] of contents) expectNowhere(name, content);
  });

  it('stand in no line of the log, at debug level', () => {
    for (const line of lines) expectNowhere(line.slice(0, 120), Buffer.from(line));
  });

  it('stand in no answer, refusals, the audit log and the transcript of a check included', () => {
    expect(answers.some((answer) => answer.includes('withdraw everything'))).to.equal(true);
    for (const answer of answers) expectNowhere(answer.slice(0, 120), Buffer.from(answer));
  });
});
