/** Weights of a position's legs: a ratio of the page is the one that the gateway tells and watches. */
import { expect } from 'chai';
import { weightedRatio } from '../../../gateway/domain/ratio.ts';
import {
  askedLegs,
  drawnLegs,
  enteredLegs,
  heldLegs,
} from '../../../renderer/features/leg-weights/leg-weights.ts';
import { subjectValue } from '../../../renderer/features/ratio-chart/subject.ts';

const BTC = {
  symbol: 'BTC-PERP',
  side: 'BUY',
  quantity: '0.0085',
  entryPrice: '117577',
  notional: '1010',
  targetWeight: '0.5',
} as const;
const ETH = {
  symbol: 'ETH-PERP',
  side: 'SELL',
  quantity: '0.267',
  entryPrice: '3744.7',
  notional: '999.6',
  targetWeight: '0.5',
} as const;
/** A half each was asked for; whole steps of quantity made of it what they could. */
const POSITION = { legs: [BTC, ETH] };
const MARKS: Readonly<Record<string, string>> = { 'BTC-PERP': '118823.5', 'ETH-PERP': '3743.8' };

const ratioOf = (legs: ReturnType<typeof askedLegs>) =>
  subjectValue({ metric: 'WEIGHTED_RATIO' }, legs, (id) => Number(MARKS[id]));
const gatewayRatio = (notionalOf: (leg: (typeof POSITION.legs)[number]) => string) =>
  Number(
    weightedRatio(
      POSITION.legs.map((leg) => ({
        side: leg.side,
        price: MARKS[leg.symbol] ?? '0',
        notional: notionalOf(leg),
      })),
    ),
  );

describe('weights of a position', () => {
  it('make the ratio that the position has, as it was entered, and the one that a closing TWAP watches', () => {
    const own = gatewayRatio(({ quantity, entryPrice }) => String(Number(quantity) * Number(entryPrice)));
    expect(ratioOf(enteredLegs(POSITION))).to.be.closeTo(own, own * 1e-5);
    expect(ratioOf(drawnLegs(POSITION))).to.equal(ratioOf(enteredLegs(POSITION)));
    const sold = gatewayRatio(({ notional }) => notional);
    expect(ratioOf(heldLegs(POSITION))).to.be.closeTo(sold, sold * 1e-5);
    // The three are far enough from each other to be told apart.
    const asked = Number(ratioOf(askedLegs(POSITION)));
    for (const one of [own, sold]) expect(Math.abs(one / asked - 1)).to.be.above(1e-3);
  });

  it('are of the legs that are held, and of a chart as asked for where one is not', () => {
    const half = { legs: [{ ...BTC, quantity: '0', notional: '0' }, ETH] };
    expect(enteredLegs(half)).to.deep.equal([{ id: 'ETH-PERP', side: 'SELL', weight: 1_000_000 }]);
    expect(heldLegs(half)).to.deep.equal(enteredLegs(half));
    expect(drawnLegs(half)).to.deep.equal(askedLegs(POSITION));
    const flat = { legs: half.legs.map((leg) => ({ ...leg, quantity: '0', notional: '0' })) };
    for (const weigh of [enteredLegs, heldLegs, drawnLegs])
      expect(weigh(flat)).to.deep.equal(askedLegs(POSITION));
  });
});
