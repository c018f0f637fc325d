/** Alerts of agents: set, listed, changed, waited for and cancelled by tools; they order nothing and have a bound of their own. */
import { expect } from 'chai';
import { ALERTS_OF_AGENT } from '../../gateway/contract/alerts.ts';
import { connectAgent } from '../support/agents.ts';
import { consentVisitor } from '../support/consent-visitor.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { smallMandate } from '../support/small-mandate.ts';
import { traderForEachTest } from '../support/trader.ts';

const PAIR = { long: ['BTC-PERP'], short: ['ETH-PERP'] };
/** Never met. */
const FAR = { when_metric: 'PRICE_RATIO', when_direction: 'MORE_THAN', when_value: '98000000', ...PAIR };

describe('alert tools of MCP', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);
  let agent: Awaited<ReturnType<typeof connectAgent>>;
  let client: Awaited<ReturnType<typeof newClient>>;
  beforeEach(async () => {
    // One that may hardly do anything: an alert is not among what limits are about.
    const mandate = smallMandate(bot.accountId, { maxResting: 1, instruments: ['SOL-PERP'], kinds: ['now'] });
    agent = await connectAgent(gateway, bot, consentVisitor(gateway), { consent: { mandate } });
    client = await newClient(gateway.url, { authorization: `Bearer ${agent.accessToken}` });
    // The client checks results against the output schemas that it was told.
    await client.listTools();
  });
  afterEach(async () => {
    await client.close();
  });
  const call = (tool: string, args: Record<string, unknown> = {}) => callTool(client, tool, args);
  const set = (over: Record<string, unknown> = {}) =>
    call('set_alert', { account: bot.accountId, ...FAR, ...over });
  const listed = async (over: Record<string, unknown> = {}): Promise<Json[]> =>
    (await call('list_alerts', { account: bot.accountId, ...over })).data.alerts;

  it('sets one, which its user sees as the agent’s, moves it, and cancels it', async () => {
    const { data, text, isError } = await set();
    expect(isError, text).to.equal(false);
    expect(text.split('\n')[0]).to.equal(
      'ALERT SET: the user is told once. Nothing is ordered. Money moved: no.',
    );
    expect(text).to.include('PLAY MONEY').and.include('LONG BTC-PERP, SHORT ETH-PERP (MARK) rises above');
    const { id } = data.alert;
    const stored = (await bot.call('GET', `/alerts/${id}`)).json;
    expect(stored).to.deep.include({
      status: 'ACTIVE',
      condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '98000000' },
    });
    expect(stored.authority.kind).to.equal('oauth_grant');
    const [row, ...others] = await listed();
    expect(others).to.deep.equal([]);
    // The market goes on.
    expect({ ...row, last_value: null }).to.deep.equal({ ...data.alert, last_value: null });
    expect((await call('get_status', { id })).data).to.deep.include({
      outcome: 'RESTING',
      kind: 'alert',
      money_moved: 'no',
      placed_by: 'you',
    });
    const moved = await call('change_alert', {
      id,
      when_value: '97000000',
      when_expires_at: '2099-01-01T00:00:00Z',
    });
    expect(moved.data.alert, moved.text).to.deep.include({
      level: '97000000',
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    const never = await call('change_alert', { id, when_expires_at: 'never' });
    expect(never.data.alert).to.deep.include({ level: '97000000', expires_at: null });
    expect((await call('cancel', { ids: [id] })).data.rows).to.deep.equal([
      { id, cancelled: true, what: 'cancelled, nothing was traded' },
    ]);
    expect(await listed()).to.deep.equal([]);
    expect((await listed({ status: 'ended' })).map(({ status }) => status)).to.deep.equal(['CANCELLED']);
    const { usage } = (await agent.call('GET', '/agents/me')).json;
    expect(usage).to.include({ resting: 0, ordersLastDay: 0, openedUsd24h: '0' });
  });

  it('names the prediction market that one is of @long', async () => {
    const { data, text } = await set({
      ...{ long: [], short: [], when_metric: 'PREDICTION_MARKET_OUTCOME', when_value: '99.9' },
      ...{ when_source: 'paper-predictions', when_market_key: 'fed-cut-next-meeting' },
    });
    expect(data.alert.condition, text).to.include('of paper-predictions/fed-cut-next-meeting (MARK) rises');
  });

  it('is waited for, and told: that is no order @long', async () => {
    const { id } = (await set({ when_value: '0.001', allow_immediate: true })).data.alert;
    let seen = await call('wait_for', { id, seconds: 20 });
    // Told before it was waited for, or while.
    if (seen.data.outcome === 'RESTING') seen = await call('wait_for', { id, seconds: 20 });
    expect(seen.data, seen.text).to.deep.include({
      outcome: 'NOTHING_ORDERED',
      kind: 'alert',
      money_moved: 'no',
    });
    expect(seen.data.reason).to.match(/^It was told at /);
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    expect(notifications.filter((one: Json) => one.category === 'ALERT_HIT')).to.have.length(1);
    expect((await listed({ status: 'all' }))[0]).to.deep.include({ id, status: 'TOLD' });
    const late = await call('change_alert', { id, when_value: '9' });
    expect([late.isError, late.data.error.code]).to.deep.equal([true, 'NOOP_ERROR']);
  });

  it('names what is wrong by the fields of the tool', async () => {
    const fields = ({ data }: { data: Json }) => data.error.fields.map(({ field }: Json) => field);
    expect(fields(await set({ when_value: '0.001' }))).to.deep.equal(['when_value']);
    expect(fields(await set({ long: ['NOPE-PERP'] }))).to.deep.equal(['long, short.0.symbol']);
    expect(fields(await set({ when_value: undefined }))).to.deep.equal(['when_value']);
    const weighted = { when_metric: 'WEIGHTED_RATIO', when_value: '98000000' };
    for (const weights of [['1'], ['0.5', '0.5', '0.2'], []])
      expect(fields(await set({ ...weighted, weights })), `${weights}`).to.deep.equal(['weights']);
    expect((await set({ ...weighted, weights: ['0.5', '0.5'] })).isError).to.equal(false);
    expect(fields(await set({ when_expires_at: '2001-01-01T00:00:00Z' }))).to.deep.equal(['when_expires_at']);
    const { id } = (await set()).data.alert;
    expect(fields(await call('change_alert', { id, when_value: '0.001' }))).to.deep.equal(['when_value']);
    expect((await call('change_alert', { id })).data.error.code).to.equal('VALIDATION_ERROR');
  });

  it('touches none of its user, and has no more than its own places', async () => {
    const condition = { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' };
    const { id } = (await bot.call('POST', '/alerts', { condition })).json;
    expect((await listed()).map((one) => [one['id'], one['placed_by']])).to.deep.equal([[id, 'the user']]);
    const stolen = await call('change_alert', { id, when_value: '98000000' });
    expect([stolen.isError, stolen.data.error.code]).to.deep.equal([true, 'RESOURCE_NOT_FOUND']);
    expect((await call('cancel', { ids: [id] })).data.rows[0].cancelled).to.equal(false);
    for (let count = 0; count < ALERTS_OF_AGENT.waiting; count += 1)
      expect((await set()).isError).to.equal(false);
    const more = await set();
    expect([more.isError, more.data.error.code], more.text).to.deep.equal([true, 'RESOURCE_BUSY']);
    expect(more.data.error.do).to.include('list_alerts');
    // All of its own, and nothing else.
    const { rows } = (await call('cancel', { all_mine: true })).data;
    expect(rows).to.have.length(ALERTS_OF_AGENT.waiting);
    expect((await listed()).map((one) => one['id'])).to.deep.equal([id]);
    expect((await set()).isError).to.equal(false);
  });
});
