/** Records of an agent that need no approval: previews refused by its limits, and its reasons for placed orders. */
import { expect } from 'chai';
import { type Agent, type Caller, connectAgent, signedIn } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { traderForEachTest, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const REASON = 'The spread is wide';

describe('the record of an agent', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);
  let user: Caller;
  let agent: Agent;
  let client: Awaited<ReturnType<typeof newClient>>;
  beforeEach(async () => {
    user = signedIn(gateway, bot);
    const mandate = smallMandate(bot.accountId, {
      runaway: { refusals: 3, reopenings: null, feesUsd: null },
    });
    agent = await connectAgent(gateway, bot, consentVisitor(gateway), { consent: { mandate } });
    client = await newClient(gateway.url, { authorization: `Bearer ${agent.accessToken}` });
  });
  afterEach(async () => {
    await client.close();
  });

  const preview = (longUsd: string) =>
    callTool(client, 'preview_basket', { account: bot.accountId, long: ['BTC-PERP'], long_usd: longUsd });
  const refused = async (): Promise<Json[]> =>
    (await user.call('GET', `/agents/${agent.grantId}/refused`)).json.refused;
  const reasons = async (by = user): Promise<Json[]> => {
    const { auditEntries } = (await by.call('GET', '/audit-log')).json;
    return auditEntries.filter(({ action }: Json) => action === 'agent.order.placed');
  };

  it('previews that its limits refuse are shown and counted, and too many of them stop it', async () => {
    for (let times = 0; times < 2; times += 1)
      expect((await preview('5000')).data.verdict).to.equal('REFUSED');
    const [line] = await refused();
    expect(line).to.deep.include({
      route: 'POST /trade/open',
      tradeAccountId: bot.accountId,
      preview: true,
      count: 2,
      legs: [{ symbol: 'BTC-PERP', side: 'BUY' }],
    });
    expect(line.limits.map(({ limit }: Json) => limit)).to.include('maxOrderUsd');
    await agent.call('POST', '/trade/open', { type: 'MARKET', legs: [usd('BTC', 'BUY', '5000')] });
    expect((await refused()).map((one) => one.preview)).to.deep.equal([false, true]);
    await until(gateway.clock, 'the agent is suspended', async () => {
      const [known] = (await user.call('GET', '/agents')).json.agents;
      return known.suspended !== null;
    });
  });

  it('why it placed something is kept, once, over a restart, also where nobody was asked', async () => {
    const shown = await preview('200');
    expect(shown.data.verdict, shown.text).to.equal('ALLOWED');
    const { preview_id, summary } = shown.data;
    const order = { preview_id, summary, reason: REASON };
    const placed = await callTool(client, 'place_order', order);
    expect(placed.data.outcome, placed.text).to.equal('FILLED');
    await callTool(client, 'place_order', order);
    const closing = await callTool(client, 'preview_change', {
      account: bot.accountId,
      position_id: placed.data.position_id,
      action: 'close',
    });
    const close = { preview_id: closing.data.preview_id, summary: closing.data.summary, reason: 'Enough' };
    const closed = await callTool(client, 'place_order', close);
    const expected = [
      [closed.data.id, 'Enough'],
      [placed.data.id, REASON],
    ];
    const said = (entries: Json[]) => entries.map(({ subjectId, says }) => [subjectId, says]);
    expect(said(await reasons())).to.deep.equal(expected);
    expect((await reasons())[0]).to.deep.include({ method: 'oauth_grant', client: agent.clientId });
    await client.close();
    await gateway.restart();
    expect(said(await reasons(user))).to.deep.equal(expected);
  });

  it('a program says it in a header; a dry run and an order without one leave no entry', async () => {
    const send = (body: object, says?: string) =>
      gateway.request('POST', '/trade/open', {
        headers: {
          'x-api-key': bot.key,
          'x-trade-account-id': bot.accountId,
          ...(says === undefined ? {} : { 'agent-reason': encodeURIComponent(says) }),
        },
        body: { type: 'MARKET', legs: [usd('ETH', 'BUY', '100')], ...body },
      });
    await send({ dryRun: true }, REASON);
    const quiet = await send({});
    await bot.ended(quiet.json.execution.id);
    const told = await send({}, REASON);
    expect(told.status, told.text).to.equal(202);
    expect((await reasons()).map(({ subjectId, says }) => [subjectId, says])).to.deep.equal([
      [told.json.execution.id, REASON],
    ]);
  });
});
