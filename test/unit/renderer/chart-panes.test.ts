/** Heights of candles and of the panes below them in a chart. */
import { expect } from 'chai';
import { belowHeight } from '../../../renderer/components/chart-panes.ts';

const shared = (height: number, below: number) => {
  const each = belowHeight(height, below);
  return [Math.round(height - below * each), Math.round(each)];
};

describe('panes of a chart', () => {
  it('have a share each, candles two', () => {
    expect(shared(600, 1)).to.deep.equal([400, 200]);
    expect(shared(800, 2)).to.deep.equal([400, 200]);
  });

  it('leave the candles their least height, as far as what they show themselves can be read', () => {
    expect(shared(330, 2)).to.deep.equal([200, 65]);
    expect(shared(280, 2)).to.deep.equal([168, 56]);
    expect(shared(150, 2), 'no more than their share').to.deep.equal([75, 38]);
  });
});
