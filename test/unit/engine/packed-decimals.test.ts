/** Decimals in typed arrays come out as they went in. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import { PackedDecimals } from '../../../gateway/engine/resting/trigger-index/packed-decimals.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));

/** Everything that the contract admits, signed, and with zeros that mean nothing. */
const decimal = fc
  .tuple(fc.constantFrom('', '-'), digits(1, 20), fc.option(digits(1, 18)))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`);

describe('packed decimals', () => {
  it('gives back every decimal exactly, whatever the row held before', () =>
    forAll([fc.array(fc.tuple(fc.nat(5), decimal), { maxLength: 30 })], (writes) => {
      const column = new PackedDecimals();
      const written = new Map<number, string>();
      column.reserve(6);
      for (const [row, value] of writes) {
        column.set(row + 1, value);
        written.set(row + 1, value);
      }
      for (const [row, value] of written) expect(text(column.get(row))).to.equal(text(dec(value)));
    }));

  it('tells equal from different to the last digit', () =>
    forAll(
      [decimal, decimal, fc.integer({ min: 1, max: 18 })],
      propertyRuns(1_000),
      (value, other, place) => {
        const column = new PackedDecimals();
        column.reserve(1);
        column.set(1, value);
        const near = text(dec(value).plus(dec(10).pow(-place)));
        for (const one of [text(dec(value)), value, near, other]) {
          expect(column.equals(1, one)).to.equal(dec(value).eq(one));
        }
      },
    ));
});
