import { expect } from 'chai';
import fc from 'fast-check';
import { type Decimal, dec, text, ZERO } from '../../../gateway/domain/decimal.ts';
import { USD_STEP } from '../../../gateway/domain/exact-split.ts';
import { forgoReduced, keptInStep } from '../../../gateway/domain/legs-in-step.ts';
import {
  dropMissed,
  remainingOf,
  scheduleOutcome,
  scheduleProgress,
  settleLeg,
  sizeSliceLeg,
  sliceAmount,
  unitStep,
} from '../../../gateway/domain/slicing.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';
import { ledger } from './leg-ledger.ts';

describe('legs of a slice', () => {
  /** Parts of the next of ten slices, of legs with these fills of 1000. */
  const partsOf = (settled: readonly string[], plan = { sliceCount: 10, left: 5, missed: 0 }) =>
    settled.map((filled, index) => {
      const leg = ledger({ symbol: String(index), settled: filled, quantity: '1' });
      const amount = sliceAmount(leg, plan, USD_STEP);
      return { leg, amount, step: USD_STEP, smallest: dec(10), lot: dec('0.1') };
    });
  const amounts = (...args: Parameters<typeof partsOf>) =>
    keptInStep(partsOf(...args), 10).map(({ leg, amount: sent }) => [leg.symbol, text(sent)]);

  it('that are level trade what remains, with missed slices too', () => {
    expect(amounts(['500', '500'])).to.deep.equal([
      ['0', '100'],
      ['1', '100'],
    ]);
    expect(amounts(['0', '0'], { sliceCount: 10, left: 9, missed: 4 })).to.deep.equal([
      ['0', '300'],
      ['1', '300'],
    ]);
    expect(amounts(['500', '500.05']), 'apart by less than one step').to.deep.equal([
      ['0', '100'],
      ['1', '99.99'],
    ]);
  });

  it('that are apart become level: the leg ahead gets a plain slice past the one behind', () => {
    expect(amounts(['500', '440'])).to.deep.equal([
      ['0', '40'],
      ['1', '100'],
    ]);
    expect(amounts(['500', '400']), 'it waits').to.deep.equal([['1', '100']]);
    expect(amounts(['500', '300']), 'more than a plain slice').to.deep.equal([['1', '140']]);
    expect(amounts(['500', '440', '480'])).to.deep.equal([
      ['0', '40'],
      ['1', '100'],
      ['2', '60'],
    ]);
  });

  const FRACTIONS = [0, 0.02, 0.1, 0.3, 0.5, 0.9, 1];
  const plans = fc.record({
    legs: fc.array(
      fc.record({
        total: fc.integer({ min: 2_000, max: 50_000 }),
        unit: fc.constantFrom('USD' as const, 'BASE' as const),
        /** One quantity step, USD. */
        lot: fc.constantFrom(0.01, 1, 15),
        /** Of each slice in turn; the last one goes on. */
        fills: fc.array(fc.constantFrom(...FRACTIONS), { minLength: 1, maxLength: 20 }),
      }),
      { minLength: 2, maxLength: 4 },
    ),
    slices: fc.integer({ min: 2, max: 20 }),
    policy: fc.constantFrom('CATCH_UP', 'SKIP'),
    missed: fc.array(fc.constantFrom(0, 0, 0, 1, 2, 5), { maxLength: 20 }),
  });

  it('stay within one slice of each other, whatever fills of them', () =>
    forAll([plans], propertyRuns(20_000, 1_000), ({ legs, slices, policy, missed }) => {
      const MARK = '100';
      const smallest = dec(20);
      let rows = legs.map(({ total, unit }, index) =>
        ledger({
          symbol: String(index),
          unit,
          total: unit === 'USD' ? String(total) : text(dec(total).div(MARK)),
          usdPerUnit: unit === 'USD' ? '1' : MARK,
        }),
      );
      /** Independent model, USD as floats: what each leg has filled. */
      const filled = legs.map(() => 0);
      const shares = () => filled.map((usd, index) => usd / (legs[index]?.total ?? 1));
      const apart = () => Math.max(...shares()) - Math.min(...shares());
      const coarsest = Math.max(...legs.map(({ lot, total }) => lot / total));
      const least = Math.max(...legs.map(({ total }) => 20 / total));
      let round = 0;
      for (let left = slices; left > 0; round += 1) {
        const late = Math.min(missed[round] ?? 0, left - 1);
        const lots = legs.map(({ lot }) => text(dec(String(lot)).div(MARK)));
        const before = apart();
        if (policy === 'SKIP') {
          rows = [
            ...dropMissed(rows, { left, missed: late }, (row) =>
              unitStep(row, lots[Number(row.symbol)] ?? '1'),
            ),
          ];
        }
        const parts = rows.flatMap((row, index) => {
          const step = unitStep(row, lots[index] ?? '1');
          const inUnit = (usd: Decimal) => (row.unit === 'USD' ? usd : usd.div(MARK));
          const plan =
            policy === 'SKIP'
              ? { sliceCount: slices, left: left - late, missed: 0 }
              : { sliceCount: slices, left, missed: late };
          const part = sliceAmount(row, plan, step);
          const lot = inUnit(dec(String(legs[index]?.lot ?? 1)));
          return remainingOf(row).lt(lot)
            ? []
            : [{ leg: row, amount: part, step, smallest: inUnit(smallest), lot }];
        });
        let largest = 0;
        for (const { leg: row, amount: part } of keptInStep(parts, slices)) {
          const index = Number(row.symbol);
          const own = legs[index];
          const sent = sizeSliceLeg(row, part, MARK, lots[index] ?? '1');
          const fraction = own?.fills[round] ?? own?.fills.at(-1) ?? 1;
          const quantity = text(dec(sent.quantity).mul(String(fraction)));
          largest = Math.max(largest, (Number(sent.quantity) * 100) / (own?.total ?? 1));
          filled[index] = (filled[index] ?? 0) + Number(quantity) * 100;
          rows = rows.map((one) =>
            one === row ? settleLeg(row, sent, { quantity, outside: '0', price: MARK }) : one,
          );
        }
        const isLevel = before < coarsest;
        const most = Math.max(
          before + 2 * coarsest,
          isLevel ? largest + coarsest : 1 / slices + Math.max(2 * coarsest, least),
        );
        expect(apart(), `slice ${round}: ${shares()}`).to.be.at.most(most + 1e-9);
        left -= late + 1;
      }
      return true;
    }));
});

describe('a position that something else reduces', () => {
  const rows = [
    ledger({ symbol: 'A', total: '6000', settled: '2000', quantity: '20' }),
    ledger({ symbol: 'B', side: 'SELL', total: '3000', settled: '400', quantity: '4' }),
  ];
  const held = (...quantities: readonly string[]) => ({
    legs: quantities.map((quantity, index) => ({ symbol: ['A', 'B'][index] ?? '', quantity })),
  });
  const forgone = (kind: 'OPEN' | 'CLOSE', before: readonly string[], after: readonly string[]) =>
    forgoReduced(kind, rows, held(...before), held(...after), () => ZERO).map((row) => row.forgone ?? '0');

  it('is made up for by as much less', () => {
    expect(forgone('OPEN', ['20', '4'], ['0', '0'])).to.deep.equal(['0', '600']);
    expect(forgone('OPEN', ['20', '4'], ['15', '3'])).to.deep.equal(['0', '150']);
    expect(forgone('OPEN', ['20', '4'], ['20', '0']), 'the leg ahead is held').to.deep.equal(['0', '0']);
    expect(forgone('OPEN', ['20', '4'], ['25', '5']), 'it grew').to.deep.equal(['0', '0']);
    expect(forgone('CLOSE', ['40', '26'], ['20', '13']), 'the gap is in the leg behind').to.deep.equal([
      '0',
      '300',
    ]);
  });

  it('gives up nothing between legs that are closer than one step', () => {
    const near = forgoReduced('OPEN', rows, held('20', '4'), held(), () => dec('1300'));
    expect(near).to.equal(rows);
  });

  it('counts as progress, but neither as filled nor as remaining to trade', () => {
    const [a = ledger(), b = ledger()] = forgoReduced('OPEN', rows, held('20', '4'), held(), () => ZERO);
    expect(text(remainingOf(b))).to.equal('2000');
    expect(scheduleProgress([a, b])).to.deep.equal({
      totalUsd: '9000',
      filledUsd: '2400',
      remainingUsd: '6600',
    });
    const ended = [
      { ...a, settled: '6000' },
      { ...b, settled: '2400' },
    ];
    expect(scheduleOutcome([{ status: 'COMPLETED' }], ended, [dec(1), dec(1)])).to.equal('complete_partly');
  });
});
