/** Judgement of a mandate on actions that concern all of a position, and on margin that is taken out. */
import { expect } from 'chai';
import type { Mandate } from '../../../gateway/domain/mandate.ts';
import { judge, type MandateAsk } from '../../../gateway/domain/mandate-judgement.ts';
import { openMandate } from '../../support/mandates.ts';

const NOTHING = { openedUsd24h: '0', grossUsd: '0', positions: 0, resting: 0, lossUsd24h: '0' };
const MAY_LEVER = { ...openMandate([]).rights, changeLeverage: true };

function broken(ask: Partial<MandateAsk>, mandate: Partial<Mandate> = {}, isSuspended = false) {
  const usage = { own: NOTHING, house: NOTHING, lastMinute: 0, lastDay: 0, isCoolingDown: false };
  const asked: MandateAsk = {
    ...{ kind: 'margin', brings: [], effect: 'CHANGES', tradeAccountId: 'account', isOwn: true },
    ...{ legs: [{ symbol: 'BTC-PERP' }], worstUsd: '0', slippage: '0', leverage: 3 },
    ...{ opensPosition: false, rests: 0, isRequest: true },
    ...ask,
  };
  const judged = judge(openMandate(['account'], mandate), null, usage, asked, {
    ...{ now: 0, isSuspended, isLive: false, firsts: [], isDuplicate: false, isApproved: false },
  });
  return judged.verdict === 'refused' ? judged.broken : [];
}
const limits = (...of: Parameters<typeof broken>) => broken(...of).map(({ limit }) => limit);

describe('what a mandate says of a whole position', () => {
  it('needs all of it to be its own, and says how much is', () => {
    expect(broken({ owned: 'ALL' })).to.deep.equal([]);
    expect(broken({ owned: 'PART' }, { manage: 'ALL' })).to.deep.equal([]);
    for (const owned of ['NONE', 'PART'] as const) {
      const shared = { limit: 'manage', allowed: 'OWN', used: owned, asked: 'ALL' };
      expect(broken({ owned })).to.deep.equal([shared]);
      expect(broken({ owned, effect: 'OPENS', kind: 'now' })).to.deep.equal([shared]);
      expect(broken({ owned, effect: 'REDUCES', kind: 'rebalance', isOwn: false })).to.deep.equal([shared]);
    }
  });

  it('takes margin out by the right to change leverage, within the leverage, and not while suspended', () => {
    expect(limits({ effect: 'TIGHTENS' }, {}, true), 'added').to.deep.equal([]);
    const takes = { takesMargin: true };
    expect(limits(takes)).to.deep.equal(['changeLeverage']);
    expect(limits(takes, { rights: MAY_LEVER, maxLeverage: 3 })).to.deep.equal([]);
    expect(limits(takes, { rights: MAY_LEVER, maxLeverage: 2 })).to.deep.equal(['maxLeverage']);
    expect(limits(takes, { rights: MAY_LEVER }, true)).to.deep.equal(['suspended']);
  });
});
