/** Answers of a paper venue to requests that it refuses or does not answer. */
import type { OrderOutcome, PlaceOrder, VenueError } from '../../../engine/ports/venue.ts';

interface Refused {
  readonly ok: false;
  readonly error: VenueError;
}

const NO_ANSWER = 'The venue did not answer';
const UNKNOWN_ACCOUNT = 'The venue does not know this account';

export function rejected(message: string): Refused {
  return { ok: false, error: { kind: 'rejected', message } };
}

export function unsupported(message: string): Refused {
  return { ok: false, error: { kind: 'unsupported', message } };
}

export function rejectedAccount(): Refused {
  return rejected(UNKNOWN_ACCOUNT);
}

/** Answer to a request that may have been executed. */
export function unanswered(): Refused {
  return { ok: false, error: { kind: 'unknown', message: NO_ANSWER } };
}

export function unansweredOrder({ clientOrderId }: PlaceOrder): OrderOutcome {
  return { kind: 'unknown', clientOrderId, message: NO_ANSWER };
}

export function orderOfUnknownAccount({ clientOrderId }: PlaceOrder): OrderOutcome {
  return { kind: 'rejected', clientOrderId, reason: 'other', message: UNKNOWN_ACCOUNT };
}
