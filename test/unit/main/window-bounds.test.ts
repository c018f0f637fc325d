/** Whatever was remembered and whatever screens there are: the window is where somebody can see and move it. */
import { expect } from 'chai';
import fc from 'fast-check';
import { clampToScreens } from '../../../main/window/window-bounds.ts';
import { forAll } from '../../support/property-runs.ts';

const screen = fc.record({
  x: fc.integer({ min: -5_000, max: 5_000 }),
  y: fc.integer({ min: -3_000, max: 3_000 }),
  width: fc.integer({ min: 640, max: 4_000 }),
  height: fc.integer({ min: 480, max: 2_200 }),
});
const place = fc.record({
  x: fc.integer({ min: -10_000, max: 10_000 }),
  y: fc.integer({ min: -10_000, max: 10_000 }),
  width: fc.integer({ min: 1, max: 9_000 }),
  height: fc.integer({ min: 1, max: 9_000 }),
  isMaximized: fc.boolean(),
});

describe('where the window opens', () => {
  it('lies in the work area of one of the screens', () =>
    forAll([fc.option(place), fc.array(screen, { minLength: 1, maxLength: 4 })], (kept, screens) => {
      const { x, y, width, height } = clampToScreens(kept, screens);
      return screens.some(
        (area) =>
          x >= area.x &&
          y >= area.y &&
          x + width <= area.x + area.width &&
          y + height <= area.y + area.height,
      );
    }));

  it('is the remembered place where that can be seen whole', () => {
    const kept = { x: 2_000, y: 100, width: 1_200, height: 800, isMaximized: false };
    const screens = [
      { x: 0, y: 0, width: 1_920, height: 1_040 },
      { x: 1_920, y: 0, width: 2_560, height: 1_400 },
    ];
    expect(clampToScreens(kept, screens)).to.deep.equal({ x: 2_000, y: 100, width: 1_200, height: 800 });
    // The second screen is gone.
    expect(clampToScreens(kept, screens.slice(0, 1))).to.deep.equal({
      x: 360,
      y: 120,
      width: 1_200,
      height: 800,
    });
  });
});
