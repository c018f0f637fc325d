import { expect } from 'chai';
import { mayTrade, moveSafety, runningSafety } from '../../../gateway/domain/safety.ts';
import { unwrap } from '../../support/unwrap.ts';

describe('the brakes', () => {
  it('let closing through in every state, and opening only while running', () => {
    for (const status of ['RUNNING', 'PAUSED', 'PANIC'] as const) {
      expect(mayTrade({ status }, 'CLOSE')).to.equal(true);
      expect(mayTrade({ status }, 'OPEN')).to.equal(status === 'RUNNING');
    }
  });

  it('remember since when, until trading goes on', () => {
    const running = runningSafety('user-1', 1);
    expect(running).to.deep.equal({
      userId: 'user-1',
      status: 'RUNNING',
      pausedAt: null,
      updatedAt: 1,
      panic: null,
    });
    const paused = unwrap(moveSafety(running, 'pause', 2));
    const panic = unwrap(moveSafety(paused, 'panic', 3));
    expect(panic).to.include({ status: 'PANIC', pausedAt: 2, updatedAt: 3 });
    expect(unwrap(moveSafety(panic, 'resume', 4))).to.include({ status: 'RUNNING', pausedAt: null });
    expect(moveSafety(running, 'resume', 5).ok).to.equal(false);
    expect(moveSafety(paused, 'pause', 5).ok).to.equal(false);
  });
});
