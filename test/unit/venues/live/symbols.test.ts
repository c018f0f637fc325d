/** A venue's names and units to ours and back, exactly. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec, text } from '../../../../gateway/domain/decimal.ts';
import {
  type Listing,
  nameListings,
  type SymbolRules,
  type Units,
} from '../../../../gateway/venues/live/kit/symbols.ts';
import { forAll } from '../../../support/property-runs.ts';

const RULES: SymbolRules = {
  prefixes: { k: '1000', '1000': '1000', '1000000': '1000000' },
  notPrefixed: ['1000X'],
  aliases: { XBT: 'BTC', RNDR: 'RENDER' },
  defaultQuote: 'USDT',
};
const listing = (coin: string, quote = 'USDT', contractSize?: string): Listing => ({
  ...{ key: `${coin}/${quote}`, coin, quote },
  ...(contractSize === undefined ? {} : { contractSize }),
});
const named = (...listings: Listing[]) => nameListings(listings, RULES);
const symbolsOf = (...listings: Listing[]) =>
  named(...listings)
    .all()
    .map(({ symbol }) => symbol);
function unitsOf(coin: string, contractSize?: string): Units {
  const units = named(listing(coin, 'USDT', contractSize)).all()[0]?.units;
  if (units === undefined) throw new Error('not listed');
  return units;
}

describe('kit: symbols', () => {
  describe('names', () => {
    const names: readonly (readonly [string, string])[] = [
      ['BTC', 'BTC-PERP'],
      ['kPEPE', 'PEPE-PERP'],
      ['1000PEPE', 'PEPE-PERP'],
      ['1000000MOG', 'MOG-PERP'],
      ['KAITO', 'KAITO-PERP'],
      ['1000X', '1000X-PERP'],
      ['XBT', 'BTC-PERP'],
      ['RNDR', 'RENDER-PERP'],
      ['kXBT', 'BTC-PERP'],
    ];
    for (const [coin, symbol] of names)
      it(`${coin} is ${symbol}`, () => {
        expect(symbolsOf(listing(coin))).to.deep.equal([symbol]);
      });

    it('the default quote has the short name, others are named after theirs', () => {
      expect(symbolsOf(listing('BTC', 'USDC'), listing('BTC'))).to.have.members([
        'BTC-PERP',
        'BTC-USDC-PERP',
      ]);
    });

    it('no two get the same one: the coin that counts singly comes first, whatever the order', () => {
      for (const pair of [
        [listing('kPEPE'), listing('PEPE')],
        [listing('PEPE'), listing('kPEPE')],
      ]) {
        const symbols = named(...pair);
        expect(symbols.byKey('PEPE/USDT')?.symbol).to.equal('PEPE-PERP');
        expect(symbols.byKey('kPEPE/USDT')?.symbol).to.equal('kPEPE-PERP');
        // Called by what the venue writes, counted as the venue counts.
        expect(symbols.byKey('kPEPE/USDT')?.units.priceToOurs('2.5')).to.equal('2.5');
      }
    });

    it('a symbol that was given before never moves to another instrument', () => {
      const known = new Map([['kPEPE/USDT', 'PEPE-PERP']]);
      const symbols = nameListings([listing('PEPE'), listing('kPEPE')], RULES, known);
      expect(symbols.bySymbol('PEPE-PERP')?.key).to.equal('kPEPE/USDT');
      expect(symbols.byKey('PEPE/USDT')).to.equal(undefined);
    });

    it('also while its instrument is not listed', () => {
      const known = new Map([['gone', 'BTC-PERP']]);
      expect(nameListings([listing('BTC')], RULES, known).bySymbol('BTC-PERP')).to.equal(undefined);
    });

    it('a key that is listed twice is one instrument', () => {
      expect(symbolsOf(listing('BTC'), listing('BTC'))).to.deep.equal(['BTC-PERP']);
    });

    it('names of every object are names of coins like others', () => {
      expect(symbolsOf(listing('constructor'), listing('__proto__'))).to.have.length(2);
    });
  });

  describe('units', () => {
    it('a thousand in one: prices are divided, quantities multiplied', () => {
      const units = unitsOf('kPEPE');
      expect(units.priceToOurs('0.0125')).to.equal('0.0000125');
      expect(units.priceToVenue('0.0000125')).to.equal('0.0125');
      expect(units.quantityToOurs('3')).to.equal('3000');
      expect(units.quantityToVenue('3000')).to.equal('3');
    });

    it('says how many base units one of the venue is, contracts included', () => {
      const listed = (coin: string, contractSize?: string) =>
        nameListings([listing(coin, 'USDT', contractSize)], RULES).all()[0]?.multiplier;
      expect([listed('BTC'), listed('kPEPE'), listed('ETH', '0.1'), listed('kPEPE', '10')]).to.deep.equal([
        ...['1', '1000', '0.1', '10000'],
      ]);
    });

    it('contracts: quantities alone are multiplied', () => {
      const units = unitsOf('ETH', '0.1');
      expect(units.priceToOurs('4000.5')).to.equal('4000.5');
      expect(units.quantityToOurs('7')).to.equal('0.7');
      expect(units.quantityToVenue('0.7')).to.equal('7');
    });

    it('a quantity that the venue cannot write is none', () => {
      expect(unitsOf('ETH', '3').quantityToVenue('1')).to.equal(null);
    });

    it('what the venue writes with zeros is canonical with us', () => {
      for (const coin of ['BTC', 'kPEPE']) {
        const units = unitsOf(coin);
        expect(units.quantityToVenue(units.quantityToOurs('5.00'))).to.equal('5');
        expect(units.priceToVenue(units.priceToOurs('010.50'))).to.equal('10.5');
      }
    });

    it('there and back is the same, and money stays what it was', () => {
      const amount = fc
        .tuple(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.integer({ min: 0, max: 12 }))
        .map(([digits, places]) => text(dec(digits.toString()).div(dec(10).pow(places))));
      const coins = fc.constantFrom('BTC', 'kPEPE', '1000000MOG');
      const sizes = fc.constantFrom(undefined, '1', '0.001', '10000000');
      forAll([coins, sizes, amount, amount], (coin, size, price, quantity) => {
        const units = unitsOf(coin, size);
        const [ourPrice, ourQuantity] = [units.priceToOurs(price), units.quantityToOurs(quantity)];
        expect(units.priceToVenue(ourPrice)).to.equal(price);
        expect(units.quantityToVenue(ourQuantity)).to.equal(quantity);
        const worth = dec(price)
          .mul(quantity)
          .mul(size ?? '1');
        expect(text(dec(ourPrice).mul(ourQuantity))).to.equal(text(worth));
      });
    });
  });
});
