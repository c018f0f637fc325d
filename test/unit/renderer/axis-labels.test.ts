/** Labels of levels that have no place on the price axis. */
import { expect } from 'chai';
import { besideEnds, cutLabels } from '../../../renderer/components/axis-labels.ts';

const HEIGHT = 200;
const cut = (centre: number | null, ...ys: readonly (number | null)[]) => [
  ...cutLabels(
    ys.map((y, index) => ({ id: String(index), y })),
    centre,
    HEIGHT,
  ),
];

describe('labels of levels on the price axis', () => {
  it('are all there while there is room for them', () => {
    expect(cut(100, 20, 60, 140, 190)).to.deep.equal([]);
    expect(cut(100, 112, 125, 88, 76)).to.deep.equal([]);
  });

  it('are left out where others would push them away from their lines, and push no others then', () => {
    expect(cut(100, 103)).to.deep.equal(['0']);
    expect(cut(100, 110)).to.deep.equal([]);
    // The second has its place when the first has none.
    expect(cut(100, 103, 118)).to.deep.equal(['0']);
    expect(cut(100, 97, 82)).to.deep.equal(['0']);
    expect(cut(110, 112, 114, 116, 118, 120, 122)).to.deep.equal(['0', '1', '2', '4', '5']);
  });

  it('are left out where they would be pushed over the end', () => {
    expect(cut(185, 195)).to.deep.equal(['0']);
    expect(cut(15, 5)).to.deep.equal(['0']);
  });

  it('are of lines on the scale alone', () => {
    expect(cut(100, 400, -50, null)).to.deep.equal([]);
  });

  it('leave room for those of the first and the last rung', () => {
    const rungs = (ys: readonly number[]) => {
      const lines = ys.map((_, index) => ({ id: String(index), oneOf: 'ladder' }));
      const labels = ys.map((y, index) => ({ id: String(index), y }));
      // A level beside the last rung is its own.
      return [...besideEnds([...lines, { id: 'stop' }], [...labels, { id: 'stop', y: 150 }])];
    };
    expect(rungs([50, 80, 110, 140])).to.deep.equal([]);
    expect(rungs([100, 110, 120, 130, 140, 150])).to.deep.equal(['1', '4']);
    expect(rungs([100])).to.deep.equal([]);
  });

  it('leave room for the ends of each of two ladders, however their rungs are mixed', () => {
    const rung = (ladder: string, y: number) => ({ id: `${ladder} ${y}`, oneOf: ladder, y });
    const [below, above] = [
      [170, 160, 150],
      [30, 40, 50, 60],
    ];
    const lines = above.flatMap((y, index) => [
      ...(below[index] === undefined ? [] : [rung('below', below[index])]),
      rung('above', y),
    ]);
    expect([...besideEnds(lines, lines)]).to.have.members(['below 160', 'above 40', 'above 50']);
  });
});
