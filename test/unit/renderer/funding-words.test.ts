/** Time until funding is due, in words. */
import { expect } from 'chai';
import {
  NO_PAYMENT,
  paymentIn,
  paymentWords,
} from '../../../renderer/features/next-funding/funding-words.ts';

const MINUTE = 60_000;

describe('the next payment of funding', () => {
  it('is never due before it says so, and keeps its minutes beyond an hour', () => {
    expect(paymentIn(12 * MINUTE + 59_999, 0)).to.equal('in 12 min');
    expect(paymentIn(12 * MINUTE, 0)).to.equal('in 12 min');
    expect(paymentIn(59_999, 0)).to.equal('in 59 s');
    expect(paymentIn(100 * MINUTE, 0)).to.equal('in 1 h 40 min');
    expect(paymentIn(8 * 60 * MINUTE, 0)).to.equal('in 8 h');
    expect(paymentIn(0, 0)).to.equal('now');
    expect(paymentIn(0, MINUTE)).to.equal('now');
  });

  it('is said with its time and how often it comes', () => {
    const words = (intervalHours: number) =>
      paymentWords({ at: 30 * MINUTE, intervalHours }, 0, (at) => `00:${at / MINUTE}`);
    expect(words(1)).to.equal('Next payment in 30 min, at 00:30, then every hour');
    expect(words(8)).to.equal('Next payment in 30 min, at 00:30, then every 8 h');
  });

  it('is not said to be untold by the venue while it is read, or could not be', () => {
    expect(NO_PAYMENT.untold).to.match(/venue has not told/);
    expect(NO_PAYMENT.reading).to.match(/being read/);
    expect(NO_PAYMENT.unread).to.match(/could not be read/);
  });
});
