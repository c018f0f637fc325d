/** Text of the ticket about legs that are off their weights. */
import { expect } from 'chai';
import { offBy, offWeights } from '../../../renderer/features/off-weights/off-weights.ts';
import { positionLegRow, positionRow } from './wire-rows.ts';

const held = (now: readonly [string, string], autoRebalance: object | null = null) =>
  positionRow({
    legs: now.map((currentWeight, at) =>
      positionLegRow({ ticker: at === 0 ? 'BTC' : 'ETH', currentWeight, targetWeight: '0.5' }),
    ),
    autoRebalance: autoRebalance as ReturnType<typeof positionRow>['autoRebalance'],
  });

describe('legs off their weights', () => {
  it('are told from the drift on that a new automatic rebalance would act on', () => {
    expect(offWeights(held(['0.731', '0.269']))).to.equal(
      'Off its weights: BTC 73.1\u00a0% (asked 50.0\u00a0%), ETH 26.9\u00a0% (asked 50.0\u00a0%)',
    );
    expect(offBy(held(['0.731', '0.269']))).to.equal('off weights by 23\u00a0%');
    expect(offWeights(held(['0.549', '0.451']))).to.equal(null);
    expect(offBy(held(['0.549', '0.451']))).to.equal(null);
    expect(offWeights(held(['0.55', '0.45']))).to.not.equal(null);
  });

  it('are told from the drift on that the position\u2019s own acts on; beta has no use for the weights asked', () => {
    const own = { mode: 'TARGET_WEIGHTS', minimumDrift: '0.3' };
    expect(offWeights(held(['0.731', '0.269'], own))).to.equal(null);
    expect(offWeights(held(['0.731', '0.269'], { ...own, mode: 'LIVE_BETA' }))).to.not.equal(null);
  });
});
