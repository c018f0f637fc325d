/** Rebalancing on a fake clock, a real store and a scripted venue. */

import { expect } from 'chai';
import type { RebalanceTerms } from '../../../../gateway/domain/position-setup.ts';
import { notificationsOf, planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { standIn } from '../../../support/open-for-tests.ts';
import { HOUR, MINUTE } from '../../../support/plan-desk.ts';
import { codeOf, unwrap } from '../../../support/unwrap.ts';

const SECOND = 1_000;
const TERMS: RebalanceTerms = {
  mode: 'TARGET_WEIGHTS',
  action: 'TRADE',
  minimumDrift: '0.05',
  timeframe: null,
  cooldownSeconds: 3_600,
  maxTradeUsd: null,
};
const AS_CONFIGURED = { mode: null, timeframe: null, maxTradeUsd: null } as const;

describe('rebalances', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);
  let positionId: string;
  beforeEach(async () => {
    const opened = await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    positionId = opened.positionId ?? '';
  });

  async function set(over: Partial<RebalanceTerms> = {}): Promise<void> {
    const made = await plan.rebalances.set(PRINCIPAL, desk.account, positionId, { ...TERMS, ...over });
    if (!made.ok) throw new Error(JSON.stringify(made.error));
  }
  const news = async () => (await notificationsOf(plan.desk)).map(({ category }) => category);
  const quantities = async () => (await desk.position(positionId)).legs.map(({ quantity }) => quantity);
  const weights = async () => (await desk.position(positionId)).legs.map((one) => one.targetWeight);

  it('trades a drift away, both legs, and leaves the targets where they are', async () => {
    await set();
    const targets = await weights();
    await desk.pass(2 * MINUTE);
    expect(desk.venue.sent, 'no drift, no order').to.have.length(2);
    desk.venue.setMark('AAA-PERP', '125');
    await desk.pass(MINUTE);
    // 1250 against 1000: each goes to 1125.
    expect(
      desk.venue.sent.slice(2).map(({ symbol, side, quantity }) => [symbol, side, quantity]),
    ).to.deep.equal([
      ['AAA-PERP', 'SELL', '1'],
      ['BBB-PERP', 'SELL', '1.25'],
    ]);
    expect(await quantities()).to.deep.equal(['9', '11.25']);
    expect(await weights()).to.deep.equal(targets);
    expect(await news()).to.deep.equal(['REBALANCE_EXECUTED']);
    const config = await desk.store.autoRebalance(positionId);
    const execution = await desk.execution(config?.lastExecutionId ?? '');
    expect(execution).to.include({ origin: 'REBALANCE', intent: 'ADJUST', status: 'COMPLETED' });
    expect(config?.lastDrift).to.equal('0.055555555555555556');
  });

  it('acts again only after the cooldown', async () => {
    await set();
    desk.venue.setMark('AAA-PERP', '125');
    await desk.pass(2 * MINUTE);
    desk.venue.setMark('AAA-PERP', '160');
    await desk.pass(55 * MINUTE);
    expect(desk.venue.sent).to.have.length(4);
    await desk.pass(6 * MINUTE);
    expect(desk.venue.sent).to.have.length(6);
  });

  it('NOTIFY tells and trades nothing; a drift that cannot be traded is told too', async () => {
    await set({ action: 'NOTIFY' });
    desk.venue.setMark('AAA-PERP', '125');
    await desk.pass(5 * MINUTE);
    expect(await news()).to.deep.equal(['REBALANCE_DRIFT']);
    expect(desk.venue.sent).to.have.length(2);
    await plan.rebalances.end(desk.account, positionId);
    await set({ maxTradeUsd: '5' });
    await desk.pass(5 * MINUTE);
    expect(await news()).to.deep.equal(['REBALANCE_DRIFT', 'REBALANCE_DRIFT']);
    expect(plan.rebalances.of(positionId)?.error).to.include('MAX_TRADE');
    expect(desk.venue.sent).to.have.length(2);
  });

  it('does nothing while paused, while trading is paused, or while prices are too old', async () => {
    await set();
    await plan.rebalances.pause(desk.account, positionId);
    desk.venue.setMark('AAA-PERP', '125');
    await desk.pass(5 * MINUTE);
    await plan.rebalances.resume(PRINCIPAL, desk.account, positionId);
    await desk.tradingPause.move('user', 'pause');
    await desk.pass(5 * MINUTE);
    desk.venue.setStale('BBB-PERP', true);
    await desk.tradingPause.move('user', 'resume');
    await desk.pass(5 * MINUTE);
    expect(desk.venue.sent).to.have.length(2);
    desk.venue.setStale('BBB-PERP', false);
    await desk.pass(MINUTE + SECOND);
    expect(desk.venue.sent).to.have.length(4);
  });

  it('a configuration is one per position, has its states, and ends with the position', async () => {
    const { account } = desk;
    expect(codeOf(await plan.rebalances.pause(account, positionId))).to.equal(
      'AUTO_REBALANCE_CONFIG_NOT_FOUND',
    );
    expect(codeOf(await plan.rebalances.set(PRINCIPAL, account, 'no such position', TERMS))).to.equal(
      'AUTO_REBALANCE_POSITION_NOT_FOUND',
    );
    const both = await Promise.all(
      [1, 2].map(() => plan.rebalances.set(PRINCIPAL, account, positionId, TERMS)),
    );
    expect(both.map(codeOf).sort()).to.deep.equal(['AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS', 'accepted']);
    expect(codeOf(await plan.rebalances.resume(PRINCIPAL, account, positionId))).to.equal('NOOP_ERROR');
    expect(codeOf(await plan.rebalances.pause(account, positionId))).to.equal('accepted');
    expect(codeOf(await plan.rebalances.pause(account, positionId))).to.equal('NOOP_ERROR');
    await desk.start();
    expect(plan.rebalances.of(positionId)?.status).to.equal('PAUSED');
    await desk.ended(await desk.close(positionId));
    expect(plan.rebalances.of(positionId)).to.equal(undefined);
    expect(await desk.store.autoRebalance(positionId)).to.equal(null);
    expect(codeOf(await plan.rebalances.set(PRINCIPAL, account, positionId, TERMS))).to.equal(
      'AUTO_REBALANCE_POSITION_NOT_OPEN',
    );
    const other = { ...account, id: 'somebody else' };
    expect(codeOf(await plan.rebalances.plan(other, positionId, AS_CONFIGURED))).to.equal(
      'AUTO_REBALANCE_POSITION_NOT_FOUND',
    );
  });

  it('plans without recording anything, and rebalances on demand', async () => {
    desk.venue.setMark('AAA-PERP', '110');
    const commits = desk.commits.length;
    const planned = await plan.rebalances.plan(desk.account, positionId, AS_CONFIGURED);
    expect(planned.ok && planned.value).to.deep.include({ mode: 'TARGET_WEIGHTS', beta: null });
    expect(planned.ok && planned.value.plan.rows.map(({ deltaUsd }) => deltaUsd)).to.deep.equal([
      '-50',
      '50',
    ]);
    expect(desk.commits).to.have.length(commits);
    const asked = { ...AS_CONFIGURED, slippage: null, clientId: null };
    await desk.ended(
      JSON.parse(unwrap(await plan.rebalances.rebalance(PRINCIPAL, desk.command(), positionId, asked)).json)
        .id,
    );
    expect(await quantities()).to.deep.equal(['9.546', '10.5']);
    expect(await news()).to.deep.equal([]);
    const again = await plan.rebalances.rebalance(PRINCIPAL, desk.command(), positionId, asked);
    expect(again).to.have.nested.property('error.code', 'NOOP_ERROR');
  });

  it('trades no leg where a skipped one would leave the basket less hedged, and says why', async () => {
    const { desk } = plan;
    const legs = [leg('AAA', 'BUY', '500'), leg('BBB', 'BUY', '500'), leg('CCC', 'SELL', '1000')];
    const { positionId: id } = await desk.opened(legs);
    const sent = desk.venue.sent.length;
    desk.venue.setMarks({ 'AAA-PERP': '102.4', 'BBB-PERP': '97.6' });
    desk.venue.setStale('BBB-PERP', true);
    const planned = await plan.rebalances.plan(desk.account, id ?? '', AS_CONFIGURED);
    expect(planned.ok && planned.value.plan.rows.map(({ skipReason }) => skipReason)).to.deep.equal([
      'NET_EXPOSURE',
      'PRICE_STALE',
      'ZERO_QUANTITY',
    ]);
    const asked = { ...AS_CONFIGURED, slippage: null, clientId: null };
    const refused = await plan.rebalances.rebalance(PRINCIPAL, desk.command(), id ?? '', asked);
    expect(refused).to.have.nested.property('error.code', 'NOOP_ERROR');
    expect(refused).to.have.nested.property(
      'error.message',
      'Every leg is skipped (NET_EXPOSURE, PRICE_STALE, ZERO_QUANTITY): nothing would be traded',
    );
    expect(desk.venue.sent).to.have.length(sent);
  });

  it('a rebalance under way is finished after a crash, once, and told', async () => {
    await set();
    desk.venue.setMark('AAA-PERP', '125');
    desk.dieAtSend = 'after';
    await desk.advanceTo(() => !desk.isAlive);
    await desk.start();
    await desk.pass(5 * MINUTE);
    expect(await quantities()).to.deep.equal(['9', '11.25']);
    expect(desk.venue.sent).to.have.length(4);
    expect(await news()).to.deep.equal(['REBALANCE_EXECUTED']);
  });

  it('LIVE_BETA computes on candles that were seen, over a restart, and not across a gap', async () => {
    const asked = { mode: 'LIVE_BETA', timeframe: '1h', maxTradeUsd: null } as const;
    const planned = () => plan.rebalances.plan(desk.account, positionId, asked);
    expect(await planned()).to.have.nested.property('error.code', 'CONFIGURATION_ERROR');
    let long = 100;
    let short = 100;
    const hours = async (count: number) => {
      for (let hour = 0; hour < count; hour += 1) {
        const move = hour % 3 === 0 ? 1.01 : 0.996;
        short *= move;
        long *= move ** 1.5;
        desk.venue.setMark('AAA-PERP', long.toFixed(6));
        desk.venue.setMark('BBB-PERP', short.toFixed(6));
        desk.clock.jump(HOUR - MINUTE);
        await desk.pass(MINUTE);
      }
    };
    await desk.pass(HOUR - (desk.clock.now() % HOUR));
    await hours(12);
    await desk.start();
    // Nobody sees two candles, nor the long leg double meanwhile. The last one before was not on disk when the process died.
    desk.clock.jump(2 * HOUR + 20 * MINUTE);
    long *= 2;
    desk.venue.setMarks({ 'AAA-PERP': long.toFixed(6), 'BBB-PERP': short.toFixed(6) });
    await desk.pass(HOUR - (desk.clock.now() % HOUR));
    // Twelve candles, the first of the prices known at the start, make eleven returns; another nine are needed.
    await hours(8);
    expect((await planned()).ok, 'not enough yet').to.equal(false);
    await hours(1);
    const beta = await planned();
    expect(Number(beta.ok && beta.value.beta)).to.be.closeTo(1.5, 0.001);
    const rows = beta.ok ? beta.value.plan.rows : [];
    expect(Number(rows[0]?.targetWeight)).to.be.closeTo(1 / 2.5, 0.001);
    await desk.ended(await desk.close(positionId));
    const three = await desk.opened([
      leg('AAA', 'BUY', '500'),
      leg('BBB', 'SELL', '500'),
      leg('CCC', 'BUY', '500'),
    ]);
    const refused = await plan.rebalances.set(PRINCIPAL, desk.account, three.positionId ?? '', {
      ...TERMS,
      mode: 'LIVE_BETA',
    });
    expect(refused).to.have.nested.property('error.code', 'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE');
  });
});
