/** The tools that read, their resources and prompts, through the clients of both SDK generations. */
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';
import { startTestGateway, type TestGateway, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient, oldClient } from '../support/mcp-client.ts';
import { PAIR, type Trader, trader } from '../support/trader.ts';

type Client = Awaited<ReturnType<typeof newClient>>;

const SDKS = { 'SDK 1.x': oldClient, 'client 2.x': newClient } as const;

for (const [name, connect] of Object.entries(SDKS)) {
  describe(`reading tools of MCP, ${name}${connect === newClient ? '' : ' @long'}`, () => {
    let gateway: TestGateway;
    let bot: Trader;
    let client: Client | OldClient;
    before(async () => {
      gateway = await startTestGateway();
      bot = await trader(gateway);
      client = await connect(gateway.url, { 'x-api-key': bot.key });
      // The client checks results against the output schemas that it was told.
      await client.listTools();
    });
    after(async () => {
      await client.close();
      await gateway.close();
    });
    const call = (tool: string, args: Record<string, unknown> = {}) => callTool(client as Client, tool, args);
    /** @param told some seconds later for the first time, or at the end of a shorter wait: for how long it has waited, in seconds */
    async function waitFor(args: Record<string, unknown>, told: (seconds: number) => void): Promise<unknown> {
      const options = { onprogress: ({ progress }: { readonly progress: number }) => told(progress) };
      const asked = { name: 'wait_for', arguments: args };
      const answer: Promise<Json> =
        client instanceof OldClient
          ? client.callTool(asked, undefined, options)
          : client.callTool(asked, options);
      return (await whileTimePasses(gateway.clock, answer)).structuredContent;
    }

    it('says who it is', async () => {
      const { data, text } = await call('whoami');
      expect(data).to.deep.include({
        agent: 'test',
        user: 'ada@example.test',
        may_trade: true,
        paused: false,
      });
      expect(data.accounts).to.deep.equal([
        { id: bot.accountId, alias: 'Paper', venue: 'paper', money: 'PLAY MONEY', status: 'READY' },
      ]);
      expect(text).to.include(bot.accountId).and.include('PLAY MONEY').and.include('No limits are set');
    });

    it('finds markets by text and by ids, with candles', async () => {
      const { data, text } = await call('find_markets', {
        connector: 'paper',
        instruments: ['BTC-PERP', 'ETH-PERP'],
        with_candles: true,
      });
      const ids = data.markets.map(({ instrument }: { instrument: string }) => instrument);
      expect(ids).to.have.members(['BTC-PERP', 'ETH-PERP']);
      expect(data.markets[0].candles_1h).to.have.length(48);
      expect(data.markets[0].max_leverage).to.be.greaterThan(1);
      expect(text.split('\n')[0]).to.equal('2 market(s) on paper.');
    });

    it('analyses a pair', async () => {
      const { data } = await call('analyse_pair', {
        connector: 'paper',
        long: 'BTC-PERP',
        short: 'ETH-PERP',
      });
      expect(data.observations).to.be.greaterThan(30);
      expect(Number(data.correlation)).to.be.within(-1, 1);
    });

    it('tells of an execution, its position, fills and the portfolio', async () => {
      const { id } = await bot.open(PAIR);
      const status = await call('get_status', { id });
      expect(status.data).to.deep.include({ outcome: 'FILLED', money_moved: 'yes', kind: 'execution', id });
      expect(status.text.split('\n')[0]).to.equal('FILLED: all of it was traded. Money moved: yes.');
      expect(status.data.legs.map(({ asked }: { asked: string }) => asked)).to.deep.equal([
        '1000 USD',
        '1000 USD',
      ]);
      expect(status.data.held_now).to.have.length(2);

      const { data: held } = await call('list_positions', { account: bot.accountId });
      expect(held.positions).to.have.length(1);
      const position = await call('get_status', { id: held.positions[0].id });
      expect(position.data).to.include({ kind: 'position', outcome: 'FILLED' });
      expect(position.text).to.match(/^A POSITION/);
      const { data: done } = await call('list_activity', { account: bot.accountId, kind: 'executions' });
      expect(done.rows[0]).to.deep.include({ id, kind: 'execution', outcome: 'FILLED' });
      const { data: fills } = await call('list_activity', {
        account: bot.accountId,
        kind: 'fills',
        limit: 1,
      });
      expect(fills.rows).to.have.length(1);
      const { data: worth } = await call('get_portfolio', { account: bot.accountId, range: '24h' });
      expect(worth.open_positions).to.equal(1);
      expect(Number(worth.gross_usd)).to.be.within(1_900, 2_100);
    });

    it('tells of a trigger that waits, and of its end while it is waited for', async () => {
      const placed = await bot.call('POST', '/triggers/open', {
        legs: PAIR,
        condition: { type: 'PRICE', direction: 'LESS_THAN', value: '1', symbol: 'BTC-PERP' },
      });
      const { id } = placed.json;
      expect((await call('get_status', { id })).data).to.deep.include({
        outcome: 'RESTING',
        money_moved: 'no',
      });
      const { data: waiting } = await call('list_activity', { account: bot.accountId, kind: 'resting' });
      expect(waiting.rows.map((row: { id: string }) => row.id)).to.include(id);
      // An order that ended before the wait began is answered at once.
      const data = await waitFor({ id, seconds: 20 }, () => void bot.call('POST', `/triggers/${id}/cancel`));
      expect(data).to.deep.include({ outcome: 'CANCELLED', changed: true });
    });

    it('says how long it has waited, and that nothing changed', async () => {
      const placed = await bot.call('POST', '/triggers/open', {
        legs: PAIR,
        condition: { type: 'PRICE', direction: 'LESS_THAN', value: '1', symbol: 'BTC-PERP' },
      });
      const seen: number[] = [];
      const data = await waitFor({ id: placed.json.id, seconds: 1 }, (progress) => seen.push(progress));
      expect(data).to.deep.include({ outcome: 'RESTING', changed: false });
      expect(seen).to.deep.equal([1]);
    });

    it('names the field that is wrong, what it means and what to do', async () => {
      const wrong = await call('list_positions', { account: 'paper', colour: 'red' });
      expect(wrong.isError).to.equal(true);
      expect(wrong.data.error).to.deep.include({ code: 'VALIDATION_ERROR', nothing_was_ordered: true });
      expect(wrong.data.error.fields).to.deep.equal([
        {
          field: 'account',
          problem: 'Expected the id of a trade account (Id of the trade account: accounts[].id of whoami)',
        },
        { field: 'colour', problem: 'There is no such field. Fields: account, status, mine_only' },
      ]);
      const foreign = await call('list_positions', { account: '3f0c5a1e-8c1d-4f7e-9d2a-0b1c2d3e4f50' });
      expect(foreign.data.error.code).to.equal('RESOURCE_NOT_FOUND');
      const nothing = await call('get_status', { id: '3f0c5a1e-8c1d-4f7e-9d2a-0b1c2d3e4f50' });
      expect(nothing.data.error.code).to.equal('RESOURCE_NOT_FOUND');
      expect((await call('withdraw')).data.error.code).to.equal('UNKNOWN_TOOL');
      const venue = await call('find_markets', { connector: 'nowhere' });
      expect(venue.data.error.fields[0].field).to.equal('connector');
    });

    it('reads resources and gets prompts', async () => {
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).to.deep.equal([
        'tandem://guide',
        'tandem://limits',
        `tandem://positions/${bot.accountId}`,
      ]);
      const text = async (uri: string) => {
        const [content] = (await client.readResource({ uri })).contents;
        return content !== undefined && 'text' in content ? content.text : '';
      };
      expect(await text('tandem://guide')).to.include('NOTHING_ORDERED');
      expect(await text('tandem://limits')).to.include('No limits are set');
      expect(JSON.parse(await text(`tandem://positions/${bot.accountId}`)).positions).to.have.length(1);
      const { id } = (await bot.call('GET', '/executions')).json.executions[0];
      expect(JSON.parse(await text(`tandem://orders/${id}`)).outcome).to.equal('FILLED');
      const missing = await text('tandem://orders/3f0c5a1e-8c1d-4f7e-9d2a-0b1c2d3e4f50').catch(
        (e: Error) => e.message,
      );
      expect(missing).to.match(/not found/i);
      const { prompts } = await client.listPrompts();
      expect(prompts.map((prompt) => prompt.name)).to.deep.equal([
        'open_pair',
        'review_portfolio',
        'explain_order',
        'unwind_mine',
      ]);
      const prompt = await client.getPrompt({ name: 'explain_order', arguments: { id } });
      expect(JSON.stringify(prompt.messages)).to.include(id);
    });
  });
}

it('list_positions shows what closed after fees and funding, as the history does', async () => {
  const gateway = await startTestGateway({ settings: { paperProfile: 'realistic' } });
  const bot = await trader(gateway);
  const client = await newClient(gateway.url, { 'x-api-key': bot.key });
  try {
    const { positionId } = await bot.open(PAIR, { slippage: '0.05' });
    await bot.execute(`/positions/${positionId}/close`, {
      type: 'MARKET',
      slippage: '0.05',
    });
    const [{ netPnl, fees, realizedPnl }] = (await bot.call('GET', '/positions/closed')).json.positions;
    expect(Number(fees), 'there is a difference to see').to.be.greaterThan(0);
    const closed = await callTool(client, 'list_positions', { account: bot.accountId, status: 'CLOSED' });
    expect(closed.data.positions[0]).to.include({
      ...{ net_pnl_usd: netPnl, fees_paid_usd: fees, realized_pnl_usd: realizedPnl },
    });
    const said = `net ${netPnl} USD after fees and funding`;
    expect(closed.text).to.contain(`closed, ${said}`);
    expect((await callTool(client, 'get_status', { id: positionId })).text).to.contain(said);
  } finally {
    await client.close();
    await gateway.close();
  }
});
