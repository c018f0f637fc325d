/** A preview's content before anything is ordered: sizes, prices, the agent's limits, and the account afterwards. */
import { expect } from 'chai';
import { gatewayForSuite } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { PAIR, trader } from '../support/trader.ts';

describe('previews of MCP', () => {
  const gateway = gatewayForSuite();
  let nth = 0;
  const bot = openForEachTest(() => trader(gateway, { email: `ada${++nth}@example.test` }));
  const client = openForEachTest(() => newClient(gateway.url, { 'x-api-key': bot.key }));
  // The client checks results against the output schemas that it was told.
  beforeEach(() => client.listTools());

  const call = (tool: string, args: Record<string, unknown> = {}) => callTool(client, tool, args);
  const pair = (over: Record<string, unknown> = {}) => ({
    account: bot.accountId,
    long: ['BTC-PERP'],
    short: ['ETH-PERP'],
    long_usd: '500',
    short_usd: '500',
    ...over,
  });

  it('sizes, prices and judges, and orders nothing', async () => {
    const { data, text } = await call('preview_basket', pair());
    expect(data).to.deep.include({
      verdict: 'NO_LIMITS',
      summary: 'LONG 500 USD BTC-PERP, SHORT 500 USD ETH-PERP, now, paper: PLAY MONEY',
    });
    expect(data.legs).to.have.length(2);
    const [long, short] = data.legs;
    expect(Number(long.worst_price_usd)).to.be.greaterThan(Number(long.mark_usd));
    expect(Number(short.worst_price_usd)).to.be.lessThan(Number(short.mark_usd));
    expect(text.split('\n')[0]).to.equal(
      'PREVIEW, NOTHING ORDERED. Allowed: no limits set for this connection.',
    );
    expect((await bot.call('GET', '/executions')).json.executions).to.deep.equal([]);
  });

  it('that the venue would refuse has no preview_id', async () => {
    const { data } = await call('preview_basket', pair({ long_usd: '1', short_usd: '1' }));
    expect(data).to.deep.include({ verdict: 'REFUSED', preview_id: null });
    expect(data.verdict_words).to.match(/below the venue's minimum/);
  });

  it('says which size is missing, and which field of a style', async () => {
    const none = await call('preview_basket', { account: bot.accountId, long: ['BTC-PERP'] });
    expect(none.data.error.fields[0].field).to.equal('long_usd');
    const when = await call('preview_basket', pair({ style: 'when', when_metric: 'PRICE_RATIO' }));
    expect(when.data.error.code).to.equal('VALIDATION_ERROR');
    expect(JSON.stringify(when.data.error.fields)).to.include('condition.');
  });

  it('is over after two minutes in which 64 others are made @long', async () => {
    const first = await call('preview_basket', pair());
    for (let made = 0; made < 64; made += 1) await call('preview_basket', pair());
    const { preview_id, summary } = first.data;
    const late = await call('place_order', { preview_id, summary, reason: 'late' });
    expect(late.data).to.deep.include({ outcome: 'NOTHING_ORDERED', money_moved: 'no' });
  });

  it('says what the account would be after it, as the dry run does; what does not trade now says nothing', async () => {
    const { data, text } = await call('preview_basket', pair());
    const legs = [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
    ];
    const dryRun = await bot.call('POST', '/trade/open', { type: 'MARKET', legs, dryRun: true });
    const told: Json = dryRun.json.plan.after;
    const after: Json = data.account_after;
    expect(Number(after.margin_used_usd)).to.be.closeTo(Number(told.marginUsed), 2);
    expect(Number(after.free_margin_usd)).to.be.closeTo(Number(told.freeMargin), 2);
    expect(Number(after.maintenance_margin_usd)).to.be.closeTo(Number(told.maintenanceMargin), 0.5);
    expect(Number(after.margin_ratio_pct)).to.be.closeTo(Number(told.marginRatio) * 100, 0.001);
    expect(after.liquidation_prices.map(({ instrument }: Json) => instrument)).to.deep.equal([
      'BTC-PERP',
      'ETH-PERP',
    ]);
    expect(text).to.match(
      /^Account after it: margin [\d.]+ USD used, [\d.]+ USD free; margin ratio [\d.]+ %/m,
    );
    const waits = await call(
      'preview_basket',
      pair({ style: 'when', when_metric: 'PRICE_RATIO', when_direction: 'MORE_THAN', when_value: '9999' }),
    );
    expect(waits.data.account_after, waits.text).to.equal(null);
    expect(waits.text).not.to.include('Account after it');
  });

  it('of a change shows the quantities of its plan, of a reversal both halves', async () => {
    const { positionId } = await bot.open(PAIR);
    const change = async (over: Record<string, unknown>): Promise<Json> =>
      (await call('preview_change', { account: bot.accountId, position_id: positionId, ...over })).data;
    const plan = (path: string, body: object): Promise<Json> =>
      bot.expect('POST', `/positions/${positionId}/${path}/plan`, body);
    const traded = ({ legs }: Json) =>
      legs.map((leg: Json) => [
        leg.instrument ?? leg.symbol,
        leg.side,
        leg.quantity_base ?? leg.quantity,
        leg.worst_price_usd === undefined ? leg.limitPrice : leg.worst_price_usd,
      ]);
    const slippage = { slippage_pct: '1' };
    const bound = { slippage: '0.01' };
    const part = await plan('close', { fraction: '0.333', ...bound });
    expect(traded(await change({ action: 'close', pct: '33.3', ...slippage }))).to.deep.equal(traded(part));
    const less = await plan('adjust', { intent: 'REDUCE', usd: '77.77', ...bound });
    expect(traded(await change({ action: 'reduce', usd: '77.77', ...slippage }))).to.deep.equal(
      traded(less.close),
    );
    const more = await plan('adjust', { intent: 'INCREASE', usd: '77.77', ...bound });
    expect(traded(await change({ action: 'increase', usd: '77.77', ...slippage }))).to.deep.equal(
      traded(more.open),
    );
    const { close, open } = await plan('reverse', { ...bound, brackets: 'DROP' });
    expect(traded(await change({ action: 'reverse', ...slippage }))).to.deep.equal([
      ...traded(close),
      ...traded(open),
    ]);
  });

  it('of a change that would trade nothing has no preview_id', async () => {
    const { positionId } = await bot.open(PAIR);
    for (const [change, why] of [
      [{ action: 'rebalance' }, /nothing to rebalance: BTC-PERP ZERO_QUANTITY/],
      [{ action: 'close', pct: '0.001' }, /below one quantity step/],
      [{ action: 'increase', usd: '0.01' }, /quantity step|minimum/],
    ] as const) {
      const { data } = await call('preview_change', {
        account: bot.accountId,
        position_id: positionId,
        ...change,
      });
      expect(data, JSON.stringify(change)).to.deep.include({ verdict: 'REFUSED', preview_id: null });
      expect(data.verdict_words).to.match(why);
    }
  });

  it('of a change says so too: after a close nothing is held, after a reversal as much as before', async () => {
    const opened = await bot.open(PAIR);
    const change = async (over: Record<string, unknown>): Promise<Json> =>
      (
        await call('preview_change', {
          account: bot.accountId,
          position_id: opened.positionId,
          ...over,
        })
      ).data;
    const closed = (await change({ action: 'close' })).account_after;
    expect(closed).to.deep.include({ margin_used_usd: '0', margin_ratio_pct: null });
    expect(closed.liquidation_prices.map((one: Json) => one.price_usd)).to.deep.equal([null, null]);
    const turned = (await change({ action: 'reverse' })).account_after;
    const more = (await change({ action: 'increase', pct: '100' })).account_after;
    expect(Number(turned.margin_used_usd)).to.be.above(0);
    expect(Number(more.margin_used_usd)).to.be.closeTo(2 * Number(turned.margin_used_usd), 5);
    expect(
      (await change({ action: 'protect', stop_loss_metric: 'PERCENTAGE', stop_loss_value: '5' }))
        .account_after,
    ).to.equal(null);
  });
});
