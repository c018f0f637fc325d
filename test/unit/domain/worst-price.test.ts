/** The worst case of a trade is that of its legs one by one, in plain decimals. */
import { expect } from 'chai';
import fc from 'fast-check';
import { Decimal } from '../../../gateway/domain/decimal.ts';
import { scaled, scaledText } from '../../../gateway/domain/scaled.ts';
import { worstOfTrade } from '../../../gateway/domain/worst-price.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const Exact = Decimal.clone({ precision: 200 });

/** Up to 8 digits before and behind the point. */
const amount = fc
  .tuple(fc.nat(99_999_999), fc.stringMatching(/^[0-9]{0,8}$/))
  .map(([whole, part]) => (part === '' ? `${whole}` : `${whole}.${part}`));

const leg = fc.record({
  symbol: fc.constantFrom('BTC-PERP', 'ETH-PERP', 'SOL-PERP', 'NEW-PERP'),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  mode: fc.constantFrom('USD' as const, 'BASE' as const, 'WEIGHT' as const),
  amount,
});
const marks = fc.record({ 'BTC-PERP': amount, 'ETH-PERP': amount, 'SOL-PERP': amount });
const total = fc.option(amount);
const slippage = fc.constantFrom('0', '0.01', '0.005', '0.1234');

describe('worst case of a trade', () => {
  it('is the sum of its legs: bought ones at the slippage, shares of the total, nothing without a mark', () =>
    forAll(
      [fc.array(leg, { maxLength: 8 }), total, slippage, marks],
      propertyRuns(1_000),
      (legs, totalUsd, most, known) => {
        const markOf = (symbol: string) => new Map(Object.entries(known)).get(symbol) ?? null;
        let worst = new Exact(0);
        for (const { symbol, side, mode, amount: asked } of legs) {
          const unit = { USD: '1', BASE: markOf(symbol) ?? '0', WEIGHT: totalUsd ?? '0' }[mode];
          const usd = new Exact(asked).mul(unit);
          worst = worst.plus(side === 'BUY' ? usd.mul(new Exact(most).plus(1)) : usd);
        }
        const found = scaledText(worstOfTrade(legs, totalUsd, scaled(most), markOf));
        expect(found).to.equal(worst.toFixed());
      },
    ));
});
