/** Metrics of an equity curve beside those that were computed elsewhere. */
import { expect } from 'chai';
import { attoText } from '../../../gateway/domain/atto.ts';
import { calmar, type equityCurve, maxDrawdown, ulcerIndex } from '../../../gateway/domain/equity-curve.ts';
import { DAY_MS } from '../../../gateway/domain/history-range.ts';
import { momentsOf } from '../../../gateway/domain/moments.ts';
import { sharpe, sortino, tailRisk, volatility } from '../../../gateway/domain/return-metrics.ts';
import type { PortfolioReference } from '../../support/portfolio-references.ts';

export type ExpectedMetrics = Omit<PortfolioReference['expected'], 'beta' | 'rolling'>;

/** @param within relative error */
export function expectFigure(
  value: number | null,
  expected: string | null,
  name: string,
  within = 1e-10,
): void {
  if (expected === null || value === null) expect(value, name).to.equal(expected);
  else expect(value, name).to.be.closeTo(Number(expected), Math.max(1, Math.abs(+expected)) * within);
}

/** Returns of the days that have one. */
export const returnsOf = (curve: ReturnType<typeof equityCurve>) =>
  curve.flatMap((day) => (day.return === null ? [] : [day.return]));

/** @param first start of the first day, epoch ms */
export function expectMetrics(
  curve: ReturnType<typeof equityCurve>,
  expected: ExpectedMetrics,
  first: number,
  within = 1e-10,
): void {
  const compare = (value: number | null, wanted: string | null | undefined, name: string) =>
    expectFigure(value, wanted ?? null, name, within);
  const returns = returnsOf(curve);
  const moments = momentsOf(returns);
  compare(sharpe(moments), expected.sharpe, 'sharpe');
  compare(sortino(moments), expected.sortino, 'sortino');
  compare(volatility(moments), expected.volatility, 'volatility');
  compare(calmar(curve), expected.calmar, 'calmar');
  compare(ulcerIndex(curve), expected.ulcerIndex, 'ulcer index');
  const tail = tailRisk(returns);
  compare(tail?.valueAtRisk ?? null, expected.valueAtRisk95, 'value at risk');
  compare(tail?.expectedShortfall ?? null, expected.expectedShortfall95, 'expected shortfall');
  const fall = maxDrawdown(curve);
  const dayOf = (start: number | null | undefined) => (start == null ? null : (start - first) / DAY_MS);
  compare(fall === null ? null : fall.share * 100, expected.maxDrawdown?.pct, 'drawdown');
  compare(fall === null ? null : Number(attoText(fall.value)), expected.maxDrawdown?.value, 'USD');
  expect([dayOf(fall?.from), dayOf(fall?.to), dayOf(fall?.recoveredAt)]).to.deep.equal([
    expected.maxDrawdown?.from ?? null,
    expected.maxDrawdown?.to ?? null,
    expected.maxDrawdown?.recoveredAt ?? null,
  ]);
}
