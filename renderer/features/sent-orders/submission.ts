/**
 * Course of one order, from the press of the button to its known outcome. An order whose answer was lost is looked up
 * by its key; it is never sent again.
 */
export type SubmissionState = 'SENDING' | 'UNKNOWN' | 'ACCEPTED' | 'REFUSED' | 'NOT_FOUND';

export type SubmissionEvent =
  /** The gateway accepted the order: its answer came, or the look-up by key found the order. */
  | 'accept'
  | 'refuse'
  /** No answer came, or only a part of one. */
  | 'lose_answer'
  /** The gateway answers, but has had no record of the order for as long as a request can be under way. */
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

/** Facts of an execution that its card shows. */
export interface ExecutionFacts {
  readonly status: 'IDLE' | 'ACTIVE' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  /** null: the execution ended before an order reached the venue. */
  readonly activeAt: string | null;
  readonly error: string | null;
}

export type RestingKind = 'trigger' | 'schedule' | 'ladder';

export interface CardText {
  readonly word: string;
  readonly text: string | null;
  readonly tone: 'busy' | 'good' | 'bad' | 'unsure';
  /** Index of the step: Preparing (0), Working (1), Filled (2); null: the order is at none of these steps. */
  readonly step: 0 | 1 | 2 | null;
}

const RESTING: Readonly<Record<RestingKind, CardText>> = {
  trigger: {
    word: 'Waiting',
    text: 'The trigger is set: it opens the basket when its condition is met.',
    tone: 'good',
    step: null,
  },
  schedule: {
    word: 'Running',
    text: 'The slices are on their way; the first is due at once.',
    tone: 'good',
    step: null,
  },
  ladder: { word: 'Resting', text: 'Every rung waits for its level.', tone: 'good', step: null },
};

const MAYBE_FILLED = 'May be partly filled: check positions';
const NOTHING_PLACED = 'No orders were placed';

/**
 * @param execution undefined while it has not been read
 * @param resting kind of the resting order; null: a market order
 */
export function cardText(
  state: SubmissionState,
  execution: ExecutionFacts | undefined,
  resting: RestingKind | null,
): CardText {
  switch (state) {
    case 'SENDING':
      return { word: 'Preparing', text: null, tone: 'busy', step: 0 };
    case 'UNKNOWN':
      return {
        word: 'Unknown: checking',
        text: 'No answer came. The gateway is asked what became of it; nothing is sent twice.',
        tone: 'unsure',
        step: null,
      };
    case 'NOT_FOUND':
      return {
        word: 'Not found',
        text: 'The gateway has no record of this order. Look at Orders and Positions before you place it anew.',
        tone: 'unsure',
        step: null,
      };
    case 'REFUSED':
      return { word: 'Refused', text: NOTHING_PLACED, tone: 'bad', step: null };
    case 'ACCEPTED':
      return resting === null ? executionText(execution) : RESTING[resting];
  }
}

function executionText(execution: ExecutionFacts | undefined): CardText {
  switch (execution?.status) {
    case undefined:
    case 'IDLE':
      return { word: 'Preparing', text: null, tone: 'busy', step: 0 };
    case 'ACTIVE':
      return { word: 'Working', text: null, tone: 'busy', step: 1 };
    case 'COMPLETED':
      return { word: 'Filled', text: null, tone: 'good', step: 2 };
    case 'FAILED':
    case 'CANCELLED': {
      const word = execution.status === 'FAILED' ? 'Failed' : 'Cancelled';
      return {
        word,
        text: execution.activeAt === null ? NOTHING_PLACED : MAYBE_FILLED,
        tone: 'bad',
        step: null,
      };
    }
  }
}

/** The gateway's reason without a last sentence that repeats the card's text. */
export function reasonText(error: string): string {
  return error.replace(/\s*(No orders were placed|The basket may be partly filled: [^.]*)\.\s*$/, '');
}

export function isEnded(execution: ExecutionFacts | undefined): boolean {
  return execution !== undefined && execution.status !== 'IDLE' && execution.status !== 'ACTIVE';
}
