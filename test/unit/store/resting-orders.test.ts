import { expect } from 'chai';
import type { Trigger, WaitingOpening } from '../../../gateway/domain/trigger.ts';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import { openHandle } from '../../../gateway/store/file/sqlite-handle.ts';
import {
  ladderWithRungs,
  rebalanceConfig,
  trailingStop,
  twap,
  waitingTrigger,
} from '../../support/resting-rows.ts';
import { committed, execution, nextId, START, storeForEachTest } from '../../support/store-records.ts';

const FIRST_PAGE = { limit: 10, after: null };
const ACCOUNT = { tradeAccountId: 'account' };
const ALL = { userId: 'user', tradeAccountIds: null } as const;

describe('store: what waits', () => {
  const store = storeForEachTest();
  const commit = (unit: UnitOfWork) => committed(store, unit);

  async function liveTriggers(): Promise<readonly (WaitingOpening | Trigger)[]> {
    const found: (WaitingOpening | Trigger)[] = [];
    const damaged: string[] = [];
    await store.eachLiveTrigger(
      (triggers) => found.push(...triggers),
      (id) => damaged.push(id),
    );
    expect(damaged).to.deep.equal([]);
    return found;
  }

  /** Form in which a start reads a waiting trigger that opens. */
  function briefly({ id, tradeAccountId, connector, condition, legs, weights, ...rest }: Trigger) {
    const { kind, status, pauseReason, positionId, onMissed, expiresAt, priceSource } = rest;
    return {
      ...{ id, tradeAccountId, connector, kind, status, pauseReason, positionId, onMissed, expiresAt },
      ...{ priceSource, legs, weights, condition, bracketType: null, armed: null },
    };
  }

  it('has nothing of it in an empty file', async () => {
    expect(await store.trigger('account', nextId())).to.equal(null);
    expect(await store.triggers(ACCOUNT, FIRST_PAGE)).to.deep.equal({ rows: [], next: null });
    expect(await liveTriggers()).to.deep.equal([]);
    expect(await store.schedule('account', nextId())).to.equal(null);
    expect(await store.liveSchedules()).to.deep.equal([]);
    expect(await store.ladder('account', nextId())).to.equal(null);
    expect(await store.rungStatuses([])).to.deep.equal(new Map());
    expect(await store.liveLadders()).to.deep.equal([]);
    expect(await store.autoRebalance(nextId())).to.equal(null);
    expect(await store.positionSetup(nextId())).to.equal(null);
    expect(await store.notifications(ALL, FIRST_PAGE)).to.deep.equal({ rows: [], next: null });
    expect(await store.orders(ACCOUNT, FIRST_PAGE)).to.deep.equal({ rows: [], next: null });
    expect(await store.orderWithExecution('account', nextId())).to.equal(null);
  });

  it('keeps both kinds of triggers to the letter, replaces them, and shows them to their account only', async () => {
    const opening = waitingTrigger({
      condition: {
        type: 'PREDICTION_MARKET_OUTCOME',
        direction: 'MORE_THAN',
        value: '57.000000000000000001',
        source: 'pools',
        marketKey: 'will "it" rain?',
      },
      takeProfit: { type: 'DOLLAR', value: '12.5', trailing: { delta: '1', activation: '3' } },
      clientId: 'bot',
      expiresAt: START + 9,
    });
    const stop = trailingStop();
    await commit({ triggers: [opening, stop] });
    expect(await store.trigger('account', opening.id)).to.deep.equal(opening);
    expect(await store.trigger('another', opening.id)).to.equal(null);
    expect((await store.triggers(ACCOUNT, FIRST_PAGE)).rows).to.deep.equal([stop, opening]);
    expect(await liveTriggers()).to.deep.equal([briefly(opening), stop]);
    const closing = waitingTrigger({ kind: 'CLOSE', positionId: nextId(), fraction: '0.5' });
    const paused = waitingTrigger({ status: 'PAUSED', pauseReason: 'FEED_STALE', onMissed: 'SKIP' });
    await commit({ triggers: [closing, paused] });
    expect(await liveTriggers()).to.deep.equal([briefly(opening), stop, closing, briefly(paused)]);
    await commit({ triggers: [closing, paused].map((one) => ({ ...one, status: 'CANCELLED' })) });

    const fired: Trigger = {
      ...opening,
      status: 'TRIGGERED',
      lastValue: '58',
      lastCheckedAt: START + 5,
      triggeredAt: START + 5,
      executionId: nextId(),
      updatedAt: START + 5,
    };
    await commit({ triggers: [fired] });
    await store.reopen();
    expect(await store.trigger('account', opening.id)).to.deep.equal(fired);
    expect(await liveTriggers()).to.deep.equal([fired, stop]);
    await commit({ triggers: [{ ...fired, status: 'COMPLETED' }] });
    expect(await liveTriggers()).to.deep.equal([stop]);
  });

  it('narrows triggers by status, kind and connector', async () => {
    const opening = waitingTrigger();
    const closing = trailingStop({ status: 'PAUSED', pauseReason: 'USER' });
    const over = waitingTrigger({ status: 'FAILED', error: 'no margin' });
    const elsewhere = waitingTrigger({ connector: 'paper-cross' });
    await commit({ triggers: [opening, closing, over, elsewhere] });
    const list = async (filter: object) => (await store.triggers({ ...ACCOUNT, ...filter }, FIRST_PAGE)).rows;
    expect(await list({ statuses: ['PAUSED'] })).to.deep.equal([closing]);
    expect(await list({ statuses: ['FAILED', 'PAUSED'] })).to.deep.equal([over, closing]);
    expect(await list({ statuses: [] })).to.deep.equal([]);
    expect(await list({ kinds: ['CLOSE'] })).to.deep.equal([closing]);
    expect(await list({ connector: 'paper-cross' })).to.deep.equal([elsewhere]);
  });

  it('gives a start every live trigger once, however many pieces they take', async () => {
    const triggers = Array.from({ length: 2_345 }, (_, index) =>
      waitingTrigger({ tradeAccountId: `account-${index % 3}`, createdAt: START + (index % 7) }),
    );
    await commit({ triggers });
    const pieces: number[] = [];
    const seen: string[] = [];
    await store.eachLiveTrigger(
      (piece) => {
        pieces.push(piece.length);
        seen.push(...piece.map(({ id }) => id));
      },
      (id) => expect.fail(id),
    );
    expect(pieces).to.have.length.greaterThan(2);
    expect(await store.liveTriggerCount()).to.equal(2_345);
    const inOrder = triggers.toSorted(
      (a, b) =>
        a.tradeAccountId.localeCompare(b.tradeAccountId) ||
        a.createdAt - b.createdAt ||
        a.id.localeCompare(b.id),
    );
    expect(seen).to.deep.equal(inOrder.map(({ id }) => id));
  });

  it('tells of a damaged trigger and gives a start the others', async () => {
    const [first, torn, odd, last] = [waitingTrigger(), waitingTrigger(), trailingStop(), waitingTrigger()];
    await commit({ triggers: [first, torn, odd, last] });
    await store.close();
    const handle = await openHandle(store.file, 'read-write');
    await handle.run('UPDATE triggers SET legs = substr(legs, 1, 20) WHERE id = ?', [torn.id]);
    await handle.run(`UPDATE triggers SET weights = '{"0": 1}' WHERE id = ?`, [odd.id]);
    await handle.close();
    await store.reopen();
    const found: string[] = [];
    const damaged: string[] = [];
    await store.eachLiveTrigger(
      (piece) => found.push(...piece.map(({ id }) => id)),
      (id) => damaged.push(id),
    );
    expect(found).to.deep.equal([first.id, last.id]);
    expect(damaged).to.have.members([torn.id, odd.id]);
  });

  it('keeps a moving peak beside its trigger, and lets the newer of the two count', async () => {
    const stop = trailingStop();
    const still = trailingStop();
    await commit({ triggers: [stop, still] });
    for (const [at, peak] of ['2.5', '3.75'].entries()) {
      await commit({ trailingPeaks: [{ triggerId: stop.id, peak, seenAt: START + 1 + at }] });
    }
    await store.reopen();
    const peaks = async () => new Map((await liveTriggers()).map(({ id, armed }) => [id, armed?.peak]));
    expect(await peaks()).to.deep.equal(
      new Map([
        [stop.id, '3.75'],
        [still.id, '1.5'],
      ]),
    );
    expect((await store.trigger('account', stop.id))?.updatedAt).to.equal(START);
    // Written again with what it saw later: the row's own peak counts.
    const rewritten = trailingStop({ ...stopOf(stop), updatedAt: START + 10 });
    await commit({ triggers: [rewritten] });
    expect((await peaks()).get(stop.id)).to.equal('1.5');
  });

  it('keeps the levels that a size has moved beside their bracket, until the bracket has ended', async () => {
    const stop = trailingStop();
    const over = trailingStop();
    const sized = { level: '-2.5', delta: '1', activation: null };
    await commit({ triggers: [stop, over] });
    await commit({ bracketLevels: [stop, over].map(({ id }) => ({ triggerId: id, sized })) });
    // Written again by somebody who read it before the size changed.
    await commit({ triggers: [trailingStop({ ...stopOf(stop), updatedAt: START + 10 })] });
    await commit({ triggers: [trailingStop({ ...stopOf(over), status: 'CANCELLED' })] });
    await store.prune(START);
    await commit({ triggers: [over] });
    await store.reopen();
    const levels = new Map((await liveTriggers()).map(({ id, armed }) => [id, armed?.sized]));
    expect([levels.get(stop.id), levels.get(over.id)]).to.deep.equal([sized, undefined]);
  });

  it('forgets the peaks of triggers that wait no more', async () => {
    const stop = trailingStop();
    const over = trailingStop();
    await commit({
      triggers: [stop, over],
      trailingPeaks: [stop, over].map(({ id }) => ({ triggerId: id, peak: '9', seenAt: START + 1 })),
    });
    await commit({ triggers: [trailingStop({ ...stopOf(over), status: 'CANCELLED' })] });
    await store.prune(START);
    // Were its row live again, the forgotten peak would not come back.
    await commit({ triggers: [over] });
    const peaks = new Map((await liveTriggers()).map(({ id, armed }) => [id, armed?.peak]));
    expect([peaks.get(stop.id), peaks.get(over.id)]).to.deep.equal(['9', '1.5']);
  });

  it('keeps a schedule with its slices and rewrites one slice without the others', async () => {
    const running = twap();
    await commit({ newSchedules: [running] });
    expect(await store.schedule('account', running.id)).to.deep.equal(running);
    expect(await store.schedule('another', running.id)).to.equal(null);

    const sent = {
      ...firstOf(running.slices),
      status: 'COMPLETED' as const,
      executedAt: START + 1,
      executionId: nextId(),
      legs: [{ symbol: 'BTC-PERP', side: 'BUY' as const, amount: '100', quantity: '0.001', mark: '97000.5' }],
      filledUsd: '97.0005',
    };
    const next = { ...running, slices: [sent, ...running.slices.slice(1)], updatedAt: START + 1 };
    await commit({ schedules: [next], slices: [{ ...sent, scheduleId: running.id }] });
    await store.reopen();
    expect(await store.schedule('account', running.id)).to.deep.equal(next);
    const [summary] = (await store.schedules(ACCOUNT, FIRST_PAGE)).rows;
    expect(summary).to.deep.include({
      sliceCount: 5,
      slicesCompleted: 1,
      nextSliceAt: running.slices[1]?.scheduledAt,
      ledger: running.ledger,
    });
    expect(summary).to.not.have.property('slices');
  });

  it('refuses the same schedule twice, whole', async () => {
    const running = twap();
    await commit({ newSchedules: [running] });
    const again = await store.commit({ newSchedules: [running], triggers: [waitingTrigger()] });
    expect(again.ok ? '' : again.error.kind).to.equal('conflict');
    expect(await liveTriggers()).to.deep.equal([]);
  });

  it('loads running schedules, and ended ones with a slice on its way', async () => {
    const running = twap({ createdAt: START + 2 });
    const paused = twap({ createdAt: START + 1, status: 'PAUSED', pauseReason: 'USER' });
    const whole = twap({ status: 'CANCELLED' });
    const cancelled = {
      ...whole,
      slices: whole.slices.map((slice, index) => ({
        ...slice,
        status: index === 0 ? ('EXECUTING' as const) : ('CANCELLED' as const),
      })),
    };
    const over = twap({ status: 'COMPLETED' });
    await commit({ newSchedules: [running, paused, cancelled, over] });
    expect(await store.liveSchedules()).to.deep.equal([cancelled, paused, running]);
    const list = async (filter: object) =>
      (await store.schedules({ ...ACCOUNT, ...filter }, FIRST_PAGE)).rows.map(({ id }) => id);
    expect(await list({ statuses: ['PAUSED', 'ACTIVE'] })).to.deep.equal([running.id, paused.id]);
    expect(await list({ statuses: ['COMPLETED'] })).to.deep.equal([over.id]);
  });

  it('keeps a ladder, and the states of its rungs with their triggers', async () => {
    const { ladder, triggers } = ladderWithRungs(3);
    const other = ladderWithRungs(2, { status: 'CANCELLED' });
    await commit({ ladders: [ladder, other.ladder], triggers: [...triggers, ...other.triggers].reverse() });
    expect(await store.ladder('account', ladder.id)).to.deep.equal(ladder);
    expect(await store.ladder('another', ladder.id)).to.equal(null);
    expect(await store.triggersOfLadder(ladder.id)).to.deep.equal(triggers);
    expect(await store.rungStatuses([ladder.id])).to.deep.equal(
      new Map(triggers.map(({ id, status }) => [id, status])),
    );
    expect(await store.liveLadders()).to.deep.equal([ladder]);
    expect((await store.ladders(ACCOUNT, FIRST_PAGE)).rows).to.have.length(2);
  });

  it('lets a position have one rebalance at a time, whoever asks at once', async () => {
    const config = rebalanceConfig();
    await commit({ autoRebalances: [config] });
    const second = rebalanceConfig({ positionId: config.positionId, status: 'PAUSED' });
    const refused = await store.commit({ autoRebalances: [second] });
    expect(refused.ok ? '' : refused.error.kind).to.equal('conflict');
    await commit({ autoRebalances: [{ ...config, status: 'ENDED' }] });
    await commit({ autoRebalances: [second] });
    expect(await store.autoRebalance(config.positionId)).to.deep.equal(second);
    expect(await store.liveAutoRebalances()).to.deep.equal([second]);
  });

  it('keeps what an execution is to set on its position, committed with it', async () => {
    const opening = execution();
    const setup = {
      executionId: opening.id,
      takeProfit: { type: 'PERCENTAGE', value: '5', trailing: null },
      stopLoss: null,
      autoRebalance: {
        mode: 'TARGET_WEIGHTS',
        action: 'NOTIFY',
        minimumDrift: '0.05',
        timeframe: null,
        cooldownSeconds: 60,
        maxTradeUsd: null,
      },
      authorityKind: 'oauth_grant',
      authorityId: 'grant',
    } as const;
    await commit({ newExecutions: [opening], positionSetups: [setup] });
    await store.reopen();
    expect(await store.positionSetup(opening.id)).to.deep.equal(setup);
  });
});

function stopOf(trigger: Trigger) {
  if (trigger.armed === null) throw new Error('not a bracket');
  return trigger;
}

function firstOf<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error('empty');
  return first;
}
