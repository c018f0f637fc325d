import { expect } from 'chai';
import fc from 'fast-check';
import {
  BETA_MIN_RETURNS,
  BETA_WINDOW,
  betaOfReturns,
  logReturns,
  type PairClose,
  pairReturns,
} from '../../../gateway/domain/live-beta.ts';
import { comovement } from '../../../gateway/domain/pair-statistics.ts';
import { forAll } from '../../support/property-runs.ts';

/** Closes whose short leg has the given log returns and whose long leg has `beta` times these plus `noise`. */
function closes(
  beta: number,
  returns: readonly number[],
  noise: (at: number) => number = () => 0,
): PairClose[] {
  let long = 100;
  let short = 50;
  const rows: PairClose[] = [{ long: String(long), short: String(short) }];
  for (const [at, value] of returns.entries()) {
    short *= Math.exp(value);
    long *= Math.exp(beta * value + noise(at));
    rows.push({ long: String(long), short: String(short) });
  }
  return rows;
}

const liveBeta = (rows: readonly PairClose[]) => betaOfReturns(pairReturns(rows));
const wave = (length: number) => Array.from({ length }, (_, at) => 0.01 * Math.sin(at * 1.7));

describe('live beta', () => {
  it('is the slope of a line, worked out by hand', () => {
    expect(comovement([1, 2, 3], [2, 4, 6]).beta).to.equal(2);
    expect(comovement([1, 2, 3, 4], [1, 3, 2, 5]).beta).to.be.closeTo(1.1, 1e-12);
    expect(comovement([2, 2, 2], [1, 2, 3]).beta).to.equal(null);
    expect(logReturns([1, Math.E, 1]).map((value) => value.toFixed(9))).to.deep.equal([
      '1.000000000',
      '-1.000000000',
    ]);
  });

  it('finds the beta that the prices were made with', () =>
    forAll([fc.integer({ min: 100, max: 3_000 })], (thousandths) => {
      const beta = liveBeta(closes(thousandths / 1_000, wave(BETA_WINDOW)));
      expect(beta.ok && Number(beta.value)).to.be.closeTo(thousandths / 1_000, 1e-8);
    }));

  it('does not mind what both legs are priced in', () => {
    const rows = closes(1.4, wave(BETA_WINDOW), (at) => 0.002 * Math.cos(at * 2.3));
    const scaled = rows.map(({ long, short }) => ({
      long: String(Number(long) * 1_000),
      short: String(Number(short) / 7),
    }));
    const [plain, other] = [liveBeta(rows), liveBeta(scaled)];
    expect(plain.ok && other.ok && Math.abs(Number(plain.value) - Number(other.value))).to.be.below(1e-9);
  });

  it('looks at the latest returns only', () => {
    const early = closes(9, wave(50));
    const late = closes(1.5, wave(BETA_WINDOW));
    const beta = liveBeta([...early, ...late]);
    expect(beta.ok && Number(beta.value)).to.be.closeTo(1.5, 1e-8);
  });

  it('is undefined for too few returns, a short leg that stands still, or legs that move apart', () => {
    expect(liveBeta([])).to.deep.equal({ ok: false, error: { kind: 'too_few_returns', returns: 0 } });
    expect(liveBeta(closes(1, wave(BETA_MIN_RETURNS - 1)))).to.deep.equal({
      ok: false,
      error: { kind: 'too_few_returns', returns: BETA_MIN_RETURNS - 1 },
    });
    const still = closes(1, wave(BETA_WINDOW)).map((row) => ({ ...row, short: '50' }));
    expect(liveBeta(still)).to.deep.equal({ ok: false, error: { kind: 'no_variance' } });
    const apart = liveBeta(closes(-0.8, wave(BETA_WINDOW)));
    expect(!apart.ok && apart.error.kind).to.equal('not_positive');
  });
});
