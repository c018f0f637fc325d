import { expect } from 'chai';
import {
  fineUsd,
  isZero,
  price,
  quantity,
  signedPercent,
  signedUsd,
  usd,
} from '../../../gateway/cli/readable-numbers.ts';

describe('readable numbers', () => {
  // biome-ignore format: a table is read by its columns
  const cases: readonly (readonly [(value: string | null) => string | null, string | null, string | null])[] = [
    [usd, '0', '0.00'],
    [usd, '1234567.895', '1,234,567.90'],
    [usd, '999.995', '1,000.00'],
    [usd, '-0.004', '0.00'],
    [usd, '-0.005', '-0.01'],
    [usd, '123', '123.00'],
    [usd, null, null],
    [usd, 'n/a', 'n/a'],
    [usd, '12345678901234567890.123456789012345678', '12,345,678,901,234,567,890.12'],
    [fineUsd, '0.002137806', '0.0021'],
    [signedUsd, '12.3', '+12.30'],
    [signedUsd, '-12.3', '-12.30'],
    [signedUsd, '0.001', '0.00'],
    [signedPercent, '1.23456', '+1.23%'],
    [signedPercent, '-0.5', '-0.50%'],
    [price, '117578', '117,578'],
    [price, '3744.6', '3,744.6'],
    [price, '117578.333333333333333333', '117,578.3'],
    [price, '0.000012345678901234', '0.00001234568'],
    [price, '1234567890.5', '1,234,567,891'],
    [price, '100.250000000000000001', '100.25'],
    [quantity, '0.00425', '0.00425'],
    [quantity, '1250000.5', '1,250,000.5'],
  ];
  for (const [show, value, expected] of cases) {
    it(`${show.name}(${value}) is ${expected}`, () => {
      expect(show(value)).to.equal(expected);
    });
  }

  it('knows zero in every spelling', () => {
    for (const zero of ['0', '0.00', '-0', '-0.0']) expect(isZero(zero)).to.equal(true);
    for (const other of ['0.001', '-1', '10']) expect(isZero(other)).to.equal(false);
  });
});
