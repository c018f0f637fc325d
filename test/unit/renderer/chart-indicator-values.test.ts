/** Figures of a chart's indicators against a sheet of others and against their definitions, written out as sums. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ChartIndicator,
  type IndicatorFigures,
  runningIndicator,
} from '../../../renderer/components/chart-indicator-values.ts';
import { forAll } from '../../support/property-runs.ts';

const of = (kind: ChartIndicator['kind'], length: number, deviations = 2): ChartIndicator => ({
  ...{ id: '1', kind, length, deviations, colour: 1 },
});

/** Figures at each close. */
function figures(indicator: ChartIndicator, closes: readonly number[]): IndicatorFigures[] {
  const running = runningIndicator(indicator);
  return closes.map((close) => running.add(close, false));
}

const sum = (values: readonly number[]) => values.reduce((whole, value) => whole + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** Value at the last of the closes, by definition and from all of them; null: too few. */
const MODELS: Readonly<
  Record<ChartIndicator['kind'], (closes: readonly number[], of: ChartIndicator) => IndicatorFigures>
> = {
  sma: (closes, { length }) => [mean(closes.slice(-length))],
  ema(closes, { length }) {
    const rest = 1 - 2 / (length + 1);
    const weights = closes.map((_, index) =>
      index === 0 ? rest ** (closes.length - 1) : (1 - rest) * rest ** (closes.length - 1 - index),
    );
    return [sum(closes.map((close, index) => close * (weights[index] ?? 0)))];
  },
  bollinger(closes, { length, deviations }) {
    const window = closes.slice(-length);
    // Variance by the differences of all pairs.
    const pairs = window.flatMap((a, index) => window.slice(index + 1).map((b) => (a - b) ** 2));
    const half = deviations * Math.sqrt(sum(pairs) / length ** 2);
    return [mean(window) + half, mean(window), mean(window) - half];
  },
  rsi(closes, { length }) {
    const changes = closes.slice(1).map((close, index) => close - (closes[index] ?? 0));
    const smoothed = (moves: readonly number[]) => {
      const [first, later] = [mean(moves.slice(0, length)), moves.slice(length)];
      const rest = 1 - 1 / length;
      return (
        first * rest ** later.length +
        sum(later.map((move, index) => (move / length) * rest ** (later.length - 1 - index)))
      );
    };
    const up = smoothed(changes.map((change) => Math.max(0, change)));
    const down = smoothed(changes.map((change) => Math.max(0, -change)));
    return [down === 0 ? 100 : (100 * up) / (up + down)];
  },
};
const kinds = Object.keys(MODELS) as ChartIndicator['kind'][];
/** Closes before its first figure. */
const before = ({ kind, length }: ChartIndicator) => (kind === 'rsi' ? length : length - 1);

const closesOf = fc.array(fc.double({ min: 0.01, max: 100_000, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
});
const anyIndicator = fc
  .record({ kind: fc.constantFrom(...kinds), length: fc.integer({ min: 2, max: 30 }) })
  .map(({ kind, length }) => of(kind, length, 2.5));

function expectFigures(found: IndicatorFigures, wanted: IndicatorFigures, scale: number): void {
  expect(found === null, 'there is one').to.equal(wanted === null);
  for (const [index, value] of (wanted ?? []).entries())
    expect(found?.[index]).to.be.closeTo(value, 1e-6 * scale);
}

describe("figures of a chart's indicators", () => {
  it('are those of the sheet by which ChartSchool explains RSI', () => {
    const closes = [
      44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931,
      46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328, 46.4116, 46.2222, 45.6439, 46.2122, 46.2521, 45.7137,
      46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
    ];
    const wanted = [
      70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42, 39.99, 41.46, 41.87,
      45.46, 37.3, 33.08, 37.77,
    ];
    const found = figures(of('rsi', 14), closes);
    expect(found.slice(0, 14)).to.deep.equal(Array.from({ length: 14 }, () => null));
    expect(found.slice(14).map((one) => Number(one?.[0]?.toFixed(2)))).to.deep.equal(wanted);
  });

  it('are by definition, at every close', () =>
    forAll([closesOf, anyIndicator], (closes, indicator) => {
      const scale = Math.max(1, ...closes);
      for (const [index, found] of figures(indicator, closes).entries()) {
        const wanted =
          index < before(indicator) ? null : MODELS[indicator.kind](closes.slice(0, index + 1), indicator);
        expectFigures(found, wanted, indicator.kind === 'rsi' ? 100 : scale);
      }
    }));

  it('are, of a candle that runs, those of its last close alone', () =>
    forAll([closesOf, closesOf, anyIndicator], (closes, drafts, indicator) => {
      const running = runningIndicator(indicator);
      let last: IndicatorFigures = null;
      for (const close of closes) {
        for (const [index, draft] of drafts.slice(0, 3).entries()) running.add(draft, index > 0);
        last = running.add(close, true);
      }
      const scale = Math.max(1, ...closes);
      expectFigures(last, figures(indicator, closes).at(-1) ?? null, indicator.kind === 'rsi' ? 100 : scale);
    }));
});
