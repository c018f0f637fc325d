import { expect } from 'chai';
import type { ISeriesApi } from 'lightweight-charts';
import { clearTicks } from '../../../renderer/components/chart-axes.ts';

interface Format {
  readonly formatter: (price: number) => string;
  readonly tickmarksFormatter: (prices: readonly number[]) => readonly string[];
}

describe('labels of the price axis', () => {
  it('leave out the ticks that a level lies over, and show them again when it has moved', () => {
    const applied: Format[] = [];
    let levels = [52];
    const series = {
      applyOptions: ({ priceFormat }: { readonly priceFormat: Format }) => applied.push(priceFormat),
      priceToCoordinate: (price: number) => 100 - price,
    } as unknown as ISeriesApi<'Line'>;
    const ticks = clearTicks(series, () => levels);
    ticks.setDecimals(1, '%');
    const drawn = () => applied.at(-1)?.tickmarksFormatter([10, 50, 90]);
    expect(applied.at(-1)?.formatter(7)).to.equal('7.0%');
    expect(drawn()).to.deep.equal(['10.0%', '', '90.0%']);
    levels = [54];
    ticks.renew();
    expect(applied, 'the same ticks are hidden').to.have.length(1);
    levels = [92];
    ticks.renew();
    expect(applied).to.have.length(2);
    expect(drawn()).to.deep.equal(['10.0%', '50.0%', '']);
  });
});
