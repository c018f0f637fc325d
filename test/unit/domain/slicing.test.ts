import { expect } from 'chai';
import fc from 'fast-check';
import { type Decimal, dec, sum, text } from '../../../gateway/domain/decimal.ts';
import { splitByWeights, USD_STEP } from '../../../gateway/domain/exact-split.ts';
import type { LegLedger } from '../../../gateway/domain/schedule.ts';
import { planBasket } from '../../../gateway/domain/sizing.ts';
import {
  averageRatio,
  dropMissed,
  isWithinLimit,
  largestSliceCount,
  minimumAmount,
  openLedger,
  remainingOf,
  scheduleOutcome,
  scheduleProgress,
  settledUsd,
  settleLeg,
  sizeSliceLeg,
  sliceAmount,
  unitStep,
} from '../../../gateway/domain/slicing.ts';
import { forAll } from '../../support/property-runs.ts';
import { instrument, quote } from './instruments.ts';
import { ledger } from './leg-ledger.ts';

/** The slices of a plan of which every slice fills. */
function plannedAmounts(total: Decimal, sliceCount: number, by: Decimal): readonly Decimal[] {
  const amounts: Decimal[] = [];
  for (let left = sliceCount; left > 0; left -= 1) {
    const open = ledger({ total: text(total), settled: text(sum(amounts)) });
    amounts.push(sliceAmount(open, { sliceCount, left, missed: 0 }, by));
  }
  return amounts;
}

/** A positive decimal with up to 18 decimals. */
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, places]) => text(dec(String(digits)).div(dec(10).pow(places))));
const step = fc.constantFrom('0.01', '0.00001', '1', '0.5', '1000');

describe('the ledger of a schedule', () => {
  it('is opened in the unit of each leg', () => {
    const legs = [
      { symbol: 'A', side: 'BUY', mode: 'USD', amount: '500' },
      { symbol: 'B', side: 'SELL', mode: 'BASE', amount: '3' },
    ] as const;
    expect(openLedger(legs, null, () => '20')).to.deep.equal([
      ledger({ symbol: 'A', total: '500' }),
      ledger({ symbol: 'B', side: 'SELL', unit: 'BASE', total: '3', usdPerUnit: '20' }),
    ]);
    const weighted = [
      { symbol: 'A', side: 'BUY', mode: 'WEIGHT', amount: '0.3' },
      { symbol: 'B', side: 'SELL', mode: 'WEIGHT', amount: '0.7' },
    ] as const;
    expect(openLedger(weighted, '1000.01', () => '20').map(({ total }) => total)).to.deep.equal([
      '300.003',
      '700.007',
    ]);
  });

  it('reports progress that adds up exactly', () => {
    const legs = [
      ledger({ settled: '99.97' }),
      ledger({ unit: 'BASE', total: '3', settled: '1', usdPerUnit: '20.5' }),
    ];
    expect(scheduleProgress(legs)).to.deep.equal({
      totalUsd: '1061.5',
      filledUsd: '120.47',
      remainingUsd: '941.03',
    });
  });

  it('plans slices in cents or in quantity steps', () => {
    expect(text(unitStep({ unit: 'USD' }, '0.5'))).to.equal('0.01');
    expect(text(unitStep({ unit: 'BASE' }, '0.5'))).to.equal('0.5');
  });
});

describe('slices', () => {
  it('are what remains divided by the slices left, the last one takes all', () => {
    expect(plannedAmounts(dec('100'), 3, USD_STEP).map(text)).to.deep.equal(['33.33', '33.33', '33.34']);
    expect(plannedAmounts(dec('0.10007'), 4, dec('0.001')).map(text)).to.deep.equal([
      '0.025',
      '0.025',
      '0.025',
      '0.02507',
    ]);
  });

  it('add up to the last digit, each a multiple of the step but the last', () =>
    forAll([amount, fc.integer({ min: 1, max: 300 }), step], (total, count, by) => {
      // As every plan that is accepted: a plain slice is one step at least.
      fc.pre(dec(total).div(count).gte(by));
      const amounts = plannedAmounts(dec(total), count, dec(by));
      expect(amounts).to.have.length(count);
      expect(text(sum(amounts))).to.equal(text(dec(total)));
      for (const one of amounts.slice(0, -1)) {
        expect(one.isNegative()).to.equal(false);
        expect(one.mod(by).isZero()).to.equal(true);
      }
    }));

  it('carry rounding and partial fills forward, and never trade more than was asked', () =>
    forAll(
      [
        fc.constantFrom('USD' as const, 'BASE' as const),
        fc.integer({ min: 100, max: 1_000_000 }),
        fc.array(
          fc.record({
            mark: fc.integer({ min: 50, max: 200 }).map(String),
            filled: fc.constantFrom('0', '0.5', '1'),
          }),
          { minLength: 1, maxLength: 40 },
        ),
      ],
      (unit, total, slices) => {
        let leg = ledger({ unit, total: String(total), usdPerUnit: unit === 'USD' ? '1' : '100' });
        let usd = dec(0);
        const count = slices.length;
        for (const [index, { mark, filled }] of slices.entries()) {
          const asked = sliceAmount(
            leg,
            { sliceCount: count, left: count - index, missed: 0 },
            unitStep(leg, '0.001'),
          );
          expect(asked.lte(remainingOf(leg)), 'asks no more than remains').to.equal(true);
          expect(asked.lte(dec(total).mul(3).div(count)), 'at most three plain slices').to.equal(true);
          const sized = sizeSliceLeg(leg, asked, mark, '0.001');
          const quantity = text(dec(sized.quantity).mul(filled));
          usd = usd.plus(settledUsd(leg, sized, quantity));
          leg = settleLeg(leg, sized, { quantity, outside: '0', price: mark });
        }
        expect(remainingOf(leg).isNegative()).to.equal(false);
        const progress = scheduleProgress([leg]);
        expect(progress.filledUsd).to.equal(text(usd));
        expect(text(dec(progress.filledUsd).plus(progress.remainingUsd))).to.equal(progress.totalUsd);
      },
    ));

  it('that all fill leave less than one quantity step', () =>
    forAll(
      [
        fc.integer({ min: 10_000, max: 1_000_000 }),
        fc.array(fc.integer({ min: 50, max: 200 }).map(String), { minLength: 1, maxLength: 40 }),
      ],
      (total, marks) => {
        let leg = ledger({ total: String(total) });
        for (const [index, mark] of marks.entries()) {
          const plan = { sliceCount: marks.length, left: marks.length - index, missed: 0 };
          const sized = sizeSliceLeg(leg, sliceAmount(leg, plan, USD_STEP), mark, '0.001');
          leg = settleLeg(leg, sized, { quantity: sized.quantity, outside: '0', price: mark });
        }
        expect(remainingOf(leg).lt(dec('0.001').mul(marks.at(-1) ?? 0))).to.equal(true);
      },
    ));

  it('take over what was missed, up to three slices', () => {
    const at = (left: number, missed: number, settled = '0') =>
      text(sliceAmount(ledger({ settled }), { sliceCount: 10, left, missed }, USD_STEP));
    expect(at(10, 0)).to.equal('100');
    expect(at(10, 1)).to.equal('200');
    expect(at(10, 2)).to.equal('300');
    expect(at(10, 6)).to.equal('300');
    expect(at(10, 9), 'all were missed').to.equal('300');
    expect(at(2, 1, '800')).to.equal('200');
    expect(at(1, 0, '100'), 'what failed before comes on top').to.equal('300');
  });

  it('that are skipped give up their part', () => {
    const skipped = (legs: readonly LegLedger[], left: number, missed: number) =>
      dropMissed(legs, { left, missed }, () => USD_STEP);
    const dropped = skipped([ledger()], 10, 3);
    expect(dropped.map((leg) => text(remainingOf(leg)))).to.deep.equal(['700']);
    const all = skipped(dropped, 7, 7);
    expect(all.map((leg) => text(remainingOf(leg)))).to.deep.equal(['0']);
    expect(scheduleProgress(all).remainingUsd, 'it was not traded').to.equal('1000');
    // 400 and 100 are the same share, and the leg behind is made up for.
    const apart = skipped([ledger({ settled: '200' }), ledger({ settled: '25', total: '250' })], 8, 4);
    expect(apart.map((leg) => text(remainingOf(leg)))).to.deep.equal(['400', '125']);
  });
});

describe('the largest slice count', () => {
  const leg = (total: string, minimum: string) => ({
    total: dec(total),
    minimum: dec(minimum),
    step: USD_STEP,
  });

  it('is the one at which every slice of every leg meets its minimum', () => {
    expect(largestSliceCount([leg('1000', '10')])).to.equal(100);
    expect(largestSliceCount([leg('1000', '10'), leg('100', '10')])).to.equal(10);
    expect(largestSliceCount([leg('99.99', '10')])).to.equal(9);
    expect(largestSliceCount([leg('10', '10')])).to.equal(1);
    expect(largestSliceCount([leg('9.99', '10')])).to.equal(0);
    expect(largestSliceCount([leg('10.0005', '10.0001')]), 'one slice is not rounded').to.equal(1);
  });

  it('is right and one more is not', () =>
    forAll(
      [
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.constantFrom('0.01', '0.1', '1'),
      ],
      (total, minimum, by) => {
        const asked = { total: dec(total), minimum: dec(minimum).div(7), step: dec(by) };
        const count = largestSliceCount([asked]);
        const meets = (slices: number) =>
          plannedAmounts(asked.total, slices, asked.step).every((one) => one.gte(asked.minimum));
        fc.pre(count <= 400);
        if (count > 0) expect(meets(count)).to.equal(true);
        expect(meets(count + 1)).to.equal(false);
      },
    ));

  it("has minimums that the venue's sizing accepts, and a step less is refused", () =>
    forAll(
      [
        fc.constantFrom('BUY' as const, 'SELL' as const),
        fc.constantFrom('USD' as const, 'BASE' as const),
        fc.integer({ min: 1, max: 2_000_000 }).map((cents) => text(dec(cents).div(10))),
        fc.constantFrom('0', '0.01', '0.1'),
      ],
      (side, unit, mark, slippage) => {
        const rules = instrument();
        const verdict = (asked: string) =>
          planBasket(
            { legs: [{ symbol: 'BTC-PERP', side, mode: unit, amount: asked }], totalUsd: null, slippage },
            [
              {
                instrument: rules,
                quote: quote(mark),
                stale: false,
                funding: undefined,
                leverage: undefined,
                venueNet: '0',
                reduces: false,
              },
            ],
            { freeMargin: '1000000000', takerRate: '0' },
          ).legs[0]?.problem?.code;
        const least = minimumAmount({ unit, side, isWaived: false }, rules, mark, slippage);
        fc.pre(verdict(text(least)) !== 'RISK_LIMIT');
        expect(verdict(text(least))).to.equal(undefined);
        if (unit === 'BASE') {
          const less = least.minus(rules.stepSize);
          expect(verdict(text(less))).to.be.oneOf(['MIN_NOTIONAL', 'ZERO_QUANTITY']);
        }
      },
    ));

  it('needs only one step of a reduce-only leg', () => {
    const rules = instrument({ stepSize: '0.001' });
    const least = (unit: 'USD' | 'BASE') =>
      text(minimumAmount({ unit, side: 'SELL', isWaived: true }, rules, '100', '0.01'));
    expect(least('BASE')).to.equal('0.001');
    expect(least('USD')).to.equal('0.1');
  });

  it('is at least the smallest quantity that the venue takes, whoever is exempt from its minimum value', () => {
    const rules = instrument({ stepSize: '0.001', minQuantity: '0.5' });
    for (const isWaived of [false, true]) {
      const least = minimumAmount({ unit: 'BASE', side: 'SELL', isWaived }, rules, '100', '0.01');
      expect(text(least)).to.equal('0.5');
    }
  });
});

describe('splitting by weights', () => {
  it('adds up to the last digit and keeps each part within a step of its share', () =>
    forAll(
      [amount, fc.array(fc.integer({ min: 1, max: 50 }).map(dec), { minLength: 1, maxLength: 50 }), step],
      (total, weights, by) => {
        const parts = splitByWeights(dec(total), weights, dec(by));
        expect(text(sum(parts))).to.equal(text(dec(total)));
        const whole = sum(weights);
        for (const [index, part] of parts.entries()) {
          const share = dec(total)
            .mul(weights[index] ?? 0)
            .div(whole);
          expect(part.minus(share).abs().lte(by), `part ${index}`).to.equal(true);
        }
      },
    ));
});

describe('the end of a schedule', () => {
  const DUST = [dec('0.1')];

  it('waits for every slice', () => {
    for (const status of ['PENDING', 'EXECUTING'] as const) {
      expect(scheduleOutcome([{ status: 'COMPLETED' }, { status }], [ledger()], DUST)).to.equal(null);
    }
  });

  it('is complete when less than a step is left, partly when more is, failed when nothing filled', () => {
    const outcome = (settled: string, dropped = '0') =>
      scheduleOutcome([{ status: 'COMPLETED' }], [ledger({ settled, dropped })], DUST);
    expect(outcome('1000')).to.equal('complete');
    expect(outcome('999.91')).to.equal('complete');
    expect(outcome('999.9')).to.equal('complete_partly');
    expect(outcome('1')).to.equal('complete_partly');
    expect(outcome('0')).to.equal('fail');
    expect(outcome('700', '300'), 'what was dropped was not traded').to.equal('complete_partly');
    expect(scheduleOutcome([{ status: 'SKIPPED' }], [ledger()], DUST)).to.equal('fail');
  });

  it('needs every leg', () => {
    const legs = [ledger({ settled: '1000' }), ledger({ settled: '0' })];
    expect(scheduleOutcome([{ status: 'FAILED' }], legs, [...DUST, ...DUST])).to.equal('complete_partly');
  });
});

describe('limit and average ratio', () => {
  it('an opening schedule wants a low ratio, a closing one a high one', () => {
    expect(isWithinLimit('OPEN', '20', '20')).to.equal(true);
    expect(isWithinLimit('OPEN', '20', '20.1')).to.equal(false);
    expect(isWithinLimit('CLOSE', '20', '20')).to.equal(true);
    expect(isWithinLimit('CLOSE', '20', '19.9')).to.equal(false);
    expect(isWithinLimit('OPEN', null, null)).to.equal(true);
    expect(isWithinLimit('OPEN', '20', null)).to.equal(false);
  });

  it('averages fill prices by quantity', () => {
    expect(averageRatio('OPEN', [ledger()])).to.equal(null);
    const filled = ledger({ quantity: '1', notional: '100', settled: '100' });
    expect(averageRatio('OPEN', [filled, ledger({ symbol: 'B' })]), 'a leg has no price').to.equal(null);
    const part = { symbol: 'A', side: 'BUY', amount: '90', quantity: '1', mark: '90' } as const;
    const first = settleLeg(ledger({ symbol: 'A' }), part, { quantity: '1', outside: '0', price: '90' });
    const a = settleLeg(first, part, { quantity: '1', outside: '0', price: '110' });
    const b = ledger({ symbol: 'B', side: 'SELL', quantity: '8', notional: '200' });
    expect(averageRatio('OPEN', [a, b])).to.equal('2');
    expect(averageRatio('CLOSE', [a, b]), 'the position is the other way round').to.equal('0.5');
  });

  it('is between the best and worst prices of the slices, however lots round and fills differ', () => {
    const leg = fc.record({
      total: fc.integer({ min: 100, max: 10_000 }),
      lot: fc.constantFrom('0.001', '0.7', '3'),
      marks: fc.array(fc.integer({ min: 9_000, max: 11_000 }), { minLength: 3, maxLength: 3 }),
      isFixed: fc.boolean(),
    });
    return forAll([leg, leg], (long, short) => {
      const rows = [long, short].map(({ total, lot, marks, isFixed }, index) =>
        marks.reduce(
          (row, drawn) => {
            const mark = text(dec(isFixed ? (marks[0] ?? 1) : drawn).div(index === 0 ? 1_000 : 100_000));
            const sent = sizeSliceLeg(row, dec(total).div(3), mark, lot);
            return settleLeg(row, sent, { quantity: sent.quantity, outside: '0', price: mark });
          },
          ledger({ symbol: String(index), side: index === 0 ? 'BUY' : 'SELL', total: String(total) }),
        ),
      );
      fc.pre(rows.every(({ quantity }) => quantity !== '0'));
      const weight = long.total / (long.total + short.total);
      const used = [long, short].map(({ marks, isFixed }, index) =>
        marks.map((mark) => (isFixed ? (marks[0] ?? 1) : mark) / (index === 0 ? 1_000 : 100_000)),
      );
      const ratioOf = (a: number, b: number) => a ** weight / b ** (1 - weight);
      const [longs = [], shorts = []] = used;
      const ratio = Number(averageRatio('OPEN', rows));
      expect(ratio).to.be.at.most(ratioOf(Math.max(...longs), Math.min(...shorts)) * (1 + 1e-9));
      expect(ratio).to.be.at.least(ratioOf(Math.min(...longs), Math.max(...shorts)) * (1 - 1e-9));
      return true;
    });
  });
});
