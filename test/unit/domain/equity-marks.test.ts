/** Equity that is sampled: days, returns and risk against values that were computed elsewhere. */

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { atto, attoText } from '../../../gateway/domain/atto.ts';
import { drawdowns, equityCurve } from '../../../gateway/domain/equity-curve.ts';
import type { EquityMark } from '../../../gateway/domain/equity-mark.ts';
import { DAY_MS } from '../../../gateway/domain/history-range.ts';
import { type ExpectedMetrics, expectFigure, expectMetrics } from './reference-metrics.ts';

/** Sampled histories with metrics computed independently; `test/data/equity-references.py` has the derivation. */
interface EquityReference {
  readonly name: string;
  /** Equity before the first day, USD. */
  readonly capital: string;
  readonly days: readonly {
    /** Realised, net of fees and funding, USD. */
    readonly net: string;
    readonly samples: readonly {
      /** Minute of the day. */
      readonly minute: number;
      readonly deposits: string;
      readonly pnl: string;
      readonly unrealized: string;
    }[];
  }[];
  readonly series: readonly {
    readonly equity: string;
    readonly net: string;
    readonly unrealized: string;
    /** Paid in that day. */
    readonly came: string;
    readonly basis: 'MARKED' | 'REALIZED';
  }[];
  readonly returns: readonly string[];
  readonly expected: ExpectedMetrics;
}

function equityReferences(): readonly EquityReference[] {
  return JSON.parse(readFileSync(new URL('../../data/equity-references.json', import.meta.url), 'utf8'));
}

const FIRST = Date.UTC(2025, 2, 3);
/** Relative error that figures may have. */
const WITHIN = 1e-9;

function curveOf({ capital, days }: EquityReference) {
  let paid: bigint | null = null;
  const marks = days.flatMap(({ samples }, number) =>
    samples.map((sample): EquityMark => {
      const deposits = atto(sample.deposits);
      const flow = paid === null ? 0n : deposits - paid;
      paid = deposits;
      return {
        at: FIRST + number * DAY_MS + sample.minute * 60_000,
        deposits,
        flow,
        pnl: atto(sample.pnl),
        unrealized: atto(sample.unrealized),
      };
    }),
  );
  const dayOf = ({ at }: EquityMark) => Math.floor(at / DAY_MS);
  return equityCurve(
    days.map(({ net }, number) => ({ start: FIRST + number * DAY_MS, net: atto(net) })),
    atto(capital),
    FIRST,
    FIRST + days.length * DAY_MS,
    {
      first: marks[0] ?? null,
      closes: marks.filter((mark, index) => {
        const next = marks[index + 1];
        return next === undefined || dayOf(next) !== dayOf(mark);
      }),
      flows: marks.filter(({ flow }) => flow !== 0n),
    },
  );
}

describe('sampled equity: against independent references', () => {
  for (const reference of equityReferences()) {
    it(reference.name, () => {
      const curve = curveOf(reference);
      expect(
        curve.map(({ equity, net, unrealized, deposits, basis }) => ({
          equity: attoText(equity),
          net: attoText(net),
          unrealized: attoText(unrealized),
          came: attoText(deposits),
          basis,
        })),
      ).to.deep.equal(
        reference.series.map((day) => ({
          equity: attoText(atto(day.equity)),
          net: attoText(atto(day.net)),
          unrealized: attoText(atto(day.unrealized)),
          came: attoText(atto(day.came)),
          basis: day.basis,
        })),
      );
      for (const [number, day] of curve.entries())
        expectFigure(day.return, reference.returns[number] ?? null, `return of day ${number}`, WITHIN);
      expectMetrics(curve, reference.expected, FIRST, WITHIN);
    });
  }

  it('a part of a curve is the same days', () => {
    const reference = equityReferences().find(({ name }) => name === 'deposits-and-withdrawals');
    if (reference === undefined) throw new Error('no reference');
    const whole = curveOf(reference);
    expect(drawdowns(whole.slice(50))).to.have.length(whole.length - 50);
    expect(whole.slice(50)[0]?.indexBefore).to.equal(whole[49]?.index);
  });
});
