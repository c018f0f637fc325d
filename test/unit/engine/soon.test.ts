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

  it('has none from a venue that hangs, which is asked once by all who look', async () => {
    const { clock, over } = patience();
    const venue = {};
    let asked = 0;
    let answer = (_: number) => {};
    const ask = () => {
      asked += 1;
      return new Promise<number>((resolve) => {
        answer = resolve;
      });
    };
    const first = soon(clock, venue, 'balances', ask);
    over();
    expect(await first).to.equal(null);
    const second = soon(clock, venue, 'balances', ask);
    answer(7);
    expect(await second).to.equal(7);
    expect(asked).to.equal(1);
    const third = soon(clock, venue, 'balances', ask);
    answer(8);
    expect(await third).to.equal(8);
    expect(asked).to.equal(2);
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
