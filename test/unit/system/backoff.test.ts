import { expect } from 'chai';
import { createBackoff } from '../../../gateway/system/backoff.ts';

describe('backoff', () => {
  it('doubles its bound up to the maximum and starts small again after a success', () => {
    const backoff = createBackoff({ baseMs: 100, maxMs: 1_000, random: () => 1 - Number.EPSILON });
    const delays = Array.from({ length: 6 }, () => backoff.nextDelayMs());
    expect(delays).to.deep.equal([100, 200, 400, 800, 1_000, 1_000]);
    backoff.reset();
    expect(backoff.nextDelayMs()).to.equal(100);
  });

  it('spreads between a tenth and the whole of the bound', () => {
    expect(createBackoff({ baseMs: 100, maxMs: 1_000, random: () => 0 }).nextDelayMs()).to.equal(10);
  });

  it('stays at the maximum however long it goes on', () => {
    const backoff = createBackoff({ baseMs: 100, maxMs: 1_000, random: () => 0.5 });
    for (let attempt = 0; attempt < 2_000; attempt += 1) backoff.nextDelayMs();
    expect(backoff.nextDelayMs()).to.equal(550);
  });
});
