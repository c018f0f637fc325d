/** Effect of settling outside trades on a position, in words; and the exposure that counts them. */
import { expect } from 'chai';
import { exposureOf } from '../../../renderer/screens/positions/position-sums.ts';
import { changeOf } from '../../../renderer/screens/positions/settle-words.ts';

const leg = (before: string, after: string) => ({ before, after });
const open = { positionId: 'p', status: 'OPEN' } as const;

describe('trades outside Tandem', () => {
  it('make, enlarge, reduce, change or end a position', () => {
    expect(changeOf({ ...open, positionId: null, legs: [leg('0', '2')] })).to.equal('made');
    expect(changeOf({ ...open, legs: [leg('1', '2'), leg('3', '3')] })).to.equal('enlarged');
    expect(changeOf({ ...open, legs: [leg('2', '1'), leg('3', '3')] })).to.equal('reduced');
    expect(changeOf({ ...open, legs: [leg('2', '1'), leg('3', '4')] })).to.equal('changed');
    expect(changeOf({ ...open, status: 'CLOSED', legs: [leg('2', '0')] })).to.equal('ended');
    expect(changeOf({ positionId: null, status: 'CLOSED', legs: [leg('0', '0')] })).to.equal('ended');
  });

  it('count in gross and net, net by instrument', () => {
    const baskets = [
      { grossNotional: '1000.1', netNotional: '-10' },
      { grossNotional: '500', netNotional: '500' },
    ];
    const lot = (symbol: string, quantity: string, markPrice: string | null, price = '1') => ({
      symbol,
      quantity,
      markPrice,
      price,
    });
    const past = [lot('ETH', '-2', '100'), lot('ETH', '0.5', '100'), lot('ATOM', '10', null, '5')];
    expect(exposureOf(baskets, past)).to.deep.equal({ gross: '1700.1', net: '390', pastGross: '200' });
    expect(exposureOf(baskets, [])).to.deep.equal({ gross: '1500.1', net: '490', pastGross: null });
    expect(exposureOf(baskets, undefined)).to.deep.equal({
      gross: undefined,
      net: undefined,
      pastGross: null,
    });
  });
});
