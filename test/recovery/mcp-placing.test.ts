/** Killed gateways around an agent's order: the id of a preview gives one order at most, whatever was answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { gatewayProcesses, type StartedGateway } from '../real-time/support/gateway-processes.ts';
import type { Json } from '../support/json.ts';
import { IS_LONG } from '../support/long-run.ts';
import { callTool, newClient, type ToolAnswer } from '../support/mcp-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader, traderOn } from '../support/trader.ts';

/** Milliseconds between the call and the kill: before its commit, around it, and after. */
const KILLS_AFTER_MS = IS_LONG ? [0, 2, 5, 8, 12, 16, 24, 40] : [0, 8, 24];

describe('an order of an agent, whose gateway dies', function () {
  this.timeout(180_000);
  let dataDir = '';
  const processes = gatewayProcesses();
  let gateway: StartedGateway;
  let bot: Trader;

  async function start(): Promise<void> {
    gateway = await processes.start({ dataDir });
    if (bot !== undefined) bot = traderOn(gateway, bot);
  }
  before(async () => {
    dataDir = await temporaryFolder();
    await start();
    bot = await trader(gateway);
  });

  async function ask(tool: string, args: Record<string, unknown>): Promise<ToolAnswer> {
    const client = await newClient(gateway.url, { 'x-api-key': bot.key });
    try {
      return await callTool(client, tool, args);
    } finally {
      await client.close();
    }
  }
  async function previewed(): Promise<Json> {
    const { data } = await ask('preview_basket', {
      account: bot.accountId,
      long: ['BTC-PERP'],
      short: ['ETH-PERP'],
      long_usd: '500',
      short_usd: '500',
    });
    return { preview_id: data.preview_id, summary: data.summary, reason: 'a test' };
  }
  const executions = async (): Promise<Json[]> =>
    (await bot.call('GET', '/executions?limit=200')).json.executions;

  it('between preview and placing is not ordered: a preview is made anew @long', async () => {
    const order = await previewed();
    await gateway.process.stop('SIGKILL');
    await start();
    const { data, text } = await ask('place_order', order);
    expect(data, text).to.deep.include({ outcome: 'NOTHING_ORDERED', money_moved: 'no' });
    expect(await executions()).to.deep.equal([]);
  });

  it('while it is placed is ordered once or not at all, and says which', async () => {
    let lost = 0;
    for (const after of KILLS_AFTER_MS) {
      const order = await previewed();
      const before = new Set((await executions()).map(({ id }) => id));
      const placing = ask('place_order', order).catch(() => null);
      await sleep(after);
      await gateway.process.stop('SIGKILL');
      if ((await placing) === null) lost += 1;
      await start();
      const made = async () => (await executions()).filter(({ id }) => !before.has(id));
      const found = await made();
      const again = await ask('place_order', order);
      if (found.length === 0) {
        expect(again.data, again.text).to.deep.include({ outcome: 'NOTHING_ORDERED', money_moved: 'no' });
        expect(await made()).to.deep.equal([]);
        continue;
      }
      expect(found).to.have.length(1);
      await bot.ended(found[0].id);
      const status = await ask('get_status', { id: order.preview_id });
      expect(status.data.id, status.text).to.equal(found[0].id);
      expect(again.data.id).to.equal(found[0].id);
      expect(await made()).to.have.length(1);
    }
    expect(lost).to.be.greaterThan(0);
  });
});
