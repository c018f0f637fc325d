/** `tandem mcp` between hosts that speak over standard input and output and a gateway that comes and goes. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { openVault } from '../../gateway/vault/open-vault.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { PASSWORD } from '../support/gateway-client.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { type Keyring, needsKeyring, openKeyring } from '../support/keyring.ts';
import { freePort } from '../support/local-port.ts';
import { callTool } from '../support/mcp-client.ts';
import { namesOf, TOOL_NAMES } from '../support/mcp-tools.ts';
import { silentLogger } from '../support/silent-logger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader } from '../support/trader.ts';
import {
  allowBridge,
  type BridgeHost,
  bridgeHost,
  killBridges,
  linkIn,
  startBridge,
} from './support/bridge-rig.ts';
import { processClient } from './support/process-client.ts';
import { until } from './support/until.ts';

describe('tandem mcp', () => {
  let dataDir = '';
  let host: BridgeHost;
  let gateway: GatewayProcess;
  let port = 0;
  let bot: Trader;

  async function start(): Promise<void> {
    if (port === 0) port = await freePort();
    gateway = launchGateway({ dataDir, port, logLevel: 'debug' });
    await gateway.ready;
  }
  const url = () => `http://127.0.0.1:${port}`;
  async function session(): Promise<Readonly<Record<string, string>>> {
    const body = { method: 'email', email: 'ada@example.test', password: PASSWORD };
    const { json, status, text } = await processClient(url()).request('POST', '/auth/login', { body });
    if (status !== 200) throw new Error(`login: ${status} ${text}`);
    return { authorization: `Bearer ${json.accessToken}` };
  }
  async function grants(): Promise<Json[]> {
    const answer = await processClient(url()).expect('GET', '/oauth2/grants', { headers: await session() });
    return answer.grants;
  }
  async function disconnectAll(): Promise<void> {
    const headers = await session();
    for (const { id } of await grants())
      await processClient(url()).request('DELETE', `/oauth2/grants/${id}`, { headers });
  }

  before(async () => {
    buildGateway();
    dataDir = await temporaryFolder();
    host = await bridgeHost(dataDir);
    await start();
    bot = await trader(processClient(url()));
  });
  afterEach(async () => {
    killBridges();
    await disconnectAll();
  });
  after(async () => {
    killBridges();
    await gateway.stop('SIGKILL');
  });

  /** A bridge that its user has allowed. */
  async function connected(name: string) {
    const bridge = startBridge(host, '--name', name);
    await bridge.initialize();
    await allowBridge({ port }, linkIn(await bridge.call('connect_tandem')));
    await bridge.heard(({ method }) => method === 'notifications/tools/list_changed');
    return bridge;
  }

  describe('asks its user before anything else', () => {
    it('through the SDK 1.x: one tool, then all of them', async () => {
      const client = new OldClient({ name: 'host', version: '1' });
      let changes = 0;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        changes += 1;
      });
      await client.connect(
        new OldStdio({ command: host.command, args: host.args('--name', 'Old host'), env: host.env }),
      );
      expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['connect_tandem']);
      const early = await callTool(client as never, 'whoami');
      expect([early.isError, early.data.error.code]).to.deep.equal([true, 'NOT_CONNECTED']);
      const asked = await client.callTool({ name: 'connect_tandem', arguments: {} });
      await allowBridge({ port }, linkIn({ result: asked }));
      await until('the tools changed', () => changes > 0);
      expect(namesOf((await client.listTools()).tools)).to.deep.equal(TOOL_NAMES);
      const { data } = await callTool(client as never, 'whoami');
      expect(data).to.deep.include({ agent: 'Old host', may_trade: true });
      expect((await client.listResources()).resources).to.not.have.length(0);
      await client.close();
    });

    for (const mode of ['legacy', 'auto'] as const) {
      it(`through the client 2.x (${mode}): one tool, then all of them, and an order @long`, async () => {
        let changes = 0;
        const client = new NewClient(
          { name: 'host', version: '1' },
          {
            versionNegotiation: { mode },
            listChanged: {
              tools: {
                onChanged: () => {
                  changes += 1;
                },
              },
            },
          },
        );
        await client.connect(
          new NewStdio({ command: host.command, args: host.args('--name', `New ${mode}`), env: host.env }),
        );
        expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['connect_tandem']);
        const asked = await client.callTool({ name: 'connect_tandem', arguments: {} });
        await allowBridge({ port }, linkIn({ result: asked }));
        await until('the tools changed', () => changes > 0);
        expect(namesOf((await client.listTools()).tools)).to.deep.equal(TOOL_NAMES);
        const preview = await callTool(client, 'preview_basket', {
          account: bot.accountId,
          long: ['BTC-PERP'],
          short: ['ETH-PERP'],
          long_usd: '500',
          short_usd: '500',
        });
        const { preview_id, summary } = preview.data;
        const placed = await callTool(client, 'place_order', { preview_id, summary, reason: 'a test' });
        expect(placed.data.outcome, placed.text).to.equal('FILLED');
        await client.close();
      });
    }

    it('opens one page in the browser, and none after a no', async () => {
      const own = await bridgeHost(dataDir);
      const bridge = startBridge(own, '--name', 'Refused');
      await bridge.initialize();
      const link = linkIn(await bridge.call('connect_tandem'));
      await until('a page was opened', async () => (await own.opened()).length > 0);
      expect(await own.opened()).to.deep.equal([link]);
      expect(linkIn(await bridge.call('connect_tandem'))).to.equal(link);
      const callback = await consentVisitor({ port }).deny(link);
      expect(await (await fetch(callback)).text()).to.include('Nothing was connected');
      const again = await bridge.call('connect_tandem');
      expect(again.result.content[0].text).to.include('The user said no the last time');
      expect(linkIn(again)).to.not.equal(link);
      expect(await own.opened()).to.have.length(1);
      expect((await bridge.call('whoami')).result.structuredContent.error.happened).to.include('said no');
      // Whoever else calls the port of the callback brings nothing.
      const { searchParams } = new URL(linkIn(again));
      const redirect = new URL(searchParams.get('redirect_uri') ?? '');
      redirect.search = '?code=abc&state=guessed';
      expect((await fetch(redirect)).status).to.equal(404);
      expect((await bridge.ask('tools/list')).result.tools).to.have.length(1);
    });

    it('and asks for reading only where it is told so', async () => {
      const bridge = startBridge(host, '--name', 'Reader', '--read-only');
      await bridge.initialize();
      const link = linkIn(await bridge.call('connect_tandem'));
      expect(new URL(link).searchParams.get('scope')).to.equal('mcp:read');
      await allowBridge({ port }, link, ['mcp:read']);
      await bridge.heard(({ method }) => method === 'notifications/tools/list_changed');
      const names = (await bridge.ask('tools/list')).result.tools.map(({ name }: Json) => name);
      expect(names).to.include('whoami').and.not.include('place_order');
    });
  });

  describe('keeps its grant', () => {
    it('over restarts and in two processes at once, without asking again @long', async () => {
      const first = await connected('Kept');
      expect((await first.call('whoami')).result.structuredContent.agent).to.equal('Kept');
      const beside = startBridge(host, '--name', 'Kept');
      await beside.initialize();
      expect((await beside.call('whoami')).result.structuredContent.agent).to.equal('Kept');
      expect(await first.end()).to.equal(0);
      const again = startBridge(host, '--name', 'Kept');
      await again.initialize();
      expect(namesOf((await again.ask('tools/list')).result.tools)).to.deep.equal(TOOL_NAMES);
      expect((await beside.call('whoami')).result.isError).to.equal(undefined);
      expect(await grants()).to.have.length(1);
    });

    it('until the user takes it back: then it says so, and can be connected anew @long', async () => {
      const bridge = await connected('Gone');
      await disconnectAll();
      const refused = (await bridge.call('whoami')).result;
      expect(refused.structuredContent.error.code).to.equal('NOT_CONNECTED');
      expect((await bridge.ask('tools/list')).result.tools[0].name).to.equal('connect_tandem');
      await allowBridge({ port }, linkIn(await bridge.call('connect_tandem')));
      await until(
        'all tools',
        async () => (await bridge.ask('tools/list')).result.tools.length === TOOL_NAMES.length,
      );
    });

    it('where nobody else finds a token: not in arguments, environment, output, log or a plain file', async () => {
      const bridge = await connected('Secret');
      await bridge.call('whoami');
      const [folder = ''] = await withEntry(join(dataDir, 'agents'), 'agent:Secret');
      const vault = await openVault({ kind: 'file', dataDir: folder, logger: silentLogger });
      const { refreshToken } = JSON.parse((await vault.get('agent:Secret')) ?? '{}');
      expect(refreshToken).to.be.a('string').with.length.greaterThan(30);
      const seen = [
        await readFile(`/proc/${bridge.pid}/cmdline`, 'utf8'),
        await readFile(`/proc/${bridge.pid}/environ`, 'utf8'),
        bridge.out.join('\n'),
        bridge.err(),
        gateway.errorLines.join('\n'),
        await filesOf(join(dataDir, 'agents')),
      ];
      expect(seen[0]).to.include('Secret');
      for (const text of seen) {
        expect(text.includes(refreshToken)).to.equal(false);
        // An access token is a JWT.
        expect(text).to.not.match(/eyJ[\w-]{10,}\.[\w-]{10,}\./);
        expect(text).to.not.include(bot.key);
      }
    });
  });

  describe('keeps its token in the keychain where there is one', () => {
    let keyring: Keyring;
    before(async function () {
      needsKeyring(this);
      keyring = await openKeyring();
    });
    after(() => keyring?.close());

    it('also for the next process, and in no file; taken back, it is gone from there @long', async () => {
      const env = { ...host.env, ...keyring.env, TANDEM_VAULT: 'keychain' };
      const kept = { ...host, env };
      const first = startBridge(kept, '--name', 'Keychain');
      await first.initialize();
      await allowBridge({ port }, linkIn(await first.call('connect_tandem')));
      await first.heard(({ method }) => method === 'notifications/tools/list_changed');
      await first.end();
      const entry = () => inKeychain(env, 'agent:Keychain');
      const { refreshToken } = JSON.parse((await entry()) ?? '{}');
      expect(refreshToken).to.be.a('string').with.length.greaterThan(30);
      expect(await filesOf(join(dataDir, 'agents'))).to.not.include('agent:Keychain');
      const next = startBridge(kept, '--name', 'Keychain');
      await next.initialize();
      expect((await next.call('whoami')).result.structuredContent).to.include({ agent: 'Keychain' });
      expect(JSON.parse((await entry()) ?? '{}').refreshToken).to.not.equal(refreshToken);
      await disconnectAll();
      expect((await next.call('whoami')).result.structuredContent.error.code).to.equal('NOT_CONNECTED');
      expect(await entry()).to.equal(null);
      expect(next.err()).to.not.include(refreshToken);
    });
  });

  describe('is a pipe', () => {
    /** Something that waits for good. */
    async function waiting(bridge: Awaited<ReturnType<typeof connected>>): Promise<string> {
      const { structuredContent: preview } = (
        await bridge.call('preview_basket', {
          account: bot.accountId,
          long: ['BTC-PERP'],
          long_usd: '500',
          style: 'when',
          when_metric: 'PRICE',
          when_instrument: 'BTC-PERP',
          when_direction: 'MORE_THAN',
          when_value: '99999999',
        })
      ).result;
      const { preview_id, summary } = preview;
      const placed = await bridge.call('place_order', { preview_id, summary, reason: 'a test' });
      expect(placed.result.structuredContent.outcome).to.equal('RESTING');
      return placed.result.structuredContent.id;
    }
    const wait = (id: string, seconds: number, token?: string) => ({
      name: 'wait_for',
      arguments: { id, seconds },
      ...(token === undefined ? {} : { _meta: { progressToken: token } }),
    });

    it('hands on progress before the answer', async () => {
      const bridge = await connected('Patient');
      const id = await waiting(bridge);
      const waited = bridge.begin('tools/call', wait(id, 6, 'mine'));
      const told = await bridge.heard(({ method }) => method === 'notifications/progress');
      expect(told.params.progressToken).to.equal('mine');
      expect((await waited.answer).result.structuredContent).to.deep.include({ changed: false, id });
    });

    it('gives up what is cancelled: no answer comes, and the gateway has the place again', async () => {
      const bridge = await connected('Impatient');
      const id = await waiting(bridge);
      const given = [1, 2, 3, 4].map(() => bridge.begin('tools/call', wait(id, 50)));
      await until('the gateway has no place left', async () => {
        const fifth = bridge.begin('tools/call', wait(id, 1));
        return (await fifth.answer).result.structuredContent.error?.code === 'RESOURCE_BUSY';
      });
      for (const { id: requestId } of given)
        bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      await until('a place is free', async () => {
        const next = bridge.begin('tools/call', wait(id, 1));
        return (await next.answer).result.structuredContent.changed === false;
      });
      const answered = bridge.out.map((line) => JSON.parse(line).id);
      for (const { id: requestId } of given) expect(answered).to.not.include(requestId);
    });

    it('with bounds: 1 MiB a message, one message a line, one id at a time', async () => {
      const bridge = await connected('Bounded');
      const padded = (chars: number) => ({ name: 'whoami', arguments: {}, padding: 'x'.repeat(chars) });
      const largest = bridge.begin('tools/call', padded(1024 * 1024 - 200));
      const tooLarge = bridge.begin('tools/call', padded(1024 * 1024));
      expect((await largest.answer).result.structuredContent.agent).to.equal('Bounded');
      expect((await tooLarge.answer).error).to.deep.equal({
        code: -32_600,
        message: 'A message may have 1 MiB at most',
      });
      bridge.send(`{"jsonrpc":"2.0","id":"huge","padding":"${'x'.repeat(5 * 1024 * 1024)}"}`);
      expect((await bridge.heard(({ id }) => id === null)).error.code).to.equal(-32_600);
      for (const [line, code] of [
        ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
        ['{"jsonrpc":', -32_700],
        ['{"jsonrpc":"2.0","id":"params","method":"ping","params":[]}', -32_600],
      ] as const) {
        const before = bridge.out.length;
        bridge.send(line);
        await until('an answer', () => bridge.out.length > before);
        expect(JSON.parse(bridge.out.at(-1) ?? '').error.code, line).to.equal(code);
      }
      expect((await bridge.call('whoami')).result.structuredContent.agent).to.equal('Bounded');
    });
  });

  describe('outlives its gateway', () => {
    it('says what is known of a call under way when it dies, and goes on by itself', async () => {
      const bridge = await connected('Survivor');
      const { structuredContent: preview } = (
        await bridge.call('preview_basket', {
          account: bot.accountId,
          long: ['BTC-PERP'],
          short: ['ETH-PERP'],
          long_usd: '500',
          short_usd: '500',
        })
      ).result;
      const { preview_id, summary } = preview;
      // It takes the calls in and does not get to answer them.
      process.kill(gateway.pid, 'SIGSTOP');
      const placing = bridge.begin('tools/call', {
        name: 'place_order',
        arguments: { preview_id, summary, reason: 'a test' },
      });
      const reading = bridge.begin('tools/call', { name: 'whoami', arguments: {} });
      const ping = await bridge.ask('ping');
      expect(ping.result).to.deep.equal({});
      await new Promise((resolve) => setTimeout(resolve, 200));
      await gateway.stop('SIGKILL');
      const lost = (await placing.answer).result;
      expect(lost.isError).to.equal(true);
      expect(lost.structuredContent.error).to.deep.include({
        code: 'OUTCOME_UNKNOWN',
        nothing_was_ordered: false,
      });
      expect(lost.content[0].text).to.include('call get_status with the preview_id');
      expect((await reading.answer).result.structuredContent.error.code).to.equal('GATEWAY_AWAY');

      const away = (await bridge.call('place_order', { preview_id, summary, reason: 'a test' })).result;
      expect(away.structuredContent.error).to.deep.include({
        code: 'GATEWAY_AWAY',
        nothing_was_ordered: true,
      });
      expect((await bridge.ask('tools/list')).result.tools).to.have.length(1);
      expect((await bridge.ask('resources/list')).error.message).to.include('Tandem does not answer');

      await start();
      const back = (await bridge.call('whoami')).result;
      expect(back.structuredContent.agent).to.equal('Survivor');
      const status = (await bridge.call('get_status', { id: preview_id })).result;
      expect(status.content[0].text).to.match(/^(NOTHING_ORDERED|FILLED)|NOT DONE/);
    });

    it('that starts later is found, and standing subscriptions stand again @long', async () => {
      const modern = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const first = await connected('Listener');
      await first.end();
      await gateway.stop('SIGKILL');
      const bridge = startBridge(host, '--name', 'Listener');
      const ask = (method: string, params: object = {}) => bridge.ask(method, { ...params, _meta: modern });
      expect((await ask('server/discover')).result.instructions).to.include('connect_tandem');
      expect((await ask('tools/list')).result.tools).to.have.length(1);
      const asked = await ask('tools/call', { name: 'connect_tandem', arguments: {} });
      expect(asked.result.structuredContent.error.happened).to.include('no gateway runs on the data folder');
      const listening = bridge.begin('subscriptions/listen', {
        notifications: {
          toolsListChanged: true,
          resourceSubscriptions: [`tandem://positions/${bot.accountId}`],
        },
        _meta: modern,
      });
      const stamp = 'io.modelcontextprotocol/subscriptionId';
      const about = (what: string) => (message: Json) =>
        message.method === `notifications/${what}` && message.params._meta[stamp] === listening.id;
      const acknowledged = await bridge.heard(about('subscriptions/acknowledged'));
      expect(acknowledged.params.notifications.toolsListChanged).to.equal(true);

      await start();
      await bridge.heard(about('tools/list_changed'));
      expect(namesOf((await ask('tools/list')).result.tools)).to.deep.equal(TOOL_NAMES);
      const hears = async () => {
        const before = bridge.out.length;
        return until('a change of the positions', async () => {
          await bot.open([{ symbol: 'SOL-PERP', side: 'BUY', mode: 'USD', amount: '100' }]);
          return bridge.out.slice(before).some((line) => about('resources/updated')(JSON.parse(line)));
        });
      };
      await hears();
      await gateway.stop('SIGKILL');
      await start();
      await hears();
      bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: listening.id } });
      await ask('tools/list');
      const before = bridge.out.length;
      await bot.open([{ symbol: 'SOL-PERP', side: 'BUY', mode: 'USD', amount: '100' }]);
      await ask('tools/list');
      expect(bridge.out.slice(before).some((line) => about('resources/updated')(JSON.parse(line)))).to.equal(
        false,
      );
    });
  });
});

async function withEntry(agents: string, entry: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(agents)) {
    const text = await readFile(join(agents, name, 'vault.json'), 'utf8').catch(() => '');
    if (text.includes(`"${entry}"`)) found.push(join(agents, name));
  }
  return found;
}

async function filesOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = names
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

/** Secret of the entry in the keychain of a process with this environment; null: there is none. */
async function inKeychain(env: Readonly<Record<string, string>>, entry: string): Promise<string | null> {
  const program = `const { default: keytar } = await import('keytar');
    console.log(JSON.stringify(await keytar.getPassword('tandem', ${JSON.stringify(entry)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...env },
  });
  return JSON.parse(stdout);
}
