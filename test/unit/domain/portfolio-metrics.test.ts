/** Every metric against values that were computed elsewhere, and null where the data define none. */
import { expect } from 'chai';
import fc from 'fast-check';
import { atto, attoText } from '../../../gateway/domain/atto.ts';
import {
  calmar,
  drawdowns,
  equityCurve,
  maxDrawdown,
  ulcerIndex,
} from '../../../gateway/domain/equity-curve.ts';
import { DAY_MS } from '../../../gateway/domain/history-range.ts';
import { momentsOf } from '../../../gateway/domain/moments.ts';
import {
  beta,
  rollingMetrics,
  sharpe,
  sortino,
  tailRisk,
  volatility,
} from '../../../gateway/domain/return-metrics.ts';
import { portfolioReferences } from '../../support/portfolio-references.ts';
import { forAll } from '../../support/property-runs.ts';
import { expectFigure, expectMetrics, returnsOf } from './reference-metrics.ts';

const FIRST = Date.UTC(2025, 2, 3);

function expectClose(value: number | null, expected: number | null): void {
  // Also where both are infinite, which nothing is near to.
  if (expected === null || value === null || value === expected) expect(value).to.equal(expected);
  else expect(value).to.be.closeTo(expected, Math.max(1, Math.abs(expected)) * 1e-9);
}

describe('portfolio metrics: against independent references', () => {
  for (const { name, capital, nets, market, expected } of portfolioReferences()) {
    it(name, () => {
      // Days that brought nothing are not stored: the curve has to fill them in.
      const days = nets
        .map((net, day) => ({ start: FIRST + day * DAY_MS, net: atto(net) }))
        .filter(({ net }) => net !== 0n);
      const curve = equityCurve(days, atto(capital), FIRST, FIRST + nets.length * DAY_MS);
      expect(curve).to.have.length(nets.length);
      expectMetrics(curve, expected, FIRST);
      const compared = curve.flatMap((day, index) => {
        const other = market[index] ?? null;
        return day.return === null
          ? []
          : [{ own: day.return, market: other === null ? null : Number(other) }];
      });
      expectFigure(beta(compared), expected.beta, 'beta');
      const last = rollingMetrics(returnsOf(curve), 7).at(-1);
      for (const metric of ['sharpe', 'sortino', 'volatility'] as const) {
        expectFigure(last?.[metric] ?? null, expected.rolling?.[metric] ?? null, `rolling ${metric}`);
      }
    });
  }
});

describe('portfolio metrics: what the data do not define', () => {
  it('is null without a day', () => {
    const curve = equityCurve([], atto('1000'), FIRST, FIRST);
    const none = momentsOf([]);
    expect(curve).to.deep.equal([]);
    expect([sharpe(none), sortino(none), volatility(none), tailRisk([]), beta([])]).to.deep.equal([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect([maxDrawdown(curve), calmar(curve), ulcerIndex(curve)]).to.deep.equal([null, null, null]);
  });

  it('is null, not infinite, for returns that never differ or never fall', () => {
    const same = Array.from({ length: 30 }, () => 0.1);
    expect(sharpe(momentsOf(same))).to.equal(null);
    expect(sortino(momentsOf(same))).to.equal(null);
    expect(volatility(momentsOf(same))).to.equal(0);
  });

  it('is null for a tail of fewer than twenty days', () => {
    const days = Array.from({ length: 19 }, (_, day) => day / 1_000);
    expect(tailRisk(days)).to.equal(null);
    expect(tailRisk([...days, 0.5])).to.not.equal(null);
  });

  it('has no return on a day that begins with nothing, and no drawdown of nothing', () => {
    const days = [
      { start: FIRST, net: atto('-10') },
      { start: FIRST + DAY_MS, net: atto('5') },
    ];
    const curve = equityCurve(days, atto('10'), FIRST, FIRST + 2 * DAY_MS);
    expect(curve.map((day) => day.return)).to.deep.equal([-1, null]);
    expect(drawdowns(curve)).to.deep.equal([1, 0.5]);
    expect(calmar(equityCurve(days, atto('10'), FIRST, FIRST + DAY_MS))).to.equal(null);
  });

  it('counts what came before the range as capital', () => {
    const days = [
      { start: FIRST, net: atto('100') },
      { start: FIRST + 3 * DAY_MS, net: atto('-11') },
    ];
    const curve = equityCurve(days, atto('1000'), FIRST + 2 * DAY_MS, FIRST + 4 * DAY_MS);
    expect(curve.map(({ equity }) => attoText(equity))).to.deep.equal(['1100', '1089']);
    expect(curve.map((day) => day.return)).to.deep.equal([0, -0.01]);
  });

  it('rolls nothing before its window is full', () => {
    const rolled = rollingMetrics([0.1, -0.1, 0.2, null, 0.1], 3);
    expect(rolled.map(({ volatility: value }) => value !== null)).to.deep.equal([
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('rolls as if each window were looked at alone, whatever its length', () => {
    const return_ = fc.option(fc.double({ min: -0.2, max: 0.2, noNaN: true }), { freq: 9 });
    forAll([fc.array(return_, { maxLength: 60 }), fc.integer({ min: 2, max: 25 })], (returns, window) => {
      for (const [day, rolled] of rollingMetrics(returns, window).entries()) {
        const inside = returns.slice(Math.max(0, day + 1 - window), day + 1).filter((one) => one !== null);
        const alone = momentsOf(inside);
        const isFull = inside.length === window;
        expectClose(rolled.volatility, isFull ? volatility(alone) : null);
        expectClose(rolled.sortino, isFull ? sortino(alone) : null);
      }
    });
  });
});
