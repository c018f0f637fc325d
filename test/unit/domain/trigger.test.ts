import { expect } from 'chai';
import { onlyLeg } from '../../../gateway/domain/power-measures.ts';
import {
  cancelTrigger,
  completeTrigger,
  expireTrigger,
  failTrigger,
  fireTrigger,
  isExpired,
  isRestingTrigger,
  pauseTrigger,
  resumeTrigger,
  type Trigger,
  whenWatchedAgain,
} from '../../../gateway/domain/trigger.ts';
import { conditionTrigger } from './resting-records.ts';

function done(result: { readonly ok: true; readonly value: Trigger } | { readonly ok: false }): Trigger {
  if (!result.ok) throw new Error('the step was refused');
  return result.value;
}

const SEEN = { value: '19.9', executionId: 'execution-1' };

describe('a trigger', () => {
  it('keeps what it saw and what it led to', () => {
    const fired = done(fireTrigger(conditionTrigger(), SEEN, 5_000));
    expect(fired).to.include({
      status: 'TRIGGERED',
      lastValue: '19.9',
      lastCheckedAt: 5_000,
      triggeredAt: 5_000,
      executionId: 'execution-1',
      updatedAt: 5_000,
    });
    expect(done(completeTrigger(fired, 'position-1', 6_000))).to.include({
      status: 'COMPLETED',
      positionId: 'position-1',
      executionId: 'execution-1',
    });
    expect(done(failTrigger(fired, 'no margin', 6_000))).to.include({
      status: 'FAILED',
      error: 'no margin',
    });
  });

  it('fires once', () => {
    const fired = done(fireTrigger(conditionTrigger(), SEEN, 5_000));
    expect(fireTrigger(fired, SEEN, 6_000).ok).to.equal(false);
    const completed = done(completeTrigger(fired, null, 6_000));
    expect(fireTrigger(completed, SEEN, 7_000).ok).to.equal(false);
    expect(cancelTrigger(fired, null, 6_000).ok).to.equal(false);
  });

  it('does not fire while paused', () => {
    const paused = done(pauseTrigger(conditionTrigger(), 'USER', 2_000));
    expect(paused).to.include({ status: 'PAUSED', pauseReason: 'USER' });
    expect(fireTrigger(paused, SEEN, 3_000).ok).to.equal(false);
    expect(done(resumeTrigger(paused, 3_000))).to.include({ status: 'ACTIVE', pauseReason: null });
  });

  it("lets the trader's pause take over a stale feed's, and not the other way round", () => {
    const stale = done(pauseTrigger(conditionTrigger(), 'FEED_STALE', 2_000));
    expect(pauseTrigger(stale, 'FEED_STALE', 3_000).ok).to.equal(false);
    const taken = done(pauseTrigger(stale, 'USER', 3_000));
    expect(taken).to.include({ status: 'PAUSED', pauseReason: 'USER' });
    expect(pauseTrigger(taken, 'FEED_STALE', 4_000).ok).to.equal(false);
    expect(pauseTrigger(taken, 'USER', 4_000).ok).to.equal(false);
  });

  it('ends without a pause reason', () => {
    const paused = done(pauseTrigger(conditionTrigger(), 'FEED_STALE', 2_000));
    expect(done(expireTrigger(paused, 3_000))).to.include({ status: 'EXPIRED', pauseReason: null });
    expect(done(cancelTrigger(paused, 'the position closed', 3_000))).to.include({
      status: 'CANCELLED',
      pauseReason: null,
      error: 'the position closed',
    });
  });

  it('rests while it is ACTIVE or PAUSED only', () => {
    const resting = (
      ['ACTIVE', 'PAUSED', 'TRIGGERED', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const
    ).filter((status) => isRestingTrigger({ status }));
    expect(resting).to.deep.equal(['ACTIVE', 'PAUSED']);
  });

  it('expires from its moment on', () => {
    expect(isExpired({ expiresAt: 5_000 }, 4_999)).to.equal(false);
    expect(isExpired({ expiresAt: 5_000 }, 5_000)).to.equal(true);
    expect(isExpired({ expiresAt: null }, 9e15)).to.equal(false);
  });

  it('that was met while nobody watched fires late or waits for the next crossing', () => {
    expect(whenWatchedAgain({ onMissed: 'FIRE' }, true)).to.equal('fire_late');
    expect(whenWatchedAgain({ onMissed: 'SKIP' }, true)).to.equal('wait_for_crossing');
    expect(whenWatchedAgain({ onMissed: 'FIRE' }, false)).to.equal('watch');
    expect(whenWatchedAgain({ onMissed: 'SKIP' }, false)).to.equal('watch');
  });

  it('finds the only leg of a side', () => {
    const { legs } = conditionTrigger();
    expect(onlyLeg(legs, 'BUY')?.symbol).to.equal('BTC-PERP');
    expect(onlyLeg([...legs, ...legs], 'BUY')).to.equal(undefined);
    expect(onlyLeg([], 'SELL')).to.equal(undefined);
  });
});
