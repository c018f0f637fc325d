import { expect } from 'chai';
import fc from 'fast-check';
import { adjustPosition, closePosition } from '../../../gateway/contract/positions.ts';
import { fractionOfPercent, percentOfFraction } from '../../../renderer/features/percent/percent.ts';
import {
  adjustBody,
  CLOSE_ALL_OF_IT,
  closeCommon,
  NO_ADJUSTMENT,
} from '../../../renderer/screens/positions/close-draft.ts';
import { forAll } from '../../support/property-runs.ts';

describe('closing and adjusting drafts', () => {
  it('turns percent into the fraction of the same digits', () => {
    const cases = {
      '100': '1',
      '50': '0.5',
      '33.3333': '0.333333',
      '0.5': '0.005',
      '7': '0.07',
      '12.': '0.12',
      '0': '0',
    };
    for (const [percent, fraction] of Object.entries(cases))
      expect(fractionOfPercent(percent), percent).to.equal(fraction);
    for (const wrong of ['', 'x', '-5', '1e2', '1000', '5 5'])
      expect(fractionOfPercent(wrong), wrong).to.equal(null);
  });

  it('sends no percentage as a fraction, whatever its digits', () => {
    for (const share of ['1000', '33.33333333333333333', '0000.5', 'half', '']) {
      const { body } = adjustPosition;
      for (const by of ['fraction'] as const) {
        const draft = adjustBody({ ...NO_ADJUSTMENT, by, share });
        expect(body?.safeParse(draft).success, share).to.equal(false);
      }
    }
  });

  it('goes there and back exactly', () =>
    forAll([fc.integer({ min: 1, max: 1_000_000 })], (millionths) => {
      const fraction = (millionths / 1_000_000).toFixed(6).replace(/\.?0+$/, '');
      expect(fractionOfPercent(percentOfFraction(fraction))).to.equal(fraction);
    }));

  it('is accepted by the contract as it stands, and refused where it makes no sense', () => {
    const body = (share: string, slippage = '') => ({
      type: 'MARKET',
      ...closeCommon({ ...CLOSE_ALL_OF_IT, share, slippage }),
    });
    expect(closePosition.body.safeParse(body('100')).data).to.deep.equal({
      type: 'MARKET',
      fraction: '1',
      onLegFailure: 'RETRY',
    });
    expect(closePosition.body.safeParse(body('25', '0.5')).data).to.deep.include({
      fraction: '0.25',
      slippage: '0.005',
    });
    for (const wrong of ['0', '101', '', 'half'])
      expect(closePosition.body.safeParse(body(wrong)).error?.issues[0]?.path, wrong).to.deep.equal([
        'fraction',
      ]);
  });

  it('adjusts by exactly one measure', () => {
    const parse = (over: object) => adjustPosition.body.safeParse(adjustBody({ ...NO_ADJUSTMENT, ...over }));
    expect(parse({ usd: '100' }).data).to.deep.equal({
      intent: 'INCREASE',
      onLegFailure: 'KEEP',
      usd: '100',
    });
    expect(parse({ by: 'fraction', intent: 'REDUCE', share: '25' }).data).to.deep.include({
      fraction: '0.25',
    });
    expect(
      parse({ by: 'targets', targets: { 'BTC-PERP': '0.1', 'ETH-PERP': '' } }).data?.targets,
    ).to.deep.equal([{ symbol: 'BTC-PERP', quantity: '0.1' }]);
    const unwinding = { usd: '100', onLegFailure: 'UNWIND' };
    expect(parse(unwinding).data?.onLegFailure).to.equal('UNWIND');
    expect(parse({ ...unwinding, intent: 'REDUCE' }).data?.onLegFailure, 'none of a reduction').to.equal(
      'RETRY',
    );
    expect(parse({ usd: '' }).success).to.equal(false);
    expect(parse({ by: 'targets' }).success).to.equal(false);
  });
});
