/** A bracket that fired goes on until its position is closed, and nothing is without protection meanwhile. */
import { expect } from 'chai';
import type { Notification } from '../../../../gateway/domain/notification.ts';
import type { Trigger } from '../../../../gateway/domain/trigger.ts';
import type { UnitOfWork } from '../../../../gateway/engine/ports/unit-of-work.ts';
import { presentRounds } from '../../../../gateway/http/present/bracket.ts';
import { bracketsTold } from '../../../support/audit-resting.ts';
import { notificationsOf } from '../../../support/desks-for-tests.ts';
import { closeDesks, leg } from '../../../support/engine-desk.ts';
import type { Behaviour } from '../../../support/scripted-venue.ts';
import { AAA, BBB, PAIR, type TriggerDesk, triggerDesk } from '../../../support/trigger-desk.ts';
import { type BracketChange, bracketsRefused, plain, setBrackets, statusOf } from './bracket-desk.ts';

const NOTHING_FILLS: Behaviour = { fraction: '0' };
const EXPIRED: Behaviour = { rejects: { reason: 'expired', message: 'arrived after it had expired' } };
/** Fires below 95. */
const STOP = plain('DOLLAR', '50');
/** Fires above 105. */
const PROFIT = plain('DOLLAR', '50');

describe('brackets that fired', () => {
  let at: TriggerDesk;
  let positionId: string;
  let stopId: string;
  let profitId: string;
  beforeEach(async () => {
    at = await triggerDesk();
    positionId = await at.position();
  });
  afterEach(async () => {
    const wrong = await mistold(await told());
    at.desk.kill();
    await closeDesks();
    expect(wrong).to.deep.equal([]);
  });

  const set = (change: BracketChange) => setBrackets(at, positionId, change);
  const armed = async (change: BracketChange = { takeProfit: PROFIT, stopLoss: STOP }) => {
    const { takeProfit, stopLoss } = await set(change);
    stopId = stopLoss?.id ?? '';
    profitId = takeProfit?.id ?? '';
  };
  /** Both are set, and one fires at this mark of AAA. */
  const fires = async (mark: string, behaviour = NOTHING_FILLS) => {
    await armed();
    at.desk.venue.behave(() => behaviour);
    at.desk.venue.setMark(AAA, mark);
  };
  const rounds = (one: Trigger) => one.armed?.work?.rounds;
  /** Moves time until so many rounds of it have ended. */
  const roundsEnded = async (id: string, count: number) => {
    for (let found = await at.trigger(id); (rounds(found) ?? 0) < count; found = await at.trigger(id)) {
      const commits = at.desk.commits.length;
      await at.desk.advanceTo(() => at.desk.commits.length > commits);
    }
    await at.desk.quiet();
    return at.trigger(id);
  };
  const told = () => notificationsOf(at.desk);
  const executionsOf = async () => {
    const page = await at.desk.store.executions(
      { tradeAccountId: at.desk.account.id },
      { limit: 1_000, after: null },
    );
    return page.rows.filter(({ origin }) => origin === 'BRACKET').toReversed();
  };
  /** Errors in these notifications, given the actions of the brackets. */
  const mistold = async (notifications: readonly Notification[]) => {
    const triggers = (await at.triggers()).map((one) => ({
      ...one,
      bracket: one.bracketType === null ? null : presentRounds(one),
    }));
    return bracketsTold({ triggers, notifications }, { executions: await executionsOf() });
  };
  const status = (id: string) => statusOf(at, id);
  const isClosed = async () => (await at.desk.position(positionId)).status === 'CLOSED';

  it('a stop-loss that waits for a lost order of its basket is told of within five seconds, once, and closes then', async () => {
    await armed({ stopLoss: STOP });
    const lookups = Array.from({ length: 4 }, () => 'no_answer' as const);
    at.desk.venue.behave(({ symbol }) =>
      symbol === BBB ? { lost: true, answer: 'silent', streamed: 0, lookups } : {},
    );
    await at.desk.open([leg('AAA', 'BUY', '1', 'BASE'), leg('BBB', 'SELL', '1', 'BASE')]);
    await at.desk.pass(500);
    at.desk.venue.behave(() => ({}));
    at.desk.venue.setMark(AAA, '80');
    await at.desk.pass(4_900);
    const [first, ...more] = (await told()).filter(({ category }) => category === 'STOP_LOSS_FAILED');
    expect(more).to.deep.equal([]);
    expect(first?.parameters.reason).to.match(/^It has fired and waits: the venue has not said/);
    expect(first?.parameters.positionId).to.equal(positionId);
    await at.desk.allEnded();
    expect(await at.desk.position(positionId)).to.include({ status: 'CLOSED' });
    expect([AAA, BBB].map((symbol) => at.desk.venue.held(symbol))).to.deep.equal(['0', '0']);
  });

  it('a stop whose close filled partly goes on, at fresh marks, until the position is closed', async () => {
    await armed();
    at.desk.venue.behave(({ symbol }) => (symbol === AAA ? { fraction: '0.5' } : NOTHING_FILLS));
    at.desk.venue.setMark(AAA, '94');
    const working = await roundsEnded(stopId, 1);
    expect(working.status).to.equal('TRIGGERED');
    expect(working.error).to.contain('Still open: ').and.to.contain('10 BBB-PERP short');
    expect(await status(profitId)).to.equal('ACTIVE');
    const [first] = await told();
    expect(first?.category).to.equal('STOP_LOSS_FAILED');
    expect(first?.parameters.reason).to.contain('10 BBB-PERP short').and.to.contain('It goes on in 0.25 s');
    at.desk.venue.setMark(BBB, '120');
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
    expect(await at.trigger(profitId)).to.include({
      status: 'CANCELLED',
      error: 'The other bracket of the position fired',
    });
    expect(await isClosed()).to.equal(true);
    expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
    expect((await told()).map(({ category }) => category)).to.deep.equal([
      'STOP_LOSS_FAILED',
      'STOP_LOSS_HIT',
    ]);
    expect((await told())[1]?.parameters.reason).to.contain('round 2');
  });

  for (const [name, over, expected] of [
    ['by default', {}, [0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.1, 0.1]],
    ['as asked', { slippage: '0.085' }, [0.085, 0.095, 0.1, 0.1]],
  ] as const) {
    it(`each round of a stop reaches further and waits longer, ${name}`, async () => {
      await armed({ stopLoss: { ...STOP, ...over } });
      at.desk.venue.behave(() => NOTHING_FILLS);
      at.desk.venue.setMark(AAA, '94');
      await roundsEnded(stopId, expected.length);
      const ran = (await executionsOf()).slice(0, expected.length);
      expect(ran.map(({ slippage }) => Number(slippage))).to.deep.equal([...expected]);
      const limits = ran.map(({ orders }) => Number(orders.find(({ symbol }) => symbol === AAA)?.limitPrice));
      for (const [index, limit] of limits.entries()) {
        expect(limit).to.be.closeTo(94 * (1 - (expected[index] ?? 0)), 0.1);
      }
      const waits = ran.slice(1).map(({ createdAt }, index) => createdAt - (ran[index]?.finishedAt ?? 0));
      expect(waits).to.deep.equal(waits.map((_, index) => Math.min(250 * 2 ** index, 30_000)));
    });
  }

  it('a take-profit keeps its slippage in every round', async () => {
    await armed({ takeProfit: PROFIT });
    at.desk.venue.behave(() => NOTHING_FILLS);
    at.desk.venue.setMark(AAA, '106');
    await roundsEnded(profitId, 4);
    expect(new Set((await executionsOf()).map(({ slippage }) => slippage))).to.deep.equal(new Set(['0.01']));
  });

  it('tells the trader after 1, 2, 4, 8, … rounds, and of the end', async () => {
    await fires('94');
    await roundsEnded(stopId, 20);
    expect((await told()).map(({ category }) => category)).to.deep.equal(Array(5).fill('STOP_LOSS_FAILED'));
    at.desk.venue.behave(() => ({}));
    await at.ended(stopId);
    expect((await told()).at(-1)?.category).to.equal('STOP_LOSS_HIT');
  });

  it('a close that arrived after it had expired was not executed: it is tried again', async () => {
    await fires('94', EXPIRED);
    await roundsEnded(stopId, 2);
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
    expect(await isClosed()).to.equal(true);
  });

  it('a take-profit that cannot fill takes nothing from the stop: it fires between the rounds and takes over', async () => {
    await fires('106');
    await roundsEnded(profitId, 8);
    expect(await status(stopId)).to.equal('ACTIVE');
    expect(await status(profitId)).to.equal('TRIGGERED');
    await at.moveMark(AAA, '94');
    expect(await status(stopId)).to.equal('TRIGGERED');
    expect(await status(profitId)).to.equal('PAUSED OTHER_BRACKET');
    await roundsEnded(stopId, 1);
    expect(await status(profitId)).to.equal('ACTIVE');
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
    expect(await status(profitId)).to.equal('CANCELLED');
    expect(await isClosed()).to.equal(true);
  });

  it('a take-profit that gave way tells its rounds anew; one notification less or more is noticed', async () => {
    await fires('106');
    await roundsEnded(profitId, 3);
    at.desk.venue.setMark(AAA, '94');
    await roundsEnded(stopId, 2);
    await set({ stopLoss: null });
    at.desk.venue.setMark(AAA, '106');
    await roundsEnded(profitId, 1);
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(profitId)).status).to.equal('COMPLETED');
    const all = (await told()).filter(({ parameters }) => parameters.triggerId !== undefined);
    expect(all.map(({ category }) => category)).to.deep.equal([
      'TAKE_PROFIT_FAILED',
      'TAKE_PROFIT_FAILED',
      'STOP_LOSS_FAILED',
      'STOP_LOSS_FAILED',
      'TAKE_PROFIT_FAILED',
      'TAKE_PROFIT_HIT',
    ]);
    for (const [index, one] of all.entries()) {
      expect(await mistold(all.toSpliced(index, 1)), `without the ${index + 1}.`).to.not.deep.equal([]);
      expect(await mistold([...all, one]), `with the ${index + 1}. twice`).to.not.deep.equal([]);
    }
  });

  it('a stop that is met while the take-profit closes fires when that round left the position open', async () => {
    await fires('106');
    await at.desk.quiet();
    expect(await status(stopId)).to.equal('PAUSED OTHER_BRACKET');
    at.desk.venue.setMark(AAA, '94');
    await at.desk.advanceTo(() => at.services.brackets.of(positionId).stopLoss?.status === 'TRIGGERED');
    expect(await status(profitId)).to.equal('PAUSED OTHER_BRACKET');
    expect(await executionsOf()).to.have.length(2);
  });

  it('a take-profit that is met while a stop works waits for it', async () => {
    await fires('94');
    await roundsEnded(stopId, 5);
    await at.moveMark(AAA, '106');
    expect(await status(stopId)).to.equal('TRIGGERED');
    expect(await status(profitId)).to.equal('PAUSED OTHER_BRACKET');
    await roundsEnded(stopId, 6);
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
    expect((await executionsOf()).length).to.equal(7);
  });

  it('is removed by the trader between two rounds; what it held back watches again', async () => {
    await fires('94');
    await at.desk.quiet();
    expect(await bracketsRefused(at, positionId, { stopLoss: null })).to.include({ code: 'RESOURCE_BUSY' });
    await roundsEnded(stopId, 6);
    await at.moveMark(AAA, '106');
    expect(await status(profitId)).to.equal('PAUSED OTHER_BRACKET');
    at.desk.venue.behave(() => ({}));
    await set({ stopLoss: null });
    expect(await status(stopId)).to.equal('CANCELLED');
    expect((await at.ended(profitId)).status).to.equal('COMPLETED');
    expect(await isClosed()).to.equal(true);
    const sent = at.desk.venue.sent.length;
    await at.desk.pass(60_000);
    expect(at.desk.venue.sent.length).to.equal(sent);
  });

  it('the trader closes the position between two rounds: both brackets end with it', async () => {
    await fires('94');
    await roundsEnded(stopId, 6);
    at.desk.venue.behave(() => ({}));
    await at.desk.ended(await at.desk.close(positionId));
    expect(await at.trigger(stopId)).to.include({ status: 'CANCELLED', error: 'The position was closed' });
    expect(await at.trigger(profitId)).to.include({ status: 'CANCELLED', error: 'The position was closed' });
    const sent = at.desk.venue.sent.length;
    await at.desk.pass(60_000);
    expect(at.desk.venue.sent.length).to.equal(sent);
  });

  it('the trader halves the position between two rounds: the rest is closed', async () => {
    await fires('94');
    await roundsEnded(stopId, 6);
    at.desk.venue.behave(() => ({}));
    await at.desk.ended(await at.desk.close(positionId, '0.5'));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
    expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
  });

  it('waits for a busy basket, and goes on', async () => {
    await armed();
    let isHeld = true;
    at.desk.venue.behave(({ side, symbol }) =>
      isHeld && side === (symbol === AAA ? 'BUY' : 'SELL')
        ? { answer: 'silent', streamed: 0, lookups: Array(5).fill('no_answer') }
        : {},
    );
    const adding = await at.desk.open(PAIR);
    await at.desk.quiet();
    await at.moveMark(AAA, '90', 5_000);
    expect(await status(stopId)).to.equal('TRIGGERED');
    isHeld = false;
    await at.desk.ended(adding);
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
    expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
  });

  it('goes on while trading is paused', async () => {
    await fires('94');
    await roundsEnded(stopId, 2);
    expect((await at.desk.tradingPause.move(at.desk.account.userId, 'pause')).ok).to.equal(true);
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
  });

  it('keeps trying every 30 s where nothing can be sent at all, and closes when it can', async () => {
    await fires('94');
    await roundsEnded(stopId, 1);
    at.desk.venue.setStale(BBB, true);
    await roundsEnded(stopId, 12);
    const [last, before] = (await executionsOf()).toReversed();
    expect((last?.createdAt ?? 0) - (before?.finishedAt ?? 0)).to.equal(30_000);
    expect(last?.status).to.equal('FAILED');
    at.desk.venue.setStale(BBB, false);
    at.desk.venue.behave(() => ({}));
    expect((await at.ended(stopId)).status).to.equal('COMPLETED');
  });

  it('a trailing stop that made room follows on with the peak it had', async () => {
    await armed({
      takeProfit: PROFIT,
      stopLoss: { type: 'DOLLAR', value: '100', trailing: { delta: '30', activation: null } },
    });
    at.desk.venue.behave(() => NOTHING_FILLS);
    at.desk.venue.setMark(AAA, '106');
    await roundsEnded(profitId, 7);
    expect(at.services.triggers.observation(stopId)?.peak).to.equal('60');
    at.desk.venue.behave(() => ({}));
    await at.firesAt(stopId, '102.9');
  });

  describe('dead at every commit', () => {
    /** Error in the state on disk; null: none. */
    const unprotected = async (): Promise<string | null> => {
      if (await isClosed()) return null;
      const [stop, profit] = await Promise.all([at.trigger(stopId), at.trigger(profitId)]);
      const runs = async ({ executionId }: Trigger) =>
        executionId !== null && (await at.desk.execution(executionId)).finishedAt === null;
      if (stop.status === 'ACTIVE') return null;
      if (stop.status === 'TRIGGERED') {
        const isWaiting = typeof stop.armed?.work?.nextRoundAt === 'number';
        return isWaiting || (await runs(stop)) ? null : 'the stop is TRIGGERED and nobody works';
      }
      const hasGivenWay = stop.pauseReason === 'OTHER_BRACKET' && profit.status === 'TRIGGERED';
      return hasGivenWay && (await runs(profit)) ? null : `the stop is ${stop.status} ${stop.pauseReason}`;
    };

    /** Take-profit, then the stop, then a stop that has to go on; the process dies after commit `dead`. */
    const live = async (dead: number): Promise<{ readonly commits: number; readonly wrong: string[] }> => {
      const wrong: string[] = [];
      await armed();
      const begin = at.desk.commits.length;
      const count = () => at.desk.commits.length - begin;
      const look = async (unit: UnitOfWork) => {
        if ((unit.triggers ?? []).length + (unit.executions ?? []).length === 0) return;
        // Until it dies it does what was looked at in the life without a death.
        if (count() < dead) return;
        const found = await unprotected();
        if (found !== null) wrong.push(`commit ${count()}: ${found}`);
      };
      at.desk.afterCommit = look;
      const dies = () => {
        at.desk.dieAfterCommit = () => count() === dead;
      };
      const until = async (so: () => boolean) => {
        await at.desk.advanceTo(() => !at.desk.isAlive || so());
        if (at.desk.isAlive) return;
        await at.desk.start();
        await at.desk.advanceTo(so);
      };
      dies();
      at.desk.venue.behave(({ symbol }) => (symbol === AAA ? { fraction: '0.3' } : NOTHING_FILLS));
      at.desk.venue.setMark(AAA, '110');
      const rounds = (id: string) => {
        const { takeProfit, stopLoss } = at.services.brackets.of(positionId);
        const found = [takeProfit, stopLoss].find((one) => one?.id === id);
        return found?.armed.work?.rounds ?? 0;
      };
      await until(() => rounds(profitId) >= 2);
      at.desk.venue.setMark(BBB, '200');
      await until(() => rounds(stopId) >= 2);
      at.desk.venue.behave(() => ({}));
      await until(() => at.desk.state.positions.get(positionId) === undefined);
      await at.desk.allEnded();
      return { commits: count(), wrong };
    };

    it('an open position that had a stop has one, and is closed in the end @long', async function () {
      this.timeout(120_000);
      const whole = await live(-1);
      expect(whole.wrong).to.deep.equal([]);
      expect(whole.commits).to.be.greaterThan(10);
      for (let dead = 1; dead <= whole.commits; dead += 1) {
        at.desk.kill();
        at = await triggerDesk(at.desk.store);
        positionId = await at.position();
        const { wrong } = await live(dead);
        expect(wrong, `dead after commit ${dead}`).to.deep.equal([]);
        expect(await isClosed(), `dead after commit ${dead}`).to.equal(true);
        expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
        expect(await status(stopId), `dead after commit ${dead}`).to.equal('COMPLETED');
        expect(await status(profitId), `dead after commit ${dead}`).to.equal('CANCELLED');
      }
    });
  });
});
