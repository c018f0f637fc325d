/** Which positions a typed filter leaves, and how a basket of many legs is named in its row. */
import { expect } from 'chai';
import { largeName } from '../../../renderer/screens/positions/large-name.ts';
import { isFilter, passes } from '../../../renderer/screens/positions/row-filter.ts';
import { positionLegRow } from './wire-rows.ts';

const leg = (ticker: string) => positionLegRow({ ticker, symbol: `${ticker}-PERP` });

describe('the filter of positions', () => {
  const pair = { legs: [leg('BTC'), leg('ETH')] };
  const left = (typed: string, opener?: string) => passes(pair, typed, opener);

  it('takes beginnings of instruments and of who opened it, in any order, every one of them', () => {
    for (const typed of ['btc', 'ETH/BTC', 'btc + eth', 'eth-perp', '  ', 'b e'])
      expect(left(typed), typed).to.equal(true);
    for (const typed of ['sol', 'btc sol', 'perp', 'th']) expect(left(typed), typed).to.equal(false);
    expect(left('claude')).to.equal(false);
    expect(left('agent clau btc', 'Agent Claude')).to.equal(true);
    expect(left('you', 'You')).to.equal(true);
  });

  it('is none without a word', () => {
    expect([' ', '/', 'a'].map(isFilter)).to.deep.equal([false, false, true]);
  });
});

describe('the name of a large basket', () => {
  const sized = (side: 'BUY' | 'SELL', ...notionals: readonly string[]) =>
    notionals.map((notional, at) => ({ ticker: `${side[0]}${at}`, side, notional }));

  it('counts its sides and names the largest of each', () => {
    expect(largeName([...sized('BUY', '9', '100', '20'), ...sized('SELL', '5', '6')])).to.deep.equal({
      counts: '3 long / 2 short',
      largest: 'B1, B2 … / S1, S0',
    });
    expect(largeName(sized('SELL', '1', '2', '3')).counts).to.equal('3 short');
  });
});
