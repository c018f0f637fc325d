import { expect } from 'chai';
import {
  executionState,
  scheduleState,
  shareDone,
  triggerState,
  waitingFirst,
} from '../../../renderer/features/order-tables/order-states.ts';
import { restingActions } from '../../../renderer/features/resting-action/resting-state.ts';

describe('states of orders', () => {
  it('says of an execution that failed whether some of it is held', () => {
    const end = { activeAt: '2026-01-01T00:00:00.000Z', intent: 'OPEN', onLegFailure: 'KEEP' } as const;
    const labelOf = (...filled: readonly string[]) =>
      executionState({
        ...end,
        status: 'FAILED',
        orders: filled.map((filledQuantity) => ({
          symbol: 'BTC-PERP',
          status: 'CANCELLED',
          filledQuantity,
          errorCode: null,
        })),
      }).label;
    expect(labelOf('0', '0')).to.equal('Failed');
    expect(labelOf('0.5', '0')).to.equal('Partly filled');
    expect(executionState({ ...end, status: 'COMPLETED', orders: [] }).label).to.equal('Filled');
  });

  it('says why something is paused', () => {
    expect(triggerState({ status: 'PAUSED', pauseReason: 'FEED_STALE' }).label).to.equal(
      'Paused: prices are stale',
    );
    expect(scheduleState({ status: 'PAUSED', pauseReason: 'MISSED_SLICES' }).label).to.match(
      /slices were missed/,
    );
    expect(triggerState({ status: 'TRIGGERED' }).label, 'a rung has no reason').to.equal('Firing');
  });

  it('offers only what the gateway would not refuse', () => {
    expect(restingActions('ACTIVE')).to.deep.equal(['pause', 'cancel']);
    expect(restingActions('PAUSED')).to.deep.equal(['resume', 'cancel']);
    for (const over of ['TRIGGERED', 'COMPLETED', 'CANCELLED', 'FAILED', 'EXPIRED', 'PARTIALLY_COMPLETED'])
      expect(restingActions(over), over).to.deep.equal([]);
  });

  it('measures bars between nothing and everything', () => {
    expect(shareDone('25', '100')).to.equal(0.25);
    expect(shareDone('0', '0'), 'no whole').to.equal(0);
    expect(shareDone('101', '100')).to.equal(1);
  });

  it('puts what waits first and changes no other order', () => {
    const rows = ['COMPLETED', 'ACTIVE', 'FAILED', 'PAUSED', 'TRIGGERED'].map((status, index) => ({
      status,
      index,
      id: String(index),
    }));
    expect(waitingFirst(rows).map(({ index }) => index)).to.deep.equal([1, 3, 4, 0, 2]);
  });

  it('puts what waits on later pages before what has ended, once', () => {
    const row = (id: string, status: string) => ({ id, status });
    const first = [row('new', 'ACTIVE'), row('told', 'COMPLETED'), row('ended', 'CANCELLED')];
    // Read a moment before: it had not ended yet.
    const waiting = [row('new', 'ACTIVE'), row('told', 'ACTIVE'), row('old', 'PAUSED')];
    expect(waitingFirst(first, waiting).map(({ id }) => id)).to.deep.equal(['new', 'old', 'told', 'ended']);
  });
});
