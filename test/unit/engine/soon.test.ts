/** Questions to a venue by whoever only looks. */
import { expect } from 'chai';
import { soon } from '../../../gateway/engine/core/soon.ts';

describe('a look at a venue', () => {
  /** A clock whose two seconds are over when the test says so. */
  function patience() {
    const runs = new Set<() => void>();
    const after = (_: number, run: () => void) => {
      runs.add(run);
      return () => void runs.delete(run);
    };
    const over = () => {
      for (const run of runs) run();
    };
    return { clock: { after }, waiting: () => runs.size, over };
  }

  it('has the answer, and leaves no timer behind', async () => {
    const { clock, waiting } = patience();
    expect(await soon(clock, {}, 'balances', async () => 7)).to.equal(7);
    expect(waiting()).to.equal(0);
  });

  /** Questions that are answered when the test says so, the oldest first. */
  function questions() {
    const open: ((value: number) => void)[] = [];
    const ask = () => new Promise<number>((resolve) => void open.push(resolve));
    return { ask, open, answer: (value: number) => open.shift()?.(value) };
  }

  it('has none from a venue that hangs, which is not asked again meanwhile', async () => {
    const { clock, over } = patience();
    const { ask, open, answer } = questions();
    const venue = {};
    const first = soon(clock, venue, 'balances', ask);
    over();
    expect(await first).to.equal(null);
    expect(await soon(clock, venue, 'balances', ask)).to.equal(null);
    expect(open).to.have.length(1);

    // A late answer belongs to an older request. Nobody gets it now.
    answer(7);
    await new Promise(setImmediate);
    const third = soon(clock, venue, 'balances', ask);
    answer(8);
    expect(await third).to.equal(8);
  });

  it('is not answered by a question that was asked before it', async () => {
    const { clock } = patience();
    const { ask, answer } = questions();
    const venue = {};
    const before = soon(clock, venue, 'positions', ask);
    const after = soon(clock, venue, 'positions', ask);
    answer(1);
    answer(2);
    expect(await before).to.equal(1);
    expect(await after).to.equal(2);
  });

  it('asks again once all that hung have ended, one by its failure', async () => {
    const { clock, over } = patience();
    const { ask, open, answer } = questions();
    const venue = {};
    let fail = (_: Error) => {};
    const failing = () =>
      new Promise<number>((_, reject) => {
        fail = reject;
      });
    const both = [soon(clock, venue, 'balances', ask), soon(clock, venue, 'balances', failing)];
    over();
    expect(await Promise.all(both)).to.deep.equal([null, null]);
    answer(1);
    await new Promise(setImmediate);
    expect(await soon(clock, venue, 'balances', ask)).to.equal(null);
    fail(new Error('refused'));
    await new Promise(setImmediate);
    const again = soon(clock, venue, 'balances', ask);
    expect(open).to.have.length(1);
    answer(2);
    expect(await again).to.equal(2);
  });

  it('keeps questions of other venues and of other kinds apart', async () => {
    const { clock } = patience();
    const venue = {};
    const never = () => new Promise<number>(() => {});
    void soon(clock, venue, 'balances', never);
    expect(await soon(clock, venue, 'positions', async () => 1)).to.equal(1);
    expect(await soon(clock, {}, 'balances', async () => 2)).to.equal(2);
  });

  it('fails as the question does, and is asked again', async () => {
    const { clock } = patience();
    const venue = {};
    const failing = soon(clock, venue, 'balances', async () => {
      throw new Error('refused');
    });
    expect(await failing.catch((error: Error) => error.message)).to.equal('refused');
    expect(await soon(clock, venue, 'balances', async () => 3)).to.equal(3);
  });
});
