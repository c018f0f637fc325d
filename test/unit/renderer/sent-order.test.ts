/** What a sent order's card says, and that an order whose answer was lost is looked for rather than sent again. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  cardText,
  isEnded,
  nextState,
  reasonText,
  SUBMISSION_TRANSITIONS,
  type SubmissionEvent,
  type SubmissionState,
} from '../../../renderer/features/sent-orders/submission.ts';

const EVENTS: readonly SubmissionEvent[] = ['accept', 'refuse', 'lose_answer', 'give_up', 'look_again'];
const execution = (status: 'IDLE' | 'ACTIVE' | 'COMPLETED' | 'CANCELLED' | 'FAILED', isActive: boolean) => ({
  status,
  activeAt: isActive ? '2026-01-01T00:00:00.000Z' : null,
  error: null,
});

describe('sent order', () => {
  it('goes Preparing, Working, Filled', () => {
    const words = [
      cardText('SENDING', undefined, null),
      cardText('ACCEPTED', undefined, null),
      cardText('ACCEPTED', execution('IDLE', false), null),
      cardText('ACCEPTED', execution('ACTIVE', true), null),
      cardText('ACCEPTED', execution('COMPLETED', true), null),
    ].map(({ word, step }) => [word, step]);
    expect(words).to.deep.equal([
      ['Preparing', 0],
      ['Preparing', 0],
      ['Preparing', 0],
      ['Working', 1],
      ['Filled', 2],
    ]);
  });

  it('says whether a failure may have filled something', () => {
    expect(cardText('ACCEPTED', execution('FAILED', false), null).text).to.equal('No orders were placed');
    expect(cardText('ACCEPTED', execution('FAILED', true), null).text).to.equal(
      'May be partly filled: check positions',
    );
    expect(cardText('ACCEPTED', execution('CANCELLED', true), null).text).to.equal(
      'May be partly filled: check positions',
    );
  });

  it('is unknown without an answer, and never sends again', () => {
    expect(cardText('UNKNOWN', undefined, null).word).to.equal('Unknown: checking');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENTS)), (events) => {
        let state: SubmissionState = 'SENDING';
        for (const event of events) {
          const next = nextState(state, event);
          if (state !== 'SENDING') expect(next).not.to.equal('SENDING');
          if (state === 'ACCEPTED' || state === 'REFUSED') expect(next).to.equal(state);
          state = next;
        }
      }),
    );
    expect(Object.values(SUBMISSION_TRANSITIONS).flatMap((row) => Object.values(row))).not.to.include(
      'SENDING',
    );
  });

  it('says of what rests that it waits', () => {
    expect(cardText('ACCEPTED', undefined, 'trigger').word).to.equal('Waiting');
    expect(cardText('ACCEPTED', undefined, 'ladder').word).to.equal('Resting');
    expect(cardText('ACCEPTED', undefined, 'schedule').word).to.equal('Running');
  });

  it('does not say twice what the card says', () => {
    expect(reasonText('Leg 1: too small. No orders were placed.')).to.equal('Leg 1: too small.');
    const partly = 'Leg 2: refused. The basket may be partly filled: check positions before placing more.';
    expect(reasonText(partly)).to.equal('Leg 2: refused.');
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
