/** The two thresholds of a warning, and how far the distance has to come back before it is given again. */
import { expect } from 'chai';
import { type Warned, warningStep } from '../../../gateway/domain/liquidation-warning.ts';

/** Warnings at each of these distances one after the other, `-` for none. */
function told(...distances: readonly number[]): string {
  let warned: Warned = 'NOTHING';
  return distances
    .map((distance) => {
      const { next, tells } = warningStep(warned, distance, distance);
      warned = next;
      return tells ? next : '-';
    })
    .join(' ');
}

describe('warnings of a liquidation', () => {
  for (const [why, distances, expected] of [
    ['once below each threshold', [0.3, 0.099, 0.08, 0.049, 0.01], '- BELOW_10 - BELOW_5 -'],
    ['not at a threshold', [0.1, 0.1], '- -'],
    ['the nearer alone where it is crossed at once', [0.5, 0.03, 0.08], '- BELOW_5 -'],
    ['10 % not again at 12 %', [0.09, 0.12, 0.09], 'BELOW_10 - -'],
    ['10 % again after more than 12 %', [0.09, 0.1201, 0.09], 'BELOW_10 - BELOW_10'],
    ['5 % not again at 7 %', [0.04, 0.07, 0.04], 'BELOW_5 - -'],
    ['5 % again after more than 7 %, and 10 % not', [0.04, 0.0701, 0.04], 'BELOW_5 - BELOW_5'],
    ['both again after more than 12 %', [0.04, 0.2, 0.09, 0.04], 'BELOW_5 - BELOW_10 BELOW_5'],
    [
      'a price that trembles around both',
      [0.101, 0.099, 0.101, 0.051, 0.049, 0.051, 0.049],
      '- BELOW_10 - - BELOW_5 - -',
    ],
    ['beyond what is looked for', [0.04, Number.POSITIVE_INFINITY, 0.09], 'BELOW_5 - BELOW_10'],
  ] as const)
    it(`are given ${why}`, () => expect(told(...distances)).to.equal(expected));

  it('are given and taken back when two looks agree', () => {
    expect(warningStep('NOTHING', 0.2, 0.04)).to.deep.equal({ next: 'NOTHING', tells: false });
    expect(warningStep('NOTHING', 0.09, 0.04)).to.deep.equal({ next: 'BELOW_10', tells: true });
    expect(warningStep('BELOW_10', 0.09, 0.04)).to.deep.equal({ next: 'BELOW_10', tells: false });
    expect(warningStep('BELOW_5', 0.04, 0.5)).to.deep.equal({ next: 'BELOW_5', tells: false });
    expect(warningStep('BELOW_5', 0.08, 0.5)).to.deep.equal({ next: 'BELOW_10', tells: false });
  });
});
