/** `onLegFailure` of orders that an agent previews, or that a person is asked about. */
import { expect } from 'chai';
import { askedDeskForEachTest, LARGE } from '../support/asked-desk.ts';
import { gatewayForEachTest } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { traderForEachTest } from '../support/trader.ts';

const FAR = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1000000' };
const WORDS = {
  KEEP: 'What filled stays',
  UNWIND: 'What filled is closed again',
  RETRY: 'It is tried again',
} as const;

describe('onLegFailure where a person is asked', () => {
  const desk = askedDeskForEachTest();
  beforeEach(async () => {
    desk.mandates.set(desk.keyId, { mandate: { maxOpenedUsd24h: null } });
  });

  const TRIGGER = { legs: LARGE, condition: FAR };
  const TWAP = { legs: LARGE, durationSeconds: 600, intervalSeconds: 60 };
  const CASES: readonly (readonly [string, string, object, keyof typeof WORDS])[] = [
    ['a trigger that does not say', '/triggers', TRIGGER, 'RETRY'],
    ['a trigger', '/triggers', { ...TRIGGER, onLegFailure: 'UNWIND' }, 'UNWIND'],
    ['a TWAP', '/schedules', { ...TWAP, onLegFailure: 'KEEP' }, 'KEEP'],
  ];
  for (const [name, path, body, policy] of CASES) {
    it(`${name}: it is shown, and what is approved does it`, async () => {
      const asked = await desk.bot.call('POST', path === '/triggers' ? '/triggers/open' : path, body);
      const shown = await desk.read(asked.json.details.approvalId);
      expect(shown.terms).to.deep.include({ name: 'If a leg fails', value: WORDS[policy] });
      const approved = await desk.approve(shown.id, shown.planHash);
      expect(approved.status, approved.text).to.equal(200);
      const made = (await desk.bot.call('GET', `${path}/${approved.json.madeId}`)).json;
      expect(made.onLegFailure).to.equal(policy);
    });
  }
});

describe('on_leg_failure of the tools of MCP', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);
  const client = openForEachTest(() => newClient(gateway.url, { 'x-api-key': bot.key }));

  const ordered = async (over: object): Promise<Json> => {
    const legs = { long: ['BTC-PERP'], short: ['ETH-PERP'], long_usd: '500', short_usd: '500' };
    const preview = await callTool(client, 'preview_basket', { account: bot.accountId, ...legs, ...over });
    const { preview_id, summary } = preview.data;
    return (await callTool(client, 'place_order', { preview_id, summary, reason: 'a test' })).data;
  };

  it('is that of what waits and of slices too, by default as the routes have it', async () => {
    const slices = { style: 'over_time', over_time_seconds: 600, over_time_interval_seconds: 60 };
    const when = {
      style: 'when',
      when_metric: 'PRICE_RATIO',
      when_direction: 'MORE_THAN',
      when_value: '9999',
    };
    for (const [path, over, expected] of [
      ['/triggers', when, 'RETRY'],
      ['/triggers', { ...when, on_leg_failure: 'KEEP' }, 'KEEP'],
      ['/schedules', slices, 'RETRY'],
      ['/schedules', { ...slices, on_leg_failure: 'UNWIND' }, 'UNWIND'],
    ] as const) {
      const { id } = await ordered(over);
      expect((await bot.call('GET', `${path}/${id}`)).json.onLegFailure).to.equal(expected);
    }
  });

  it('of a close is KEEP or RETRY: the preview refuses UNWIND', async () => {
    const position_id = (await ordered({})).position_id;
    const change = (on_leg_failure: string) => {
      const asked = { account: bot.accountId, position_id, action: 'close', on_leg_failure };
      return callTool(client, 'preview_change', asked);
    };
    const refused = await change('UNWIND');
    expect(refused.isError).to.equal(true);
    expect(refused.text).to.include('KEEP or RETRY');
    const { preview_id, summary } = (await change('KEEP')).data;
    const closed = await callTool(client, 'place_order', { preview_id, summary, reason: 'a test' });
    const { execution } = (await bot.call('GET', `/executions/${closed.data.id}`)).json;
    expect(execution.onLegFailure).to.equal('KEEP');
  });
});
