/** Handle and × of each line on a chart are in one row, and no × lies over another. */
import { expect } from 'chai';
import { levelPlaces } from '../../../renderer/components/level-places.ts';

const HEIGHT = 300;
const line = (id: string, y: number | null, hasHandle = true, hasCancel = true) => ({
  ...{ id, y, hasHandle, hasCancel },
});
const placed = (...lines: Parameters<typeof levelPlaces>[0]) =>
  [...levelPlaces(lines, HEIGHT)].map(([id, { y, off, shift }]) => [id, y, off, shift]);

describe('handles and × of lines', () => {
  it('stand at their line, and off the scale one under the other, the farthest at the edge', () => {
    // In whichever order they come: below, the farther one is the lower one.
    expect(placed(line('near', 320), line('far', 500), line('in', 120), line('up', -40))).to.deep.equal([
      ['up', 30, 'up', 0],
      ['in', 120, null, 0],
      ['near', 271, 'down', 0],
      ['far', 291, 'down', 0],
    ]);
  });

  it('leave rows to handles: each × without one is in the row after them, beside the others', () => {
    const rungs = [line('rung 1', 400, false), line('rung 2', 450, false)];
    expect(placed(...rungs, line('stop', 420))).to.deep.equal([
      ['rung 1', 271, 'down', 0],
      ['stop', 291, 'down', 0],
      ['rung 2', 271, 'down', 1],
    ]);
  });

  it('move a × aside where it would lie over another, no farther than that, and not for a line that has none', () => {
    expect(
      placed(
        line('one', 100),
        line('two', 110),
        line('entry', 105, true, false),
        line('three', 115),
        line('four', 120),
      ),
    ).to.deep.equal([
      ['one', 100, null, 0],
      ['entry', 105, null, 0],
      ['two', 110, null, 1],
      ['three', 115, null, 2],
      ['four', 120, null, 0],
    ]);
  });

  it('keep inside the picture, and have no place before the chart knows one', () => {
    expect(placed(line('top', 2), line('bottom', 299), line('none', null))).to.deep.equal([
      ['top', 9, null, 0],
      ['bottom', 291, null, 0],
    ]);
  });

  it('stand below the readout of a line that runs through it, after those that are off the scale', () => {
    const lines = [line('up', -40), line('behind', 25), line('below', 90)];
    const under = (px: number) => [...levelPlaces(lines, HEIGHT, px)].map(([id, { y, off }]) => [id, y, off]);
    expect(under(36)).to.deep.equal([
      ['up', 45, 'up'],
      // Its name says where it is, as it does not stand there.
      ['behind', 65, 'up'],
      ['below', 90, null],
    ]);
    expect(under(0)).to.deep.equal([
      ['up', 30, 'up'],
      ['behind', 25, null],
      ['below', 90, null],
    ]);
  });
});
