import { expect } from 'chai';
import { searchInstruments } from '../../../renderer/features/instrument-picker/search.ts';

const ALL = ['BTC', 'ETH', 'WETH', 'TH', 'ETHFI', 'SOL'].map((symbol) => ({ id: `${symbol}-PERP`, symbol }));

describe('instrument picker', () => {
  it('finds by ticker and id, the nearest first', () => {
    const found = (text: string) => searchInstruments(ALL, text).map(({ symbol }) => symbol);
    expect(found('eth')).to.deep.equal(['ETH', 'ETHFI', 'WETH']);
    expect(found(' th ')).to.deep.equal(['TH', 'ETH', 'WETH', 'ETHFI']);
    expect(found('sol-perp')).to.deep.equal(['SOL']);
    expect(found('-PERP')).to.have.length(6);
    expect(found('')).to.have.length(6);
    expect(found('nothing')).to.deep.equal([]);
  });
});
