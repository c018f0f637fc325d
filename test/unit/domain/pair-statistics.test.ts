/** Pair statistics against values computed independently (test/data/pair-reference.py), and where nothing is defined. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { engleGranger } from '../../../gateway/domain/engle-granger.ts';
import { leastSquares } from '../../../gateway/domain/least-squares.ts';
import { MIN_PAIR_OBSERVATIONS, pairStatistics } from '../../../gateway/domain/pair-statistics.ts';
import { forAll } from '../../support/property-runs.ts';

const CSV = readFileSync(new URL('../../data/candles-1m-btc-eth-sol.csv', import.meta.url), 'utf8');

function closes(symbol: string): number[] {
  return CSV.split('\n')
    .map((line) => line.split(','))
    .filter(([of]) => of === symbol)
    .sort((a, b) => Number(a[1]) - Number(b[1]))
    .map((cells) => Number(cells[5]));
}

/** `made` of pair-reference.py. */
function made(phi: number): { readonly long: number[]; readonly short: number[] } {
  const long: number[] = [];
  const short: number[] = [];
  let state = 12345n;
  let level = Math.log(100);
  let spread = 0;
  const draw = () => {
    state = (1103515245n * state + 12345n) % 2147483648n;
    return Number(state) / 2 ** 31 - 0.5;
  };
  for (let count = 0; count < 400; count += 1) {
    level += draw() * 0.02;
    spread = phi * spread + draw() * 0.01;
    short.push(Math.exp(level));
    long.push(Math.exp(0.5 + 1.3 * level + spread));
  }
  return { long, short };
}

// biome-ignore format: a table is read by its columns
const REFERENCE = [
  { pair: 'ETH on BTC', of: { long: closes('ETH'), short: closes('BTC') }, correlation: 0.7537116434174742, beta: 1.5718257603856896, intercept: -16.82226701727331, hedgeRatio: 2.141321163156622, spreadDeviation: 0.0048902216542718304, zScore: -1.2525639290147446, halfLife: 68.60043463838355, lags: 7, statistic: -0.8494820309198807, critical: [-3.9277351623837813, -3.3535433054622934, -3.0565208161157025], band: '>0.1' },
  { pair: 'SOL on ETH', of: { long: closes('SOL'), short: closes('ETH') }, correlation: 0.8163586575721073, beta: 1.1473352877506293, intercept: -8.689183908060471, hedgeRatio: 1.6993966543546832, spreadDeviation: 0.0037195019105392456, zScore: -1.781333771527474, halfLife: 18.461611606931914, lags: 7, statistic: -2.0947664916134916, critical: [-3.9277351623837813, -3.3535433054622934, -3.0565208161157025], band: '>0.1' },
  { pair: 'BTC on SOL', of: { long: closes('BTC'), short: closes('SOL') }, correlation: 0.7205852521226205, beta: 0.24585375366854634, intercept: 10.487427351137047, hedgeRatio: 0.22823004272498607, spreadDeviation: 0.0017934161431527832, zScore: 2.2642772405859968, halfLife: 54.84762779563649, lags: 7, statistic: -0.594515031088961, critical: [-3.9277351623837813, -3.3535433054622934, -3.0565208161157025], band: '>0.1' },
  { pair: 'a tied pair', of: made(0.5), correlation: 0.9080535397680871, beta: 1.323462004619613, intercept: 0.5154740955110674, hedgeRatio: 1.2966413186933767, spreadDeviation: 0.003515390422011993, zScore: -0.7187813086607325, halfLife: 1.0941358405007282, lags: 7, statistic: -6.536296719248852, critical: [-3.9245251194814665, -3.3517613918679716, -3.055287088713036], band: '<0.01' },
  { pair: 'a loosely tied pair', of: made(0.93), correlation: 0.9214546249805639, beta: 1.2950572471947774, intercept: 0.6848874134160418, hedgeRatio: 1.2597935512658633, spreadDeviation: 0.007304371230856604, zScore: -0.7224897936577099, halfLife: 7.652759541461971, lags: 7, statistic: -4.934329441393749, critical: [-3.9245251194814665, -3.3517613918679716, -3.055287088713036], band: '<0.01' },
  { pair: 'a pair that is not tied', of: made(1), correlation: 0.9234156263751344, beta: 1.2869581090530198, intercept: 1.6202736688657966, hedgeRatio: 1.0546984990737875, spreadDeviation: 0.011792997799350545, zScore: 1.135959638285213, halfLife: 18.357480678336373, lags: 7, statistic: -2.942600039957497, critical: [-3.9245251194814665, -3.3517613918679716, -3.055287088713036], band: '>0.1' },
] as const;

describe('pair statistics', () => {
  const near = (value: number | null | undefined, expected: number) =>
    expect((value ?? Number.NaN) / expected).to.be.closeTo(1, 1e-8);

  for (const { pair, of, ...expected } of REFERENCE) {
    it(`are those of an independent computation: ${pair}`, () => {
      const figures = pairStatistics(of.long, of.short);
      for (const name of [
        'correlation',
        'beta',
        'intercept',
        'hedgeRatio',
        'spreadDeviation',
        'zScore',
        'halfLife',
      ] as const)
        near(figures?.[name], expected[name]);
      near(figures?.cointegration?.statistic, expected.statistic);
      expect(figures?.cointegration).to.include({ lags: expected.lags, pValueBand: expected.band });
      for (const [index, level] of (['0.01', '0.05', '0.1'] as const).entries())
        near(figures?.cointegration?.criticalValues[level], expected.critical[index] ?? Number.NaN);
    });
  }

  it('of a price that stood still there is no spread, and it says of which', () => {
    const moving = closes('BTC');
    const still = moving.map(() => 0.073);
    for (const [long, short, gap] of [
      [still, moving, 'LONG_CONSTANT'],
      [moving, still, 'SHORT_CONSTANT'],
    ] as const) {
      const figures = pairStatistics(long, short);
      expect(figures).to.deep.include({ gap, halfLifeGap: null, spread: [] });
      for (const name of [
        'correlation',
        'hedgeRatio',
        'intercept',
        'zScore',
        'halfLife',
        'cointegration',
      ] as const)
        expect(figures?.[name], name).to.equal(null);
    }
  });

  it('tells a spread that swings from one that does not come back', () => {
    const short = closes('BTC');
    const with_ = (spread: (index: number) => number) =>
      pairStatistics(
        short.map((price, index) => price * Math.exp(spread(index))),
        short,
      );
    const swings = with_((index) => (index % 2 === 0 ? 0.01 : -0.01) * 1.01 ** index);
    expect(swings).to.include({ gap: null, halfLife: null, halfLifeGap: 'OSCILLATES' });
    const grows = with_((index) => 1e-6 * 1.02 ** index);
    expect(grows).to.include({ gap: null, halfLife: null, halfLifeGap: 'DOES_NOT_REVERT' });
    expect(pairStatistics(closes('ETH'), short)).to.include({ gap: null, halfLifeGap: null });
  });

  it('of multiples of each other: all of the movement is shared, and there is no spread', () => {
    const short = closes('BTC');
    const figures = pairStatistics(
      short.map((price) => price ** 2),
      short,
    );
    expect(figures?.correlation).to.be.closeTo(1, 1e-9);
    expect(figures?.beta).to.be.closeTo(2, 1e-9);
    expect(figures?.hedgeRatio).to.be.closeTo(2, 1e-9);
    expect(figures).to.include({ zScore: null, halfLife: null, cointegration: null, spreadDeviation: null });
  });

  it('of a price that stands still are not defined', () => {
    const figures = pairStatistics(closes('BTC'), new Array<number>(360).fill(5));
    expect(figures).to.include({
      correlation: null,
      beta: null,
      hedgeRatio: null,
      zScore: null,
      halfLife: null,
    });
    const still = pairStatistics(new Array<number>(360).fill(5), closes('BTC'));
    expect(still).to.include({ correlation: null, cointegration: null });
    expect(still?.beta).to.equal(0);
  });

  it('of too few observations are none', () => {
    const few = closes('BTC').slice(0, MIN_PAIR_OBSERVATIONS - 1);
    expect(pairStatistics(few, few)).to.equal(null);
    expect(pairStatistics([], [])).to.equal(null);
  });

  it('of a spread that never comes back have no half-life', () => {
    const short = Array.from({ length: 100 }, (_, t) => Math.exp(Math.sin(t * 1.7) * 0.01));
    const long = short.map((price, t) => price * Math.exp(1e-4 * 1.08 ** t));
    expect(pairStatistics(long, short)?.halfLife).to.equal(null);
  });

  it('take the number of lags from the number of observations', () => {
    const residuals = (n: number) => Array.from({ length: n }, (_, t) => Math.sin(t * t * 0.7));
    expect(engleGranger(residuals(344))?.lags).to.equal(7);
    expect(engleGranger(residuals(343))?.lags).to.equal(6);
    expect(engleGranger(residuals(3))).to.equal(null);
  });
});

describe('least squares', () => {
  it('has the coefficients, residuals and standard errors of a worked example', () => {
    // y = 1 + 2x + e with e = (1, −2, 1): Σe = 0 and Σxe = 0, so the line is exact; s² = 6 ÷ (3 − 2); Σ(x − 1)² = 2.
    const fit = leastSquares(
      [2, 1, 6],
      [0, 1, 2].map((x) => [1, x]),
    );
    const rounded = (values: readonly number[] | undefined) =>
      values?.map((value) => Number(value.toFixed(12)));
    expect(rounded(fit?.coefficients)).to.deep.equal([1, 2]);
    expect(rounded(fit?.residuals)).to.deep.equal([1, -2, 1]);
    expect(fit?.errors[0]).to.be.closeTo(Math.sqrt(6 * (1 / 3 + 1 / 2)), 1e-12);
    expect(fit?.errors[1]).to.be.closeTo(Math.sqrt(6 / 2), 1e-12);
  });

  it('refuses dependent regressors and too few rows', () => {
    expect(
      leastSquares(
        [1, 2, 3],
        [
          [1, 2],
          [2, 4],
          [3, 6],
        ],
      ),
    ).to.equal(null);
    expect(
      leastSquares(
        [1, 2],
        [
          [1, 0],
          [0, 1],
        ],
      ),
    ).to.equal(null);
    expect(leastSquares([], [])).to.equal(null);
  });

  it('leaves residuals that no regressor explains any further', () => {
    const row = fc.tuple(
      fc.double({ min: -9, max: 9, noNaN: true }),
      fc.double({ min: -9, max: 9, noNaN: true }),
    );
    forAll(
      [fc.array(fc.tuple(row, fc.double({ min: -9, max: 9, noNaN: true })), { minLength: 4, maxLength: 40 })],
      (rows) => {
        const design = rows.map(([[a, b]]) => [1, a, b]);
        const fit = leastSquares(
          rows.map(([, y]) => y),
          design,
        );
        fc.pre(fit !== null);
        for (const column of [0, 1, 2]) {
          const product = fit.residuals.reduce((sum, e, i) => sum + e * (design[i]?.[column] ?? 0), 0);
          expect(Math.abs(product)).to.be.lessThan(1e-6);
        }
      },
    );
  });
});
