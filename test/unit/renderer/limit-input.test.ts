import { expect } from 'chai';
import { readLeverageLimit, readUsdLimit } from '../../../renderer/screens/settings/limit-input.ts';

describe('limits as they are typed', () => {
  const USD: readonly (readonly [string, string | null])[] = [
    ['', null],
    ['  ', null],
    ['25000', '25000'],
    ['25,000.50', '25000.50'],
    ['$ 1000', '1000'],
  ];
  for (const [text, value] of USD)
    it(`are ${value} US dollars for "${text}"`, () => {
      expect(readUsdLimit(text, 'en-US')).to.deep.equal({ value });
    });
  for (const text of ['0', '0.00', '-5', '1e3', 'many', '1.2.3', '1,5', '1,00,000'])
    it(`are no dollars for "${text}"`, () => {
      expect(readUsdLimit(text, 'en-US')).to.have.property('error');
    });
  for (const text of ['1,5', '1.000,50', '25,000'])
    it(`are no dollars for "${text}" where a comma is the decimal point: never another amount`, () => {
      expect(readUsdLimit(text, 'de-DE')).to.have.property('error');
    });

  const LEVERAGE: readonly (readonly [string, number | null])[] = [
    ['', null],
    ['1', 1],
    ['10x', 10],
    [' 1000 ', 1_000],
  ];
  for (const [text, value] of LEVERAGE)
    it(`are leverage ${value} for "${text}"`, () => {
      expect(readLeverageLimit(text)).to.deep.equal({ value });
    });
  for (const text of ['0', '1001', '2.5', '-1', 'x'])
    it(`are no leverage for "${text}"`, () => {
      expect(readLeverageLimit(text)).to.have.property('error');
    });
});
