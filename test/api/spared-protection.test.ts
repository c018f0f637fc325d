/** Agents' cancels spare protection, and user-paused orders stay paused: MCP and REST, a mandate without approvals. */
import { expect } from 'chai';
import { LADDER } from '../support/asked-desk.ts';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';

const STOP = { type: 'PERCENTAGE', value: '5' };
const GOAL = { type: 'PERCENTAGE', value: '50' };
const FAR = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', value: '10000000' };
const SLICES = { durationSeconds: 3_600, intervalSeconds: 600 };

describe('an agent’s cancel, and its user’s pause', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'ALL' }));
  beforeEach(() => desk.asksWhen('never'));

  async function made(method: string, path: string, body: object): Promise<Json> {
    const answer = await desk.rest(method, path, body);
    expect(answer.status, answer.text).to.be.oneOf([200, 202]);
    return answer.json;
  }
  const opens = { legs: [usd('BTC', 'BUY', '100')], condition: FAR };
  const twap = { legs: [usd('BTC', 'BUY', '1000')], ...SLICES };
  const rowOf = (rows: readonly Json[], id: string) => rows.find((row) => row.id === id);

  it('cancel all_mine spares what protects or reduces, and says what each was and what its position has', async () => {
    const { id, stopLoss, takeProfit } = await desk.opened({ stopLoss: STOP, takeProfit: GOAL }, [
      usd('BTC', 'BUY', '1000'),
    ]);
    const close = `/positions/${id}/close`;
    const trigger = await made('POST', close, { type: 'TRIGGER', condition: FAR });
    const slices = await made('POST', close, { type: 'TWAP', ...SLICES });
    const opening = await made('POST', '/triggers/open', opens);
    const { data, text } = await desk.tool('cancel', { all_mine: true });
    expect(text.split('\n')[0]).to.equal('CANCELLED 1 of 1. KEPT 4 that protect or reduce.');
    expect(rowOf(data.rows, opening.id).cancelled).to.equal(true);
    const kept = [stopLoss.triggerId, takeProfit.triggerId, trigger.id, slices.id];
    expect(data.rows.filter(({ cancelled }: Json) => !cancelled).map((row: Json) => row.id)).to.have.members(
      kept,
    );
    const row = rowOf(data.rows, stopLoss.triggerId);
    expect(row.what).to.match(/^KEPT/);
    expect(row.was).to.include('stop-loss at PERCENTAGE 5');
    expect(row.position_now).to.match(/^Held: long [\d.]+ BTC-PERP\. stop-loss at PERCENTAGE 5 \(ACTIVE\), /);
    for (const path of [`/triggers/${trigger.id}`, `/schedules/${slices.id}`])
      expect((await desk.rest('GET', path)).json.status).to.equal('ACTIVE');
    expect((await desk.position(id)).stopLoss.status).to.equal('ACTIVE');
  });

  it('a cancel that names protection removes it, tells its user, and says that the position has none', async () => {
    const { stopLoss } = await desk.opened({ stopLoss: STOP });
    const { data, text } = await desk.tool('cancel', { ids: [stopLoss.triggerId] });
    const [row] = data.rows;
    expect(row, text).to.deep.include({ id: stopLoss.triggerId, cancelled: true });
    expect(row.position_now).to.include('NO stop-loss');
    expect(text).to.include('NO stop-loss');
    expect(await desk.notices('PROTECTION_LOOSENED')).to.have.length(1);
  });

  it('a cancel that names protection waits for the user where he is asked', async () => {
    desk.asksWhen('above');
    const { id, stopLoss } = await desk.opened({ stopLoss: STOP });
    const { data, text } = await desk.tool('cancel', { ids: [stopLoss.triggerId] });
    expect(text.split('\n')[0]).to.equal('CANCELLED 0 of 1.');
    expect(data.rows[0].cancelled).to.equal(false);
    expect(data.rows[0].what).to.include('waits for your user');
    const [question] = await desk.questions();
    expect((await desk.approve(question)).status).to.equal(200);
    expect((await desk.position(id)).stopLoss).to.equal(null);
    const seen = await desk.tool('get_status', { id: question.id });
    expect(seen.data.outcome, seen.text).to.equal('CANCELLED');
  });

  it('a preview says that less protection needs its user, and more does not', async () => {
    desk.asksWhen('above');
    const { id } = await desk.opened({ stopLoss: STOP, takeProfit: GOAL });
    const preview = (args: object) =>
      desk.tool('preview_change', { account: desk.accountId, position_id: id, ...args });
    const protect = (args: object) => preview({ action: 'protect', ...args });
    expect((await protect({ stop_loss_value: '3' })).data.verdict).to.equal('ALLOWED');
    for (const less of [{ stop_loss_value: '90' }, { remove_stop_loss: true }, { remove_take_profit: true }])
      expect((await protect(less)).data.verdict, JSON.stringify(less)).to.equal('NEEDS_APPROVAL');
    const reversal = await preview({ action: 'reverse', carry_protection: false });
    expect(reversal.data.verdict, reversal.text).to.equal('NEEDS_APPROVAL');
    const shown = await protect({ remove_stop_loss: true });
    const { preview_id, summary } = shown.data;
    const placed = await desk.tool('place_order', { preview_id, summary, reason: 'a test' });
    expect(placed.data, placed.text).to.deep.include({ outcome: 'WAITING_FOR_USER', money_moved: 'no' });
    const [question] = await desk.questions();
    expect((await desk.approve(question)).status).to.equal(200);
    const seen = await desk.tool('get_status', { id: question.id });
    expect(seen.data, seen.text).to.deep.include({ outcome: 'RESTING', money_moved: 'no' });
    const larger = {
      long: ['BTC-PERP'],
      long_usd: '20',
      stop_loss_value: '60',
      existing_protection: 'REPLACE',
    };
    await desk.user('PUT', `/positions/${id}/brackets`, { stopLoss: STOP });
    const basket = await desk.tool('preview_basket', { account: desk.accountId, ...larger });
    expect(basket.data.verdict, basket.text).to.equal('NEEDS_APPROVAL');
  });

  it('the prompt that undoes what it placed keeps protection until the position is closed', async () => {
    const { text } = await desk.prompt('unwind_mine', { account: desk.accountId });
    expect(text).to.include('Keep what protects or reduces a position until the position is closed');
  });

  describe('what its user paused', () => {
    const WAITING: readonly (readonly [what: string, make: () => Promise<string>])[] = [
      ['a trigger', async () => `/triggers/${(await made('POST', '/triggers/open', opens)).id}`],
      ['a TWAP', async () => `/schedules/${(await made('POST', '/schedules', twap)).id}`],
      [
        'a rung of a ladder',
        async () => {
          const ladder = await made('POST', '/ladders', LADDER);
          return `/triggers/${ladder.rungs[0].triggerId}`;
        },
      ],
      ['a stop-loss', async () => `/triggers/${(await desk.opened({ stopLoss: STOP })).stopLoss.triggerId}`],
      [
        'the rebalancing of a position',
        async () => {
          const { id } = await desk.opened({}, [usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')]);
          const terms = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.5' };
          await made('PUT', `/positions/${id}/auto-rebalance`, terms);
          return `/positions/${id}/auto-rebalance`;
        },
      ],
    ];
    for (const [what, make] of WAITING)
      it(`only its user resumes: ${what}`, async () => {
        const path = await make();
        const pausedBy = async () => (await desk.rest('GET', path)).json.pausedBy;
        expect(await pausedBy()).to.equal(null);
        expect((await desk.rest('POST', `${path}/pause`)).status).to.equal(200);
        expect(await pausedBy()).to.equal('AGENT');
        expect((await desk.rest('POST', `${path}/resume`)).status).to.equal(200);
        // The user's pause takes the place of the agent's, and not the other way round.
        await desk.rest('POST', `${path}/pause`);
        expect((await desk.user('POST', `${path}/pause`)).status).to.equal(200);
        expect((await desk.rest('POST', `${path}/pause`)).json.errorCode).to.equal('NOOP_ERROR');
        expect(await pausedBy()).to.equal('USER');
        const refused = await desk.rest('POST', `${path}/resume`);
        expect([refused.status, refused.json.details?.reason], refused.text).to.deep.equal([
          409,
          'PAUSED_BY_USER',
        ]);
        expect((await desk.user('POST', `${path}/resume`)).status).to.equal(200);
        expect(await pausedBy()).to.equal(null);
      });

    it('is not set anew by the agent', async () => {
      const { id, stopLoss } = await desk.opened({ stopLoss: STOP });
      const preview = () =>
        desk.tool('preview_change', {
          ...{ account: desk.accountId, position_id: id, action: 'protect', stop_loss_value: '3' },
        });
      const shown = await preview();
      await desk.user('POST', `/triggers/${stopLoss.triggerId}/pause`);
      const stop = await desk.rest('PUT', `/positions/${id}/brackets`, { stopLoss: { ...STOP, value: '3' } });
      expect(stop.json.details?.reason, stop.text).to.equal('PAUSED_BY_USER');
      const refused = (await preview()).data;
      expect(refused).to.include({ verdict: 'REFUSED', preview_id: null });
      expect(refused.verdict_words).to.include('PAUSED_BY_USER');
      const { preview_id, summary } = shown.data;
      const placed = await desk.tool('place_order', { preview_id, summary, reason: 'a test' });
      expect(placed.data.outcome, placed.text).to.equal('NOTHING_ORDERED');
      const { triggerId, value, status } = (await desk.position(id)).stopLoss;
      expect([triggerId, value, status]).to.deep.equal([stopLoss.triggerId, '5', 'PAUSED']);
      const weights = `/positions/${id}/auto-rebalance`;
      await made('PUT', weights, { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' });
      await desk.user('POST', `${weights}/pause`);
      const ended = await desk.rest('DELETE', weights);
      expect(ended.json.details?.reason, ended.text).to.equal('PAUSED_BY_USER');
    });
  });
});
