/** MCP surface word for word: changing it changes it for every model that was told to use it. */
import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { gatewayClient } from '../support/gateway-client.ts';
import { buildGateway, launchGateway } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { newClient } from '../support/mcp-client.ts';
import { TOOLS_REFERENCE } from '../support/mcp-tools.ts';
import { oauthClient } from '../support/oauth-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trader } from '../support/trader.ts';

describe('tools of MCP', () => {
  const gateway = gatewayForSuite();
  before(async () => {
    await trader(gateway);
  });

  async function listed(scopes: readonly string[]): Promise<readonly Json[]> {
    const { access_token: token } = await oauthClient(gateway).connect(consentVisitor(gateway), scopes);
    const client = await newClient(gateway.url, { authorization: `Bearer ${token}` });
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  }

  it('are those of the reference, for a grant that may trade', async () => {
    const tools = await listed(['mcp:read', 'mcp:write']);
    const text = `[\n${tools.map((tool) => JSON.stringify(tool)).join(',\n')}\n]\n`;
    if (process.env['MCP_TOOLS'] === 'write') await writeFile(TOOLS_REFERENCE, text);
    expect(tools).to.deep.equal(JSON.parse(await readFile(TOOLS_REFERENCE, 'utf8')));
  });

  it('and without those that trade, for a grant that may look', async () => {
    const reference: readonly Json[] = JSON.parse(await readFile(TOOLS_REFERENCE, 'utf8'));
    const tools = await listed(['mcp:read']);
    const changing = ['place_order', 'set_alert', 'change_alert', 'cancel', 'pause_me'];
    // A preview is of no use to whoever may not place it.
    const trading = ['preview_basket', 'preview_change', ...changing];
    expect(tools).to.deep.equal(reference.filter(({ name }) => !trading.includes(name)));
    for (const { name, annotations } of reference)
      expect(annotations.readOnlyHint, name).to.equal(!changing.includes(name));
  });
});

describe('standing subscriptions of MCP', () => {
  it('are four of a grant at most, and end with a word when the gateway stops', async () => {
    buildGateway();
    const process_ = launchGateway({ dataDir: await temporaryFolder() });
    const { url } = await process_.ready;
    const bot = await trader(gatewayClient(url));
    const listen = (id: number) =>
      fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'x-api-key': bot.key,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'subscriptions/listen',
          params: {
            notifications: { resourceSubscriptions: [`tandem://positions/${bot.accountId}`] },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        }),
      });
    const texts = ['', '', '', ''];
    /** Keeps what the stream sends; resolves once it is acknowledged. */
    const stands = async (index: number) => {
      const { body } = await listen(index + 1);
      return new Promise<void>((resolve) => {
        void (async () => {
          for await (const chunk of body ?? []) {
            texts[index] += Buffer.from(chunk).toString();
            if (texts[index]?.includes('acknowledged')) resolve();
          }
        })().catch(() => undefined);
      });
    };
    for (const index of texts.keys()) await stands(index);
    expect(await (await listen(5)).text()).to.include('Subscription limit reached');
    const end = await process_.stop('SIGTERM');
    expect(end).to.deep.equal({ code: 0, signal: null });
    for (const text of texts) expect(text).to.include('"resultType":"complete"');
    expect(process_.errorLines.filter((line) => /did not (stop|end)|in time/.test(line))).to.deep.equal([]);
  });
});
