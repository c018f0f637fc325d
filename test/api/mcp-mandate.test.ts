/** The tools that trade, of an agent with a mandate: what its limits allow, what its user decides, what it may never do. */
import { expect } from 'chai';
import { connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient, type ToolAnswer } from '../support/mcp-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { traderForEachTest } from '../support/trader.ts';

/** Up to 500 USD a basket; its user is asked above 250. */
describe('trading tools of MCP under a mandate', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);
  const agent = openForEachTest(() => {
    const mandate = smallMandate(bot.accountId);
    return connectAgent(gateway, bot, consentVisitor(gateway), { consent: { mandate } });
  });
  const client = openForEachTest(() =>
    newClient(gateway.url, { authorization: `Bearer ${agent.accessToken}` }),
  );
  // The client checks results against the output schemas that it was told.
  beforeEach(() => client.listTools());

  const call = (tool: string, args: Record<string, unknown> = {}) => callTool(client, tool, args);
  const preview = (usd: string) =>
    call('preview_basket', { account: bot.accountId, long: ['BTC-PERP'], long_usd: usd });
  const place = ({ data }: ToolAnswer) =>
    call('place_order', { preview_id: data.preview_id, summary: data.summary, reason: 'it is <b>cheap</b>' });
  const own = (method: string, path: string, body?: unknown) =>
    gateway.request(method, path, { headers: { authorization: `Bearer ${bot.accessToken}` }, body });
  const executions = async (): Promise<Json[]> => (await bot.call('GET', '/executions')).json.executions;

  async function waiting(): Promise<Json> {
    const { approvals } = (await own('GET', '/approvals')).json;
    expect(approvals).to.have.length(1);
    return approvals[0];
  }
  async function asked(): Promise<{ readonly shown: ToolAnswer; readonly answer: ToolAnswer }> {
    const shown = await preview('400');
    expect(shown.data.verdict, shown.text).to.equal('NEEDS_APPROVAL');
    const answer = await place(shown);
    expect(answer.data, answer.text).to.deep.include({ outcome: 'WAITING_FOR_USER', money_moved: 'no' });
    expect(await executions()).to.deep.equal([]);
    return { shown, answer };
  }

  it('says which accounts it may trade on, of those that it sees', async () => {
    expect((await call('whoami')).text).to.contain('allowed to trade on 1 account(s)');
    const made = await own('POST', '/trade-accounts', { alias: 'Another', connector: 'paper' });
    expect(made.status, made.text).to.equal(201);
    const { text } = await call('whoami');
    expect(text).to.contain('allowed to trade on 1 of 2 account(s)');
    expect(text).to.match(new RegExp(`account ${made.json.id} .*not yours to trade`));
  });

  it('what the limits allow is ordered', async () => {
    const shown = await preview('200');
    expect(shown.data.verdict, shown.text).to.equal('ALLOWED');
    const answer = await place(shown);
    expect(answer.data.outcome, answer.text).to.equal('FILLED');
    const [execution] = await executions();
    expect(execution.authority.kind).to.equal('oauth_grant');
  });

  it('what is too large is refused with the limit, before and at the order', async () => {
    const shown = await preview('600');
    expect(shown.data, shown.text).to.deep.include({ verdict: 'REFUSED', preview_id: null });
    expect(shown.data.verdict_words).to.match(/500/);
    expect(await executions()).to.deep.equal([]);
  });

  it('what is asked waits, is filled once its user approves, and the same preview tells so', async () => {
    const { shown, answer } = await asked();
    const approval = await waiting();
    expect(approval.says).to.equal('it is <b>cheap</b>');
    const waited = call('wait_for', { id: answer.data.id, seconds: 20 });
    const decided = await own('POST', `/approvals/${approval.id}/approve`, { planHash: approval.planHash });
    expect(decided.status, decided.text).to.equal(200);
    const seen = await waited;
    expect(seen.data.outcome, seen.text).to.be.oneOf(['ACCEPTED_NOT_FILLED', 'FILLED']);
    const [execution] = await executions();
    expect((await bot.ended(execution.id)).status).to.equal('COMPLETED');
    expect((await place(shown)).data).to.deep.include({ outcome: 'FILLED', money_moved: 'yes' });
    expect(await executions()).to.have.length(1);
  });

  it('counts a pair as the question to its user does: a purchase at its worst price, a sale at its mark @long', async () => {
    const size = { long: ['BTC-PERP'], short: ['ETH-PERP'], long_usd: '200', short_usd: '200' };
    const shown = await call('preview_basket', { account: bot.accountId, ...size, slippage_pct: '1' });
    expect(shown.data.verdict, shown.text).to.equal('NEEDS_APPROVAL');
    const counted = Number(shown.data['counts_as_usd']);
    const [bought, sold] = (shown.data['legs'] as Json[]).map(({ notional_usd }) => Number(notional_usd));
    expect(counted).to.be.closeTo((bought ?? 0) * 1.01 + (sold ?? 0), 0.5);
    expect(shown.text).to.contain(`Counts as ${shown.data['counts_as_usd']} USD for the limits`);
    await place(shown);
    const { plan } = await waiting();
    // The marks may have moved a little since.
    expect(Number(plan.worstUsd)).to.be.closeTo(counted, 0.5);
    const [long, short] = plan.legs;
    expect(Number(long.worstUsd)).to.be.closeTo(Number(long.quantity) * Number(long.mark) * 1.01, 1e-6);
    expect(Number(short.worstUsd)).to.be.closeTo(Number(short.quantity) * Number(short.mark), 1e-6);
  });

  it('what its user denies is said to be denied, and never ordered', async () => {
    const { shown, answer } = await asked();
    const { id } = await waiting();
    expect((await own('POST', `/approvals/${id}/deny`)).status).to.equal(200);
    const seen = await call('get_status', { id: answer.data.id });
    expect(seen.data, seen.text).to.deep.include({ outcome: 'DENIED', money_moved: 'no' });
    expect((await place(shown)).data).to.deep.include({ outcome: 'DENIED', money_moved: 'no' });
    expect(await executions()).to.deep.equal([]);
  });

  it('an agent that pauses itself is let go on by its user alone', async () => {
    const shown = await preview('200');
    const paused = await call('pause_me', { reason: 'the market is odd' });
    expect(paused.isError, paused.text).to.equal(false);
    expect((await place(shown)).data).to.deep.include({ outcome: 'NOTHING_ORDERED', money_moved: 'no' });
    expect((await call('whoami')).data.paused).to.not.equal(null);
    const [agent] = (await own('GET', '/agents')).json.agents.filter(
      (one: Json) => one.kind === 'oauth_grant',
    );
    expect((await own('POST', `/agents/${agent.id}/resume`)).status).to.equal(200);
    expect((await place(await preview('200'))).data.outcome).to.equal('FILLED');
  });
});
