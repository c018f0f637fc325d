import { expect } from 'chai';
import fc from 'fast-check';
import { dec } from '../../../gateway/domain/decimal.ts';
import { isValidPrice, limitPrice, tickAt } from '../../../gateway/domain/price-rules.ts';

const rule = { tickSize: '0.000001', maxSignificantFigures: 5 };

/** Significant figures of a decimal text, counted on its digits. */
const figures = (value: string) => value.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;

const price = fc
  .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: -6, max: 3 }))
  .map(([digits, exponent]) => dec(digits).mul(dec(10).pow(exponent)));

describe('price rules', () => {
  it('the tick is the last of five significant figures, whole numbers always allowed', () => {
    expect(tickAt(dec('117571'), rule).toFixed()).to.equal('1');
    expect(tickAt(dec('3742.9'), rule).toFixed()).to.equal('0.1');
    expect(tickAt(dec('0.23681'), rule).toFixed()).to.equal('0.00001');
    expect(tickAt(dec('0.0000231'), rule).toFixed()).to.equal('0.000001');
    expect(tickAt(dec('3742.9'), { tickSize: '0.5', maxSignificantFigures: null }).toFixed()).to.equal('0.5');
  });

  it('a limit obeys the tick and the figures and is never worse than the slippage bound', () => {
    fc.assert(
      fc.property(price, fc.constantFrom('0', '0.0005', '0.01', '0.1'), (mark, slippage) => {
        for (const side of ['BUY', 'SELL'] as const) {
          const limit = limitPrice(mark, side, dec(slippage), rule);
          if (limit.isZero()) continue;
          const text = limit.toFixed();
          expect(isValidPrice(limit, rule), text).to.equal(true);
          expect(Number.isInteger(Number(text)) || figures(text) <= 5, text).to.equal(true);
          const bound = side === 'BUY' ? mark.mul(dec(1).plus(slippage)) : mark.mul(dec(1).minus(slippage));
          expect(side === 'BUY' ? limit.lte(bound) : limit.gte(bound), `${text} ${bound}`).to.equal(true);
        }
      }),
    );
  });
});
