/** The tools that trade, through a client of MCP: what was previewed is ordered, once, at no worse price. */
import { expect } from 'chai';
import { gatewayForEachTest, startTestGateway, whileTimePasses } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient, type ToolAnswer } from '../support/mcp-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { trader, traderForEachTest, traderOn } from '../support/trader.ts';
import { until } from '../support/until.ts';

describe('trading tools of MCP', () => {
  const gateway = gatewayForEachTest();
  const bot = traderForEachTest(gateway);
  const client = openForEachTest(() => newClient(gateway.url, { 'x-api-key': bot.key }));
  beforeEach(async () => {
    // The client checks results against the output schemas that it was told.
    await client.listTools();
  });

  const call = (tool: string, args: Record<string, unknown> = {}) => callTool(client, tool, args);
  const venue = () => gateway.gateway.paperVenue('paper');
  const pair = (over: Record<string, unknown> = {}) => ({
    account: bot.accountId,
    long: ['BTC-PERP'],
    short: ['ETH-PERP'],
    long_usd: '500',
    short_usd: '500',
    ...over,
  });
  const place = ({ data }: ToolAnswer, over: Record<string, unknown> = {}) =>
    call('place_order', {
      preview_id: data.preview_id,
      summary: data.summary,
      reason: 'the spread is wide',
      ...over,
    });
  const change = (position: Json, over: Record<string, unknown>) =>
    call('preview_change', { account: bot.accountId, position_id: position.id, ...over });
  async function ordered(preview: ToolAnswer): Promise<Json> {
    expect(preview.isError, preview.text).to.equal(false);
    expect(preview.data.preview_id, preview.text).to.be.a('string');
    return (await place(preview)).data;
  }
  async function opened(): Promise<Json> {
    expect((await ordered(await call('preview_basket', pair()))).outcome).to.equal('FILLED');
    const [position] = await bot.positions();
    return position;
  }

  describe('placing', () => {
    it('orders what was previewed, once, whatever how often it is asked for', async () => {
      const preview = await call('preview_basket', pair());
      const [first, second] = await Promise.all([place(preview), place(preview)]);
      const third = await place(preview);
      expect(third.data.outcome).to.equal('FILLED');
      expect([first.data.outcome, second.data.outcome]).to.include('FILLED');
      const { executions } = (await bot.call('GET', '/executions')).json;
      expect(executions).to.have.length(1);
      expect(third.data.id).to.equal(executions[0].id);
      const quantities = executions[0].orders.map((order: Json) => order.quantity);
      expect(quantities).to.deep.equal(preview.data.legs.map((leg: Json) => leg.quantity_base));
      const found = await call('get_status', { id: preview.data.preview_id });
      expect(found.data).to.deep.include({ outcome: 'FILLED', id: executions[0].id });
    });

    it('refuses another summary, and a preview of another caller', async () => {
      const preview = await call('preview_basket', pair());
      const other = await place(preview, { summary: 'LONG 1 USD BTC-PERP, now' });
      expect(other.data).to.deep.include({ outcome: 'NOTHING_ORDERED', money_moved: 'no' });
      const { json } = await gateway.request('POST', '/api-keys', {
        headers: { authorization: `Bearer ${bot.accessToken}` },
        body: { label: 'other', scope: 'read_write' },
      });
      const stranger = await newClient(gateway.url, { 'x-api-key': json.key });
      const stolen = await callTool(stranger, 'place_order', {
        preview_id: preview.data.preview_id,
        summary: preview.data.summary,
        reason: 'mine now',
      });
      expect(stolen.data.outcome).to.equal('NOTHING_ORDERED');
      await place(preview);
      const spied = await callTool(stranger, 'get_status', { id: preview.data.preview_id });
      expect(spied.data.error.code).to.equal('RESOURCE_NOT_FOUND');
      await stranger.close();
      expect((await bot.call('GET', '/executions')).json.executions).to.have.length(1);
    });

    it('never fills worse than was previewed: a market that moved 5 % fails it whole', async () => {
      for (const factor of [1.05, 1 / 1.05]) {
        const preview = await call('preview_basket', pair());
        await venue().shock('BTC-PERP', factor);
        const { data, text } = await place(preview);
        if (factor > 1) {
          expect(data).to.deep.include({ outcome: 'FAILED_NOTHING_TRADED', money_moved: 'no' });
          expect(text).to.include('past the worst price that was agreed to');
          expect(text.split('\n')[0]).to.equal('FAILED: nothing was traded. Money moved: no.');
        } else {
          // In its favour: the worst price is not worse than that of the preview.
          expect(data.outcome).to.equal('FILLED');
          const [long] = data.legs;
          const [worst] = preview.data.legs;
          expect(Number(long.average_price_usd)).to.be.at.most(Number(worst.worst_price_usd));
        }
      }
      expect(await bot.positions()).to.have.length(1);
    });

    it('finds its answer again after a restart, and orders nothing a second time', async () => {
      const dataDir = await temporaryFolder();
      const before = await startTestGateway({ dataDir });
      const owner = await trader(before);
      const first = await newClient(before.url, { 'x-api-key': owner.key });
      const preview = await callTool(first, 'preview_basket', pair({ account: owner.accountId }));
      const asked = { preview_id: preview.data.preview_id, summary: preview.data.summary, reason: 'once' };
      const placed = await callTool(first, 'place_order', asked);
      await first.close();
      await before.close();
      const after = await startTestGateway({ dataDir });
      try {
        const again = await newClient(after.url, { 'x-api-key': owner.key });
        const { data } = await callTool(again, 'place_order', asked);
        expect(data).to.deep.include({ outcome: 'FILLED', id: placed.data.id });
        const status = await callTool(again, 'get_status', { id: preview.data.preview_id });
        expect(status.data.id).to.equal(placed.data.id);
        const { executions } = (await traderOn(after, owner).call('GET', '/executions')).json;
        expect(executions).to.have.length(1);
        await again.close();
      } finally {
        await after.close();
      }
    });
  });

  describe('every kind of order', () => {
    it('when a condition is met: rests, and is cancelled', async () => {
      const preview = await call(
        'preview_basket',
        pair({
          style: 'when',
          when_metric: 'PRICE_RATIO',
          when_direction: 'LESS_THAN',
          when_value: '1',
          take_profit_metric: 'PERCENTAGE',
          take_profit_value: '5',
          stop_loss_metric: 'PERCENTAGE',
          stop_loss_value: '2',
        }),
      );
      expect(preview.data.summary).to.equal(
        'LONG 500 USD BTC-PERP, SHORT 500 USD ETH-PERP, when PRICE_RATIO falls below 1, take-profit PERCENTAGE 5, stop-loss PERCENTAGE 2, paper: PLAY MONEY',
      );
      const resting = await ordered(preview);
      expect(resting).to.deep.include({ outcome: 'RESTING', money_moved: 'no', kind: 'trigger' });
      const { data } = await call('cancel', { ids: [resting.id] });
      expect(data.rows).to.deep.equal([
        { id: resting.id, cancelled: true, what: 'cancelled, nothing was traded' },
      ]);
      const again = await call('cancel', { ids: [resting.id] });
      expect(again.data.rows[0].what).to.include('it had ended already');
    });

    it('when a z-score is met, and says so @long', async () => {
      const preview = await call(
        'preview_basket',
        pair({
          style: 'when',
          when_metric: 'PRICE_RATIO',
          when_direction: 'LESS_THAN',
          when_value: '-9',
          when_transform: 'Z_SCORE',
          when_lookback_hours: 48,
        }),
      );
      expect(preview.data.summary).to.include('when the Z_SCORE over 48 hours of PRICE_RATIO falls below -9');
      const resting = await ordered(preview);
      expect(resting).to.deep.include({ outcome: 'RESTING', kind: 'trigger' });
      expect(resting.asked).to.include('the Z_SCORE over 48 hours of PRICE_RATIO');
      await call('cancel', { ids: [resting.id] });
    });

    it('over time, and at levels @long', async () => {
      const slices = await ordered(
        await call(
          'preview_basket',
          pair({ style: 'over_time', over_time_seconds: 600, over_time_interval_seconds: 60 }),
        ),
      );
      expect(slices).to.deep.include({ kind: 'schedule' });
      expect(slices.outcome).to.equal('RESTING');
      const ladder = await ordered(
        await call('preview_basket', {
          account: bot.accountId,
          long: ['BTC-PERP'],
          long_usd: '5000',
          style: 'ladder',
          ladder_metric: 'PRICE',
          ladder_direction: 'LESS_THAN',
          ladder_start: '20',
          ladder_end: '10',
          ladder_levels: 5,
        }),
      );
      expect(ladder).to.deep.include({ outcome: 'RESTING', kind: 'ladder' });
      const { data, text } = await call('cancel', { all_mine: true });
      expect(data.rows.map(({ id }: Json) => id)).to.have.members([slices.id, ladder.id]);
      expect(text.split('\n')[0]).to.match(/^CANCELLED [12] of 2\.$/);
    });

    it('in base units and in weights @long', async () => {
      const base = await ordered(
        await call('preview_basket', {
          account: bot.accountId,
          long: ['BTC-PERP'],
          long_base: ['0.01'],
        }),
      );
      expect(base.outcome).to.equal('FILLED');
      const weighted = await ordered(
        await call('preview_basket', {
          account: bot.accountId,
          long: ['BTC-PERP', 'SOL-PERP'],
          short: ['ETH-PERP'],
          total_usd: '1000',
          weights: ['0.25', '0.25', '0.5'],
        }),
      );
      expect(weighted.outcome).to.equal('FILLED');
    });

    it('of an open position: protect, increase, reduce, keep its weights, rebalance, reverse, close', async () => {
      const position = await opened();
      const guarded = await ordered(
        await change(position, { action: 'protect', stop_loss_metric: 'PERCENTAGE', stop_loss_value: '3' }),
      );
      expect(guarded).to.deep.include({ outcome: 'RESTING', kind: 'change', position_id: position.id });
      const [held] = (await call('list_positions', { account: bot.accountId })).data.positions;
      expect(held.stop_loss).to.deep.include({ metric: 'PERCENTAGE', value: '3', status: 'ACTIVE' });
      const outcomes = [
        await ordered(await change(position, { action: 'increase', usd: '200' })),
        await ordered(await change(position, { action: 'reduce', pct: '25' })),
        await ordered(await change(position, { action: 'reverse', carry_protection: false })),
      ].map(({ outcome }) => outcome);
      expect(outcomes).to.deep.equal(['FILLED', 'FILLED', 'FILLED']);
      // The opposite is opened by an execution of its own, which follows the close.
      await until(gateway.clock, 'the opposite position, and nothing on its way', async () => {
        const { executions } = (await bot.call('GET', '/executions?status=ACTIVE')).json;
        return executions.length === 0 && (await bot.positions()).length === 1;
      });
      const weights = await ordered(
        await call('preview_change', {
          account: bot.accountId,
          position_id: (await bot.positions())[0].id,
          action: 'keep_weights',
          keep_weights_min_drift_pct: '5',
        }),
      );
      expect(weights.outcome).to.equal('RESTING');
      const [turned] = await bot.positions();
      await venue().shock('BTC-PERP', 1.2);
      expect(await ordered(await change(turned, { action: 'rebalance', slippage_pct: '2' }))).to.deep.include(
        { outcome: 'FILLED' },
      );
      expect((await ordered(await change(turned, { action: 'close' }))).outcome).to.equal('FILLED');
      expect(await bot.positions()).to.deep.equal([]);
      const gone = await change(turned, { action: 'close' });
      expect(gone.data).to.deep.include({ verdict: 'REFUSED', preview_id: null });
    });

    it('previews say what the order books let expect, of openings and of changes @long', async () => {
      const opening = await call('preview_basket', pair());
      const { legs, expected_cost_usd: cost, expected_slippage_pct: pct } = opening.data;
      for (const leg of legs) expect(Number(leg.expected_price_usd)).to.be.closeTo(Number(leg.mark_usd), 100);
      expect(Number(pct)).to.be.closeTo((100 * Number(cost)) / 1_000, 0.001);
      expect(opening.text).to.match(/Expected slippage by the order books: [\d.-]+ USD/);
      const waiting = await call('preview_basket', pair({ style: 'over_time', over_time_seconds: 600 }));
      expect(waiting.data).to.deep.include({ expected_cost_usd: null, expected_slippage_pct: null });

      const position = await opened();
      for (const over of [
        { action: 'close', pct: '50' },
        { action: 'increase', usd: '200' },
        { action: 'reduce', pct: '25' },
        { action: 'reverse' },
      ]) {
        const { data } = await change(position, over);
        expect(data.expected_cost_usd, over.action).to.be.a('string');
        expect(data.total_fee_usd, over.action).to.be.a('string');
        for (const leg of data.legs) expect(leg.expected_price_usd, over.action).to.be.a('string');
      }
      const later = await change(position, {
        ...{ action: 'close', style: 'when', when_metric: 'PRICE', when_instrument: 'BTC-PERP' },
        ...{ when_direction: 'MORE_THAN', when_value: '99999999' },
      });
      expect(later.data.expected_cost_usd).to.equal(null);
    });

    it('a stop-loss on a z-score, said in words, kept as asked, and refused where no ratio is watched @long', async () => {
      const position = await opened();
      const zScore = {
        ...{ action: 'protect', stop_loss_metric: 'PRICE_RATIO', stop_loss_value: '-9' },
        ...{ stop_loss_transform: 'Z_SCORE', protection_lookback_hours: 48 },
      };
      const preview = await change(position, zScore);
      expect(preview.data.summary).to.include('stop-loss the Z_SCORE over 48 hours of PRICE_RATIO -9');
      expect((await ordered(preview)).outcome).to.equal('RESTING');
      const { stopLoss } = (await bot.call('GET', `/positions/${position.id}`)).json;
      expect(stopLoss).to.deep.include({ type: 'PRICE_RATIO', value: '-9', transform: 'Z_SCORE' });
      expect(Number(stopLoss.lookback)).to.equal(48);
      const wrong = await change(position, { ...zScore, stop_loss_metric: 'DOLLAR' });
      expect([wrong.isError, wrong.text]).to.satisfy(([isError, text]: [boolean, string]) => {
        return isError && text.includes('Only a ratio can be transformed');
      });
    });
  });

  describe('what cannot be misread', () => {
    const faulty = async (
      rules: Parameters<ReturnType<typeof venue>['setFaults']>[0]['rules'],
      over = {},
    ) => {
      const preview = await call('preview_basket', pair(over));
      venue().setFaults({ rules });
      return whileTimePasses(gateway.clock, place(preview));
    };

    it('a leg that is refused: what is held now is said', async () => {
      const { data, text } = await faulty(
        [{ match: { order: 2 }, action: { kind: 'reject', reason: 'other', message: 'not today' } }],
        { on_leg_failure: 'KEEP' },
      );
      expect(data).to.deep.include({ outcome: 'FAILED_PARTLY_TRADED', money_moved: 'yes' });
      expect(data.held_now).to.have.length(1);
      expect(data.held_now[0]).to.deep.include({ instrument: 'BTC-PERP', side: 'BUY' });
      expect(text).to.include('Held now: long').and.include('ETH-PERP SELL: asked');
    });

    it('both legs refused: nothing was traded @long', async () => {
      const action = { kind: 'reject', reason: 'other', message: 'not today' } as const;
      const { data } = await faulty([
        { match: { order: 1 }, action },
        { match: { order: 2 }, action },
      ]);
      expect(data).to.deep.include({ outcome: 'FAILED_NOTHING_TRADED', money_moved: 'no' });
    });

    it('a leg of which nobody hears: whether money moved is not known', async () => {
      const { data } = await faulty([
        { match: { order: 2 }, action: { kind: 'drop_request' } },
        { match: { times: null }, action: { kind: 'lookup_unknown' } },
      ]);
      // Fills are told once the other leg is known too.
      expect(data.outcome).to.be.oneOf(['UNKNOWN', 'ACCEPTED_NOT_FILLED']);
      expect(data.money_moved).to.equal('not_known');
    });

    it('a venue that takes its time: accepted, not filled @long', async () => {
      const { data, text } = await faulty([{ match: {}, action: { kind: 'delay', delayMs: 4_000 } }]);
      expect(data).to.deep.include({ outcome: 'ACCEPTED_NOT_FILLED' });
      expect(text).to.include('Call wait_for with this id. Do not send it again.');
      const waited = await whileTimePasses(gateway.clock, call('wait_for', { id: data.id, seconds: 20 }));
      expect(waited.data).to.deep.include({ outcome: 'FILLED', changed: true });
    });

    it('paused trading: nothing is ordered, and only the user can change that', async () => {
      const preview = await call('preview_basket', pair());
      await bot.call('POST', '/safety/pause');
      const { data } = await place(preview);
      expect(data).to.deep.include({ outcome: 'NOTHING_ORDERED', money_moved: 'no' });
      expect(data.next).to.include('Only the user can resume it');
      expect((await call('whoami')).data.paused).to.equal(true);
    });
  });
});
