/** Text of a sent order's card. An order whose answer was lost is looked for, never sent again. */
import { expect } from 'chai';
import fc from 'fast-check';
import { type ExecutionEnd, reasonText } from '../../../renderer/features/sent-orders/partly-filled.ts';
import {
  cardText,
  isEnded,
  nextState,
  type RestingKind,
  SUBMISSION_TRANSITIONS,
  type SubmissionEvent,
  type SubmissionState,
  shownOrders,
  type Tone,
} from '../../../renderer/features/sent-orders/submission.ts';
import { forAll } from '../../support/property-runs.ts';

const EVENTS: readonly SubmissionEvent[] = ['accept', 'refuse', 'lose_answer', 'give_up', 'look_again'];
const order = (
  symbol: string,
  filledQuantity: string,
  errorCode: ExecutionEnd['orders'][number]['errorCode'] = null,
) => ({
  symbol,
  filledQuantity,
  errorCode,
  status: filledQuantity === '1' ? ('FILLED' as const) : ('CANCELLED' as const),
});
const execution = (
  status: ExecutionEnd['status'],
  isActive: boolean,
  orders: ExecutionEnd['orders'] = [],
  more: Partial<ExecutionEnd> = {},
): ExecutionEnd => ({
  status,
  activeAt: isActive ? '2026-01-01T00:00:00.000Z' : null,
  intent: 'OPEN',
  onLegFailure: 'KEEP',
  orders,
  ...more,
});
const ofPerp = (id: string) => id.replace('-PERP', '');
const card = (state: SubmissionState, of?: ExecutionEnd, resting: RestingKind | null = null) =>
  cardText(state, of, resting, ofPerp);

describe('sent order', () => {
  it('goes Preparing, Working, Filled', () => {
    const words = [
      card('SENDING', undefined),
      card('ACCEPTED', undefined),
      card('ACCEPTED', execution('IDLE', false)),
      card('ACCEPTED', execution('ACTIVE', true)),
      card('ACCEPTED', execution('COMPLETED', true)),
    ].map(({ word }) => word);
    expect(words).to.deep.equal(['Preparing', 'Preparing', 'Preparing', 'Working', 'Filled']);
  });

  it('is shown while it is the newest, and of those that failed the two newest', () => {
    const tones = 'good bad busy unsure bad good bad unsure'.split(' ') as Tone[];
    const shown = shownOrders([...tones.keys()], (index) => tones[index] ?? 'busy');
    expect([...shown].sort()).to.deep.equal([0, 1, 3, 4, 7]);
    const filled = Array.from({ length: 20 }, (_, index) => index);
    expect([...shownOrders(filled, () => 'good')]).to.deep.equal([0]);
  });

  it('says what filled, and without which legs', () => {
    const half = [order('SOL-PERP', '1'), order('DOGE-PERP', '0', 'VENUE_REJECTED')];
    const said = (...of: Parameters<typeof execution>) => {
      const { word, text } = card('ACCEPTED', execution(...of));
      return `${word}: ${text}`;
    };
    expect(said('FAILED', false)).to.equal('Failed: No orders were placed');
    expect(said('FAILED', true, half)).to.equal('Partly filled: SOL is held, DOGE is not');
    expect(said('CANCELLED', true, half)).to.equal('Partly filled: SOL is held, DOGE is not');
    const none = half.map((one) => ({ ...one, filledQuantity: '0', status: 'REJECTED' as const }));
    expect(said('FAILED', true, none)).to.equal('Failed: Nothing was filled');
    const most = ['A', 'B', 'C', 'D', 'E'].map((name) => order(name, '1'));
    expect(said('FAILED', true, [...most, order('F', '0'), order('G', '0')])).to.equal(
      'Partly filled: A, B, C and 2 more are held, F and G are not',
    );
    expect(said('FAILED', true, [order('SOL-PERP', '1'), order('DOGE-PERP', '0.4')])).to.equal(
      'Partly filled: DOGE filled in part',
    );
    expect(said('FAILED', true, half, { intent: 'ADJUST' }), 'DOGE may be held from before').to.equal(
      'Partly filled: SOL filled, DOGE did not',
    );
    expect(said('FAILED', true, half, { onLegFailure: 'UNWIND' })).to.equal(
      'Partly filled: SOL filled, DOGE did not. What filled is to be closed again: check positions',
    );
    // Reductions of a position are never unwound.
    for (const intent of ['REDUCE', 'CLOSE', 'REVERSE'] as const)
      expect(said('FAILED', true, half, { intent, onLegFailure: 'UNWIND' }), intent).to.equal(
        'Partly filled: SOL filled, DOGE did not',
      );
  });

  it('names nothing as filled or not while an order is in doubt', () => {
    for (const code of ['UNKNOWN_OUTCOME', 'NEEDS_REVIEW'] as const) {
      const orders = [order('SOL-PERP', '1'), order('DOGE-PERP', '0', code)];
      for (const status of ['FAILED', 'CANCELLED'] as const) {
        const { word, text } = card('ACCEPTED', execution(status, true, orders));
        expect(word).to.equal(status === 'FAILED' ? 'Failed' : 'Cancelled');
        expect(text).to.equal('May be partly filled: check positions');
      }
    }
  });

  it('is unknown without an answer, and never sends again', () => {
    expect(card('UNKNOWN', undefined).word).to.equal('Unknown: checking');
    forAll([fc.array(fc.constantFrom(...EVENTS))], (events) => {
      let state: SubmissionState = 'SENDING';
      for (const event of events) {
        const next = nextState(state, event);
        if (state !== 'SENDING') expect(next).not.to.equal('SENDING');
        if (state === 'ACCEPTED' || state === 'REFUSED') expect(next).to.equal(state);
        state = next;
      }
    });
    expect(Object.values(SUBMISSION_TRANSITIONS).flatMap((row) => Object.values(row))).not.to.include(
      'SENDING',
    );
  });

  it('says of what rests that it waits', () => {
    expect(card('ACCEPTED', undefined, 'trigger').word).to.equal('Waiting');
    expect(card('ACCEPTED', undefined, 'ladder').word).to.equal('Resting');
    expect(card('ACCEPTED', undefined, 'schedule').word).to.equal('Running');
  });

  it('does not say twice what the card says', () => {
    expect(reasonText('Leg 1: too small. No orders were placed.')).to.equal('Leg 1: too small.');
    const partly = 'Leg 2: refused. The basket may be partly filled: check positions before placing more.';
    expect(reasonText(partly)).to.equal('Leg 2: refused.');
    expect(reasonText('Leg 1: refused. Nothing was filled.')).to.equal('Leg 1: refused.');
    expect(reasonText('Something else.')).to.equal('Something else.');
  });

  it('has ended only in an end state', () => {
    expect([undefined, execution('IDLE', false), execution('ACTIVE', true)].map(isEnded)).to.deep.equal([
      false,
      false,
      false,
    ]);
    expect(isEnded(execution('FAILED', false))).to.equal(true);
  });
});
