/** Figures of protection against a market that is moved to the level: the metric is there, and the result is what is shown. */
import { expect } from 'chai';
import fc from 'fast-check';
import { bracketMeasure } from '../../../gateway/domain/bracket.ts';
import { measureValue } from '../../../gateway/domain/measure.ts';
import { protectionOf } from '../../../gateway/domain/protection.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const price = fc.double({ min: 1, max: 1_000, noNaN: true }).map((value) => value.toFixed(4));
const legOf = (symbol: string) =>
  fc.record({
    symbol: fc.constant(symbol),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    quantity: fc.double({ min: 0.01, max: 50, noNaN: true }).map((value) => value.toFixed(3)),
    entry: price,
    mark: price,
  });
const basket = fc
  .tuple(legOf('A'), legOf('B'), legOf('C'))
  .chain((legs) => fc.integer({ min: 1, max: 3 }).map((count) => legs.slice(0, count)));
const metric = fc.constantFrom(
  ...(['PERCENTAGE', 'DOLLAR', 'POSITION_VALUE', 'PRICE', 'PRICE_RATIO', 'WEIGHTED_RATIO'] as const),
);

describe('protection in figures', () => {
  it('is what the position has made when its metric is at the level', () =>
    forAll(
      [basket, metric, fc.double({ min: 0.5, max: 1.5, noNaN: true })],
      propertyRuns(200),
      (asked, type, times) => {
        const legs = asked.map(({ entry, ...leg }) => ({
          ...leg,
          entryNotional: String(Number(leg.quantity) * Number(entry)),
        }));
        const measure = bracketMeasure(type, legs);
        if (!measure.ok) return;
        const factsAt = (step: number, signs: ReadonlyMap<string, number>) => ({
          price: (symbol: string) => {
            const mark = legs.find((leg) => leg.symbol === symbol)?.mark;
            return mark === undefined ? undefined : String(Number(mark) * step ** (signs.get(symbol) ?? 0));
          },
          figure: () => undefined,
        });
        const facts = factsAt(1, new Map());
        const now = Number(measureValue(measure.value, facts));
        const level = type === 'DOLLAR' || type === 'PERCENTAGE' ? Math.abs(now * times) + 1 : now * times;
        if (!(level > 0.0001)) return;
        const bracket = { type, value: level.toFixed(6), trailing: null };
        const shown = protectionOf(
          'TAKE_PROFIT',
          { bracket, direction: 'MORE_THAN', peak: null },
          legs,
          facts,
        );
        expect(Number(shown.now)).to.be.closeTo(now, Math.abs(now) * 1e-6 + 1e-9);
        const result = Number(shown.resultUsd);
        const cost = legs.reduce((sum, leg) => sum + Number(leg.entryNotional), 0);
        if (type === 'DOLLAR') expect(result).to.be.closeTo(level, 0.011);
        else if (type === 'PERCENTAGE')
          expect(result).to.be.closeTo((level * cost) / 100, 0.011 + cost * 1e-7);
        else if (type === 'POSITION_VALUE') expect(result).to.be.closeTo(level - cost, 0.011);
        else {
          // Bisects the common move of all legs until the metric is at the level.
          const isShort = type === 'PRICE' && legs.every(({ side }) => side === 'SELL');
          const signs = new Map(legs.map((leg) => [leg.symbol, leg.side === 'BUY' || isShort ? 1 : -1]));
          let [low, high] = [0.01, 100];
          for (let turn = 0; turn < 80; turn += 1) {
            const middle = Math.sqrt(low * high);
            if (Number(measureValue(measure.value, factsAt(middle, signs))) < level) low = middle;
            else high = middle;
          }
          const at = factsAt(low, signs);
          const pnl = legs.reduce((sum, leg) => {
            const gain = Number(leg.quantity) * Number(at.price(leg.symbol)) - Number(leg.entryNotional);
            return leg.side === 'BUY' ? sum + gain : sum - gain;
          }, 0);
          expect(result).to.be.closeTo(pnl, 0.05 + Math.abs(pnl) * 1e-4 + cost * 1e-4);
        }
      },
    ));
});
