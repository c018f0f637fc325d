/**
 * Course of one order, from the press of the button to its known outcome. An order whose answer was lost is looked up
 * by its key; it is never sent again.
 */
import {
  type ExecutionEnd,
  endText,
  isPartlyFilled,
  NOTHING_PLACED,
  PARTLY_FILLED,
} from './partly-filled.ts';

export type SubmissionState = 'SENDING' | 'UNKNOWN' | 'ACCEPTED' | 'REFUSED' | 'NOT_FOUND';

export type SubmissionEvent =
  /** The gateway accepted the order: its answer came, or the look-up by key found the order. */
  | 'accept'
  | 'refuse'
  /** No answer came, or only a part of one. */
  | 'lose_answer'
  /** The gateway answers, but has had no record of the order for the longest time that a request can be in flight. */
  | 'give_up'
  /** The trader asks for another look-up. */
  | 'look_again';

export const SUBMISSION_TRANSITIONS: Readonly<
  Record<SubmissionState, Partial<Record<SubmissionEvent, SubmissionState>>>
> = {
  SENDING: { accept: 'ACCEPTED', refuse: 'REFUSED', lose_answer: 'UNKNOWN' },
  UNKNOWN: { accept: 'ACCEPTED', refuse: 'REFUSED', give_up: 'NOT_FOUND' },
  NOT_FOUND: { accept: 'ACCEPTED', look_again: 'UNKNOWN' },
  ACCEPTED: {},
  REFUSED: {},
};

/** The next state; an event without a transition leaves the state unchanged. */
export function nextState(state: SubmissionState, event: SubmissionEvent): SubmissionState {
  return SUBMISSION_TRANSITIONS[state][event] ?? state;
}

export type RestingKind = 'trigger' | 'schedule' | 'ladder';

export type Tone = 'busy' | 'good' | 'bad' | 'unsure';

export interface CardText {
  readonly word: string;
  readonly text: string | null;
  readonly tone: Tone;
}

const RESTING: Readonly<Record<RestingKind, CardText>> = {
  trigger: { word: 'Waiting', text: null, tone: 'good' },
  schedule: { word: 'Running', text: null, tone: 'good' },
  ladder: { word: 'Resting', text: null, tone: 'good' },
};

/** Maximum number of failed orders shown at a time: more would leave no space for the ticket. */
const MOST_FAILED = 2;

/**
 * Orders that are shown: the newest working or filled one, the two newest failed ones, and all with an unknown outcome.
 * @param orders newest first
 */
export function shownOrders<Order>(
  orders: readonly Order[],
  toneOf: (order: Order) => Tone,
): ReadonlySet<Order> {
  const failed = orders.filter((order) => toneOf(order) === 'bad').slice(0, MOST_FAILED);
  const unsure = orders.filter((order) => toneOf(order) === 'unsure');
  const newest = orders.filter((order) => ['busy', 'good'].includes(toneOf(order))).slice(0, 1);
  return new Set([...newest, ...failed, ...unsure]);
}

/**
 * @param execution undefined while it has not been read
 * @param resting kind of the resting order; null: a market order
 * @param tickerOf instrument id → ticker
 */
export function cardText(
  state: SubmissionState,
  execution: ExecutionEnd | undefined,
  resting: RestingKind | null,
  tickerOf: (id: string) => string,
): CardText {
  switch (state) {
    case 'SENDING':
      return { word: 'Preparing', text: null, tone: 'busy' };
    case 'UNKNOWN':
      return {
        word: 'Unknown: checking',
        text: 'No answer came. The gateway is asked what became of it; nothing is sent twice.',
        tone: 'unsure',
      };
    case 'NOT_FOUND':
      return {
        word: 'Not found',
        text: 'The gateway has no record of this order. Look at Orders and Positions before you place it anew.',
        tone: 'unsure',
      };
    case 'REFUSED':
      return { word: 'Refused', text: NOTHING_PLACED, tone: 'bad' };
    case 'ACCEPTED':
      return resting === null ? executionText(execution, tickerOf) : RESTING[resting];
  }
}

function executionText(execution: ExecutionEnd | undefined, tickerOf: (id: string) => string): CardText {
  switch (execution?.status) {
    case undefined:
    case 'IDLE':
      return { word: 'Preparing', text: null, tone: 'busy' };
    case 'ACTIVE':
      return { word: 'Working', text: null, tone: 'busy' };
    case 'COMPLETED':
      return { word: 'Filled', text: null, tone: 'good' };
    case 'FAILED':
    case 'CANCELLED':
      return {
        word: isPartlyFilled(execution)
          ? PARTLY_FILLED
          : execution.status === 'FAILED'
            ? 'Failed'
            : 'Cancelled',
        text: endText(execution, tickerOf),
        tone: 'bad',
      };
  }
}

export function isEnded(execution: Pick<ExecutionEnd, 'status'> | undefined): boolean {
  return execution !== undefined && execution.status !== 'IDLE' && execution.status !== 'ACTIVE';
}
