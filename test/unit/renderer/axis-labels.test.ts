/** Labels of levels that the end of the price axis would cut. */
import { expect } from 'chai';
import { cutLabels } from '../../../renderer/components/axis-labels.ts';

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
    expect(cut(null, 100, 101, 102, 103)).to.deep.equal([]);
  });

  it('are left out where others push them over the end, the farthest first', () => {
    expect(cut(160, 165, 170, 175)).to.deep.equal([]);
    expect(cut(110, 112, 114, 116, 118, 120, 122)).to.deep.equal(['5']);
    expect(cut(90, 88, 86, 84, 82, 80, 78)).to.deep.equal(['5']);
  });

  it('are of lines on the scale alone', () => {
    expect(cut(100, 400, -50, null)).to.deep.equal([]);
  });
});
