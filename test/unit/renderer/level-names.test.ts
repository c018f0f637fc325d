/** Names of lines at one height stand side by side, and never over each other. */
import { expect } from 'chai';
import { namePlace } from '../../../renderer/components/level-names.ts';

const at = (...spans: readonly (readonly [number, number])[]) =>
  spans.map(([left, right]) => ({ left, right }));

describe('names of lines on a chart', () => {
  it('stand at the left end, or beside those that are there already', () => {
    expect(namePlace([], 80, 300)).to.deep.equal({ left: 6, right: 86 });
    expect(namePlace(at([6, 100]), 80, 300)).to.deep.equal({ left: 104, right: 184 });
  });

  it('take the room between two others where they fit into it, else after them', () => {
    const others = at([6, 60], [160, 200]);
    expect(namePlace(others, 80, 300)).to.deep.equal({ left: 64, right: 144 });
    expect(namePlace(others, 96, 300)).to.deep.equal({ left: 204, right: 300 });
    expect(namePlace(at([110, 200]), 96, 300)).to.deep.equal({ left: 6, right: 102 });
  });

  it('end in dots where no room is as wide, and have no place where that would say nothing', () => {
    expect(namePlace(at([6, 100]), 240, 200)).to.deep.equal({ left: 104, right: 200 });
    expect(namePlace(at([6, 160]), 240, 200)).to.equal(null);
    expect(namePlace(at([6, 160], [80, 140]), 60, 200)).to.equal(null);
  });
});
