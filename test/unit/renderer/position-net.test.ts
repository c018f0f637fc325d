import { expect } from 'chai';
import { basketPrice } from '../../../gateway/domain/ratio.ts';
import { evenRatio, netPnl } from '../../../renderer/features/position-columns/position-net.ts';

type Position = Parameters<typeof evenRatio>[0];

const position = (of: object): Position =>
  ({
    ...{ unrealizedPnl: '0', realizedPnl: '0', fundingPaid: '0', feesPaid: '0', markPrice: '2', legs: [] },
    ...of,
  }) as unknown as Position;
const leg = (side: 'BUY' | 'SELL', quantity: string, markPrice: string) => ({ side, quantity, markPrice });

describe('net of a position', () => {
  it('is what it made less what it paid; funding that was received is paid negatively', () => {
    const costs = { unrealizedPnl: '10.5', realizedPnl: '-2', fundingPaid: '-0.25', feesPaid: '5.4' };
    expect(netPnl(position(costs))).to.equal('3.35');
  });

  /** Gain of the legs when each moves by the factor in its own favour. */
  const gain = ({ legs }: Position, factor: number) =>
    legs.reduce((sum, { side, quantity, markPrice }) => {
      const notional = Number(quantity) * Number(markPrice);
      return sum + (side === 'BUY' ? notional * (factor - 1) : notional * (1 - 1 / factor));
    }, 0);

  it('is nothing at the ratio that is told, whatever the legs and the costs', () => {
    for (const [long, short, unrealizedPnl, feesPaid] of [
      [1, 1, '0', '2'],
      [3, 0.5, '-40', '1.5'],
      [0.2, 5, '12', '0.1'],
    ] as const) {
      const legs = [leg('BUY', String(long), '100'), leg('SELL', String(short), '50')];
      const one = position({ unrealizedPnl, feesPaid, legs });
      const even = evenRatio(one);
      // The ratio moves by the square of what each leg moves by.
      const left = gain(one, Math.sqrt((even ?? Number.NaN) / 2)) + Number(netPnl(one));
      expect(left, JSON.stringify(legs)).to.be.closeTo(0, 1e-9);
    }
  });

  it('is nothing at a price of a basket of one side, whose ratio is the price, of shorts 1 ÷ price', () => {
    for (const [side, price] of [
      ['BUY', 105],
      ['SELL', 95],
    ] as const) {
      const markPrice = basketPrice([{ side, notional: '200', price: '100' }]);
      const even = evenRatio(position({ feesPaid: '10', markPrice, legs: [leg(side, '2', '100')] }));
      expect(even, side).to.be.closeTo(side === 'BUY' ? price : 1 / price, 1e-9);
    }
  });

  it('has no such ratio while a mark is missing', () => {
    expect(evenRatio(position({ markPrice: null, legs: [leg('BUY', '2', '100')] }))).to.equal(null);
  });
});
