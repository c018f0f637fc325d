import { expect } from 'chai';
import { createLoginThrottle } from '../../../gateway/auth/login-throttle.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

describe('login throttle', () => {
  it('remembers a bounded number of e-mails and drops the one longest untouched', async () => {
    const clock = createFakeClock();
    const throttle = createLoginThrottle(clock, 3);
    for (let attempt = 0; attempt < 10; attempt += 1) await throttle.hold('target@example.com');
    await throttle.hold('a@example.com');
    await throttle.hold('b@example.com');
    const held = throttle.hold('target@example.com');
    expect(clock.pending()).to.equal(1);
    await throttle.hold('c@example.com');
    await throttle.hold('d@example.com');
    expect(throttle.size()).to.equal(3);
    const still = throttle.hold('target@example.com');
    expect(clock.pending()).to.equal(2);
    await clock.advance(5_000);
    await Promise.all([held, still]);
  });

  it('forgets on success', async () => {
    const clock = createFakeClock();
    const throttle = createLoginThrottle(clock);
    for (let attempt = 0; attempt < 10; attempt += 1) await throttle.hold('a@example.com');
    throttle.clear('a@example.com');
    await throttle.hold('a@example.com');
    expect(clock.pending()).to.equal(0);
  });
});
