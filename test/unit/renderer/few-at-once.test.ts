/** Many reads, few of them under way. */
import { expect } from 'chai';
import { fewAtOnce } from '../../../renderer/screens/positions/few-at-once.ts';

describe('few reads at once', () => {
  it('lets the others wait for their turn, and goes on after one that fails', async () => {
    const inTurn = fewAtOnce(2);
    const begun: number[] = [];
    let [now, most] = [0, 0];
    const read = (nth: number) =>
      inTurn(async () => {
        begun.push(nth);
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setImmediate(resolve));
        now -= 1;
        if (nth === 1) throw new Error('not read');
        return nth;
      });
    const read7 = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(read));
    expect(read7.map(({ status }) => status === 'fulfilled')).to.deep.equal(
      [0, 1, 2, 3, 4, 5, 6].map((nth) => nth !== 1),
    );
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect(most).to.equal(2);
    expect(await read(7)).to.equal(7);
  });
});
