/** Request of a changed trigger: only what differs, and `null` for what is taken away. */
import { expect } from 'chai';
import {
  isChangeable,
  triggerChange,
  triggerDraftOf,
} from '../../../renderer/features/change-trigger/trigger-change.ts';
import type { Trigger } from '../../../renderer/features/order-tables/order-states.ts';

const BRACKET = { type: 'PERCENTAGE', value: '5', trailing: null } as const;
const TRIGGER = {
  kind: 'OPEN',
  ladderId: null,
  condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '20' },
  expiresAt: '2099-01-31T12:00:30.000Z',
  takeProfit: BRACKET,
  stopLoss: null,
} as Trigger;

const change = (over: Partial<ReturnType<typeof triggerDraftOf>>, trigger = TRIGGER) =>
  triggerChange(trigger, { ...triggerDraftOf(trigger), ...over });

describe('change of a trigger', () => {
  it('is nothing while nothing differs', () => {
    expect(change({})).to.equal(null);
    expect(change({ allowImmediate: true }), 'of itself it changes nothing').to.equal(null);
  });

  it('sends the level alone, and whether it may fire at once', () => {
    expect(change({ level: ' 19.5 ', allowImmediate: true })).to.deep.equal({
      condition: { value: '19.5' },
      allowImmediate: true,
    });
  });

  it('takes away expiry and bracket with null', () => {
    expect(change({ expiresAt: '' })).to.deep.equal({ expiresAt: null, allowImmediate: false });
    expect(change({ takeProfit: { ...triggerDraftOf(TRIGGER).takeProfit, isOn: false } })).to.deep.equal({
      takeProfit: null,
      allowImmediate: false,
    });
  });

  it('leaves alone what cannot be changed: the level of a rung, brackets of what closes', () => {
    const rung = { ...TRIGGER, ladderId: 'a ladder' } as Trigger;
    expect(change({ level: '19' }, rung)).to.equal(null);
    const closing = { ...TRIGGER, kind: 'CLOSE', takeProfit: null } as Trigger;
    const on = { ...triggerDraftOf(TRIGGER).takeProfit };
    expect(change({ takeProfit: on }, closing)).to.equal(null);
  });

  it('is offered while it waits, and not for brackets of positions', () => {
    expect(isChangeable({ status: 'PAUSED', bracketType: null })).to.equal(true);
    expect(isChangeable({ status: 'COMPLETED', bracketType: null })).to.equal(false);
    expect(isChangeable({ status: 'ACTIVE', bracketType: 'STOP_LOSS' })).to.equal(false);
  });
});
