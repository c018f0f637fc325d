import { expect } from 'chai';
import fc from 'fast-check';
import { type Direction, isPast } from '../../../gateway/domain/measure.ts';
import {
  armBracket,
  firingLevel,
  followingLevel,
  followPeak,
  isPeakWorthKeeping,
} from '../../../gateway/domain/trailing.ts';
import type { ArmedBracket, Bracket, BracketKind } from '../../../gateway/domain/trigger.ts';
import { forAll } from '../../support/property-runs.ts';

const STOP: Bracket = { type: 'PRICE', value: '90', trailing: { delta: '5', activation: null } };
const PROFIT: Bracket = { type: 'PRICE', value: '120', trailing: { delta: '5', activation: null } };

/** True: the bracket fires at the value that its peak has followed. */
function bracketFires(kind: BracketKind, armed: ArmedBracket, value: string): boolean {
  const level = firingLevel(kind, armed);
  return level !== null && isPast(value, armed.direction, level);
}

/** The first value that fires, and the state then. */
function run(
  kind: BracketKind,
  bracket: Bracket,
  values: readonly string[],
  gain: Direction = 'MORE_THAN',
): string | undefined {
  let armed = armBracket(kind, bracket, gain, null);
  for (const value of values) {
    armed = followPeak(kind, armed, value);
    if (bracketFires(kind, armed, value)) return value;
  }
  return undefined;
}

describe('brackets without trailing', () => {
  it('fire beyond their level and have no peak to follow', () => {
    const plain: Bracket = { ...STOP, trailing: null };
    const armed = armBracket('STOP_LOSS', plain, 'MORE_THAN', '100');
    expect(armed).to.deep.equal({ bracket: plain, direction: 'LESS_THAN', peak: null });
    expect(followPeak('STOP_LOSS', armed, '200')).to.equal(armed);
    expect(followingLevel('STOP_LOSS', armed)).to.equal(null);
    expect(isPeakWorthKeeping(null, armed)).to.equal(false);
    expect(run('STOP_LOSS', plain, ['91', '90', '89.9'])).to.equal('89.9');
    expect(run('TAKE_PROFIT', { ...PROFIT, trailing: null }, ['119', '120', '120.1'])).to.equal('120.1');
  });
});

describe('trailing stop-loss', () => {
  it('follows from the first value on', () => {
    expect(run('STOP_LOSS', STOP, ['100', '110', '105', '104.9'])).to.equal('104.9');
  });

  it('is never looser than its own level', () => {
    expect(run('STOP_LOSS', STOP, ['92', '90', '89.9'])).to.equal('89.9');
  });

  it('keeps its own level until activation', () => {
    const later: Bracket = { ...STOP, trailing: { delta: '5', activation: '110' } };
    expect(run('STOP_LOSS', later, ['100', '109', '95', '91', '89'])).to.equal('89');
    expect(run('STOP_LOSS', later, ['100', '110', '105', '104'])).to.equal('104');
  });

  it('of a short follows downwards', () => {
    const short: Bracket = { ...STOP, value: '110' };
    expect(run('STOP_LOSS', short, ['100', '80', '85', '85.1'], 'LESS_THAN')).to.equal('85.1');
    expect(run('STOP_LOSS', short, ['108', '110', '110.1'], 'LESS_THAN')).to.equal('110.1');
  });

  it('of a percentage begins at a loss and ends in a profit', () => {
    const percent: Bracket = {
      type: 'PERCENTAGE',
      value: '2',
      trailing: { delta: '1', activation: '3' },
    };
    const armed = armBracket('STOP_LOSS', percent, 'MORE_THAN', '0');
    expect(firingLevel('STOP_LOSS', armed)).to.equal('-2');
    expect(firingLevel('STOP_LOSS', followPeak('STOP_LOSS', armed, '4'))).to.equal('3');
  });
});

describe('trailing take-profit', () => {
  it('cannot fire before its level, then fires on the retreat', () => {
    const armed = armBracket('TAKE_PROFIT', PROFIT, 'MORE_THAN', '100');
    expect(firingLevel('TAKE_PROFIT', armed)).to.equal(null);
    expect(followingLevel('TAKE_PROFIT', armed)).to.equal('120');
    expect(run('TAKE_PROFIT', PROFIT, ['100', '119', '80', '120', '130', '125', '124.9'])).to.equal('124.9');
  });

  it('begins at its activation where it has one', () => {
    const early: Bracket = { ...PROFIT, trailing: { delta: '5', activation: '105' } };
    expect(run('TAKE_PROFIT', early, ['104', '50', '105', '100', '99'])).to.equal('99');
  });
});

describe('the kept peak', () => {
  it('is written when trailing begins and then for each twentieth of delta', () => {
    const armed = armBracket('STOP_LOSS', STOP, 'MORE_THAN', '100');
    expect(isPeakWorthKeeping(null, armed)).to.equal(true);
    expect(isPeakWorthKeeping('100', armed)).to.equal(false);
    expect(isPeakWorthKeeping('100', followPeak('STOP_LOSS', armed, '100.24'))).to.equal(false);
    expect(isPeakWorthKeeping('100', followPeak('STOP_LOSS', armed, '100.25'))).to.equal(true);
  });
});

describe('trailing brackets on any path', () => {
  const kinds = fc.constantFrom<BracketKind>('TAKE_PROFIT', 'STOP_LOSS');
  const gains = fc.constantFrom<Direction>('MORE_THAN', 'LESS_THAN');
  const path = fc.array(fc.integer({ min: 1, max: 400 }).map(String), { maxLength: 60 });
  const brackets = fc.record({
    type: fc.constant('PRICE' as const),
    value: fc.integer({ min: 1, max: 400 }).map(String),
    trailing: fc.record({
      delta: fc.integer({ min: 1, max: 80 }).map(String),
      activation: fc.option(fc.integer({ min: 1, max: 400 }).map(String)),
    }),
  });

  /** The definition, over the whole history at once and in plain integers. */
  function expected(
    kind: BracketKind,
    bracket: Bracket,
    gain: Direction,
    history: readonly string[],
  ): boolean {
    const sign = gain === 'MORE_THAN' ? 1 : -1;
    const own = Number(bracket.value) * sign;
    const delta = Number(bracket.trailing?.delta);
    const asked = bracket.trailing?.activation ?? null;
    const activation =
      asked === null ? (kind === 'TAKE_PROFIT' ? own : Number.NEGATIVE_INFINITY) : Number(asked) * sign;
    const seen = history.map((value) => Number(value) * sign);
    const from = seen.findIndex((value) => value >= activation);
    const last = seen.at(-1) ?? 0;
    if (from === -1) return kind === 'STOP_LOSS' && last < own;
    const followed = Math.max(...seen.slice(from)) - delta;
    return last < (kind === 'STOP_LOSS' ? Math.max(own, followed) : followed);
  }

  it('fire exactly where the definition says', () =>
    forAll([kinds, brackets, gains, path], (kind, bracket, gain, values) => {
      let armed = armBracket(kind, bracket, gain, null);
      for (const [index, value] of values.entries()) {
        armed = followPeak(kind, armed, value);
        expect(bracketFires(kind, armed, value)).to.equal(
          expected(kind, bracket, gain, values.slice(0, index + 1)),
        );
      }
    }));

  it('are the same object while a value teaches nothing, and change only past their following level', () =>
    forAll([kinds, brackets, gains, path], (kind, bracket, gain, values) => {
      let armed: ArmedBracket = armBracket(kind, bracket, gain, null);
      for (const value of values) {
        const level = followingLevel(kind, armed);
        const next = followPeak(kind, armed, value);
        const sign = gain === 'MORE_THAN' ? 1 : -1;
        if (level !== null && Number(value) * sign < Number(level) * sign) expect(next).to.equal(armed);
        expect(followPeak(kind, next, value), 'the same value again').to.equal(next);
        armed = next;
      }
    }));

  it('after a crash with the peak last kept fire at most a twentieth of delta later', () =>
    forAll([brackets, path], (bracket, values) => {
      let kept: string | null = null;
      let armed = armBracket('STOP_LOSS', bracket, 'MORE_THAN', null);
      for (const value of values) {
        armed = followPeak('STOP_LOSS', armed, value);
        if (isPeakWorthKeeping(kept, armed)) kept = armed.peak;
        const restarted = { ...armed, peak: kept };
        const lost = Number(firingLevel('STOP_LOSS', armed)) - Number(firingLevel('STOP_LOSS', restarted));
        expect(lost).to.be.within(0, Number(bracket.trailing.delta) / 20);
      }
    }));
});
