/** An agent's own share of the account, and the approvals that it has requested, in the answers of MCP. */
import { expect } from 'chai';
import { connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForSuite } from '../support/gateway.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';

describe('what is an agent’s own', () => {
  const gateway = gatewayForSuite();
  const bot = traderForSuite(gateway);
  const clients: Awaited<ReturnType<typeof newClient>>[] = [];
  after(async () => {
    for (const client of clients) await client.close();
  });

  async function clientOf(headers: Readonly<Record<string, string>>) {
    const client = await newClient(gateway.url, headers);
    // The client checks results against the output schemas that it was told.
    await client.listTools();
    clients.push(client);
    return (tool: string, args: Record<string, unknown> = {}) =>
      callTool(client, tool, { account: bot.accountId, ...args });
  }

  it('is told beside the whole: positions, their legs, the portfolio, and what waits for its user', async () => {
    await bot.open(PAIR);
    await bot.open([usd('SOL', 'BUY', '300')]);
    const agent = await connectAgent(gateway, bot, consentVisitor(gateway), {
      consent: { mandate: smallMandate(bot.accountId) },
    });
    const call = await clientOf({ authorization: `Bearer ${agent.accessToken}` });
    const nothing = (await call('get_portfolio')).data;
    expect(nothing.yours).to.deep.equal({
      open_positions: 0,
      gross_usd: '0',
      net_usd: '0',
      unrealized_pnl_usd: '0',
    });
    expect((await call('list_positions', { mine_only: true })).data.positions).to.deep.equal([]);

    const place = async (args: Record<string, unknown>) => {
      const { data } = await call('preview_basket', args);
      const { preview_id, summary } = data;
      return callTool(clients.at(-1) as never, 'place_order', { preview_id, summary, reason: 'a test' });
    };
    // On top of the user's SOL, and one of its own.
    expect((await place({ long: ['SOL-PERP'], long_usd: '100' })).data.outcome).to.equal('FILLED');
    expect((await place({ short: ['AVAX-PERP'], short_usd: '100' })).data.outcome).to.equal('FILLED');

    const { positions } = (await call('list_positions')).data;
    const ownerOf = (instrument: string) =>
      positions.find(({ legs }: { legs: { instrument: string }[] }) => legs[0]?.instrument === instrument);
    expect(ownerOf('BTC-PERP').owner).to.equal('OTHERS');
    expect(ownerOf('AVAX-PERP').owner).to.equal('YOU');
    expect(ownerOf('AVAX-PERP').legs[0].yours_base).to.equal(ownerOf('AVAX-PERP').legs[0].quantity_base);
    const shared = ownerOf('SOL-PERP');
    expect(shared.owner).to.equal('PARTLY_YOU');
    const share = Number(shared.legs[0].yours_base) / Number(shared.legs[0].quantity_base);
    expect(share).to.be.within(0.24, 0.26);
    const mine = await call('list_positions', { mine_only: true });
    expect(mine.data.positions).to.have.length(2);
    expect(mine.text)
      .to.include('2 OPEN position(s) of which a part is yours')
      .and.include('; a part is yours');
    const closed = await call('list_positions', { mine_only: true, status: 'CLOSED' });
    expect(closed.data.error.fields[0].field).to.equal('mine_only');

    const { data: whole, text } = await call('get_portfolio');
    expect(whole.open_positions).to.equal(3);
    expect(whole.yours.open_positions).to.equal(2);
    expect(Number(whole.yours.gross_usd)).to.be.within(195, 205);
    expect(Number(whole.yours.net_usd)).to.be.within(-5, 5);
    expect(Number(whole.gross_usd)).to.be.greaterThan(2_400);
    expect(text).to.include('Of it yours: 2 position(s)');

    expect((await call('list_activity', { kind: 'approvals' })).data.rows).to.deep.equal([]);
    const asked = await place({ long: ['BTC-PERP'], long_usd: '400' });
    expect(asked.data.outcome, asked.text).to.equal('WAITING_FOR_USER');
    const { rows } = (await call('list_activity', { kind: 'approvals' })).data;
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({ kind: 'approval', id: asked.data.id, outcome: 'WAITING_FOR_USER' });
  });

  it('is not kept apart for a key without a mandate: it says so', async () => {
    const call = await clientOf({ 'x-api-key': bot.key });
    expect((await call('get_portfolio')).data.yours).to.equal(null);
    const { positions } = (await call('list_positions')).data;
    expect(positions[0].owner).to.equal(null);
    expect((await call('list_positions', { mine_only: true })).data.positions).to.deep.equal([]);
    expect((await call('list_activity', { kind: 'approvals' })).data.rows).to.deep.equal([]);
  });
});
