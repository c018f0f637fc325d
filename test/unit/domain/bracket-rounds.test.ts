import { expect } from 'chai';
import {
  giveWay,
  goOn,
  isRoundRunning,
  isRoundTold,
  roundSlippage,
  roundsOf,
  roundWaitMs,
  tryAgain,
  waitsForRound,
} from '../../../gateway/domain/bracket-rounds.ts';
import { fireTrigger, type Trigger } from '../../../gateway/domain/trigger.ts';
import { bracketTrigger } from './resting-records.ts';

const ROUNDS = [0, 1, 2, 6, 7, 8, 5_000];

describe('rounds of a bracket', () => {
  it('a stop-loss reaches further in each round, to 0.10 at most; a take-profit stays', () => {
    const slippages = (kind: 'STOP_LOSS' | 'TAKE_PROFIT', bracket: { slippage?: string }) =>
      ROUNDS.map((rounds) => roundSlippage(kind, bracket, rounds));
    expect(slippages('STOP_LOSS', {})).to.deep.equal(['0.03', '0.04', '0.05', '0.09', '0.1', '0.1', '0.1']);
    expect(slippages('STOP_LOSS', { slippage: '0.1' })).to.deep.equal(ROUNDS.map(() => '0.1'));
    expect(slippages('TAKE_PROFIT', {})).to.deep.equal(ROUNDS.map(() => '0.01'));
    expect(slippages('TAKE_PROFIT', { slippage: '0.002' })).to.deep.equal(ROUNDS.map(() => '0.002'));
  });

  it('wait 0.25 s, doubling to 30 s', () => {
    expect([1, 2, 3, 7, 8, 9, 5_000].map(roundWaitMs)).to.deep.equal([
      250, 500, 1_000, 16_000, 30_000, 30_000, 30_000,
    ]);
  });

  it('a day of them is told some ten times', () => {
    const day = Array.from({ length: 2_880 }, (_, index) => index + 1).filter(isRoundTold);
    expect(day).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048]);
  });

  it('one at a time; what gives way begins anew', () => {
    const bracket = bracketTrigger({ status: 'ACTIVE' });
    const value = <T>(step: { readonly ok: true; readonly value: T } | { readonly ok: false }): T => {
      if (!step.ok) throw new Error('refused');
      return step.value;
    };
    const asBracket = (trigger: Trigger) => {
      if (trigger.bracketType === null) throw new Error('no bracket');
      return trigger;
    };
    const fired = asBracket(value(fireTrigger(bracket, { value: '1', executionId: 'first' }, 1_000)));
    expect([isRoundRunning(fired), waitsForRound(fired)]).to.deep.equal([true, false]);
    const failed = value(goOn(fired, 'nothing filled', 2_000));
    expect(failed).to.include({ status: 'TRIGGERED', error: 'nothing filled', executionId: 'first' });
    expect(failed.armed.work).to.deep.equal({ rounds: 1, nextRoundAt: 2_250 });
    expect([isRoundRunning(failed), waitsForRound(failed)]).to.deep.equal([false, true]);
    const again = value(tryAgain(failed, 'second', 2_250));
    expect(again).to.include({ status: 'TRIGGERED', executionId: 'second' });
    expect([isRoundRunning(again), roundsOf(again)]).to.deep.equal([true, 1]);
    const away = value(giveWay(failed, 2_300));
    expect(away).to.include({ status: 'PAUSED', pauseReason: 'OTHER_BRACKET', executionId: null });
    expect([isRoundRunning(away), waitsForRound(away), roundsOf(away)]).to.deep.equal([false, false, 0]);
  });
});
