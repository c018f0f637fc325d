import { expect } from 'chai';
import { onlyLeg } from '../../../gateway/domain/power-measures.ts';
import {
  cancelTrigger,
  completeTrigger,
  expireTrigger,
  failTrigger,
  fireTrigger,
  pauseTrigger,
  whenWatchedAgain,
} from '../../../gateway/domain/trigger.ts';
import { unwrap } from '../../support/unwrap.ts';
import { conditionTrigger } from './resting-records.ts';

describe('a trigger', () => {
  it('keeps what it saw and what it led to', () => {
    const seen = { value: '19.9', executionId: 'execution-1' };
    const fired = unwrap(fireTrigger(conditionTrigger(), seen, 5_000));
    expect(fired).to.include({
      status: 'TRIGGERED',
      lastValue: '19.9',
      lastCheckedAt: 5_000,
      triggeredAt: 5_000,
      executionId: 'execution-1',
      updatedAt: 5_000,
    });
    expect(unwrap(completeTrigger(fired, 'position-1', 6_000))).to.include({
      status: 'COMPLETED',
      positionId: 'position-1',
      executionId: 'execution-1',
    });
    expect(unwrap(failTrigger(fired, 'no margin', 6_000))).to.include({
      status: 'FAILED',
      error: 'no margin',
    });
  });

  it("lets the trader's pause take over a stale feed's, and not the other way round", () => {
    const stale = unwrap(pauseTrigger(conditionTrigger(), 'FEED_STALE', 2_000));
    expect(pauseTrigger(stale, 'FEED_STALE', 3_000).ok).to.equal(false);
    const taken = unwrap(pauseTrigger(stale, 'USER', 3_000));
    expect(taken).to.include({ status: 'PAUSED', pauseReason: 'USER' });
    expect(pauseTrigger(taken, 'FEED_STALE', 4_000).ok).to.equal(false);
    expect(pauseTrigger(taken, 'USER', 4_000).ok).to.equal(false);
  });

  it('ends without a pause reason', () => {
    const paused = unwrap(pauseTrigger(conditionTrigger(), 'FEED_STALE', 2_000));
    expect(unwrap(expireTrigger(paused, 3_000))).to.include({ status: 'EXPIRED', pauseReason: null });
    expect(unwrap(cancelTrigger(paused, 'the position closed', 3_000))).to.include({
      status: 'CANCELLED',
      pauseReason: null,
      error: 'the position closed',
    });
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
