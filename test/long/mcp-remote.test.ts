/** mcp-remote goes the whole way, as its user sees it: registration, the consent page, tools; and a second time without. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { consentVisitor } from '../support/consent-visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { callTool } from '../support/mcp-client.ts';
import { mcpRemote, missingMcpRemote } from '../support/mcp-remote.ts';
import { namesOf, TOOL_NAMES } from '../support/mcp-tools.ts';
import { READ_WRITE } from '../support/oauth-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trader } from '../support/trader.ts';

describe('mcp-remote', () => {
  let gateway: TestGateway;
  before(async function () {
    const missing = missingMcpRemote();
    if (missing !== null) {
      console.log(`      skipped: ${missing}`);
      this.skip();
    }
    gateway = await startTestGateway();
    await trader(gateway);
  });
  after(() => gateway?.close());

  it('is let in by its user and calls a tool, and the next time is not asked', async () => {
    const folder = await temporaryFolder();
    // It opens a browser by this name, and prints the link as well.
    const opener = join(folder, 'xdg-open');
    await writeFile(opener, '#!/bin/sh\n');
    await chmod(opener, 0o700);
    const { command, args, env } = mcpRemote(`${gateway.url}/mcp`, folder);
    const start = () => {
      const transport = new StdioClientTransport({
        command,
        args,
        env: { ...env, PATH: `${folder}:${process.env['PATH']}` },
        stderr: 'pipe',
      });
      let said = '';
      const link = new Promise<string>((resolve) => {
        transport.stderr?.on('data', (chunk) => {
          said += String(chunk);
          const [, shown] = /(http:\/\/\S+\/authorize\?\S+)\s/.exec(said) ?? [];
          if (shown !== undefined) resolve(shown);
        });
      });
      return { transport, said: () => said, link };
    };
    const connect = async ({ transport }: ReturnType<typeof start>) => {
      const client = new Client({ name: 'host', version: '1' });
      await client.connect(transport, { timeout: 60_000 });
      expect(namesOf((await client.listTools()).tools)).to.deep.equal(TOOL_NAMES);
      const { data } = await callTool(client as never, 'whoami');
      expect(data).to.deep.include({ may_trade: true });
      await client.close();
    };

    const first = start();
    const connecting = connect(first);
    connecting.catch(() => undefined);
    // A failure ends the wait.
    const link = await Promise.race([first.link, connecting.then(() => first.link)]);
    const callback = await consentVisitor(gateway).allow(link, READ_WRITE);
    expect((await fetch(callback)).status).to.equal(200);
    await connecting;

    const second = start();
    await connect(second);
    expect(second.said()).to.not.include('/authorize?');
  });
});
