/** Columns that come and go by room: in their order, and never before what they stand beside has all it needs. */
import { expect } from 'chai';
import type { Work } from '../../../renderer/features/at-work/work.ts';
import { leastPx } from '../../../renderer/features/at-work/work-px.ts';
import { namePx } from '../../../renderer/features/basket-name/basket-name.ts';
import { byRoom } from '../../../renderer/features/fitting-columns/by-room.ts';

const column = (id: string) => ({ id, header: id, cell: () => id });
const all = ['name', 'size', 'net', 'age'].map(column);
const shown = (width: number, always: number) =>
  byRoom(all, always, [
    ['net', 70],
    ['age', 50],
  ])
    .filter(({ from = 0 }) => width >= from)
    .map(({ id }) => id);

describe('columns by room', () => {
  it('give way one after the other, the last of the order first', () => {
    expect(shown(2000, 490)).to.deep.equal(['name', 'size', 'net', 'age']);
    expect(shown(650, 490)).to.deep.equal(['name', 'size', 'net', 'age']);
    expect(shown(600, 490)).to.deep.equal(['name', 'size', 'net']);
    expect(shown(480, 490)).to.deep.equal(['name', 'size']);
  });

  it('give way to the name of a basket before it is cut', () => {
    const leg = (ticker: string, side: 'BUY' | 'SELL') => ({ ticker, side });
    const pair = { legs: [leg('BTC', 'BUY'), leg('ETH', 'SELL')] };
    const six = { legs: [...'ABC'].flatMap((one) => [leg(`${one}LONG`, 'BUY'), leg(`${one}SHRT`, 'SELL')]) };
    const [short, long] = [namePx([pair]), namePx([pair, six])];
    expect(long).to.be.above(short + 70);
    expect(shown(650, 390 + short)).to.include('age');
    expect(shown(650, 390 + long)).to.not.include('age');
    const work = [
      { where: 'twap', count: 1, text: 'TWAP 9/10', brief: 'TWAP 9/10' },
      { where: 'triggers', count: 2, text: '2 triggers', brief: '2 triggers' },
    ] as const;
    const worked = { id: 'a', basketKey: 'a', ...pair };
    const least = (of: readonly Work[]) => leastPx([worked], () => of, 300);
    expect(least(work))
      .to.be.above(least(work.slice(0, 1)))
      .and.above(least([]) + 70);
    // Over in a moment: no column moves for it.
    const closing = { where: 'executions', count: 1, text: 'Closing', brief: 'Closing' } as const;
    expect(least([closing, ...work])).to.equal(least(work));
    // A warning about its legs is never cut.
    expect(
      leastPx(
        [worked],
        () => work,
        300,
        () => 110,
      ),
    ).to.equal(least(work) + 110);
    // No column moves with its progress.
    const [slice, ...more] = work;
    expect(least([{ ...slice, brief: 'TWAP 10/10' }, ...more])).to.equal(least(work));
    // Some baskets have no end.
    expect(namePx([{ legs: Array.from({ length: 20 }, () => leg('LINK', 'BUY')) }])).to.be.at.most(300);
  });
});
