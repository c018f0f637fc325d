import { expect } from 'chai';
import { priceText, sizeText } from '../../../../../gateway/venues/live/hyperliquid/signing/numbers.ts';

describe('Hyperliquid: texts of prices and sizes', () => {
  const prices: readonly (readonly [string, number, string | null])[] = [
    ['1234.5', 1, '1234.5'],
    ['1234.56', 1, null],
    ['0.001234', 0, '0.001234'],
    ['0.0012345', 0, null],
    ['0.01234', 1, '0.01234'],
    ['0.012345', 1, null],
    // Integers may be longer than five figures.
    ['123456', 0, '123456'],
    ['1234567', 5, '1234567'],
    ['123456.7', 0, null],
    ['100.50', 2, '100.5'],
    ['100.0', 5, '100'],
    ['103250.000', 5, '103250'],
    ['0.00012345', 0, null],
    ['1e3', 0, '1000'],
    ['0', 0, null],
    ['-1', 0, null],
    ['12.3', 6, null],
  ];
  for (const [price, szDecimals, written] of prices) {
    it(`price ${price} of an instrument with ${szDecimals} decimals of size: ${written}`, () => {
      expect(priceText(price, szDecimals)).to.equal(written);
    });
  }

  const sizes: readonly (readonly [string, number, string | null])[] = [
    ['0.00012', 5, '0.00012'],
    ['0.000123', 5, null],
    ['1.50', 1, '1.5'],
    ['1000000', 0, '1000000'],
    ['1000000.0', 0, '1000000'],
    ['0.5', 0, null],
    ['0', 3, null],
    ['-2', 3, null],
  ];
  for (const [size, szDecimals, written] of sizes) {
    it(`size ${size} of an instrument with ${szDecimals} decimals of size: ${written}`, () => {
      expect(sizeText(size, szDecimals)).to.equal(written);
    });
  }
});
