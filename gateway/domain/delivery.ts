/**
 * News that leaves the gateway by a user's own setting: its receiver, and the life of one delivery. A delivery is made
 * at least once: one that was under way when the process died is sent again, under the same event id.
 */
import type { DELIVERY_STATUSES, MESSAGE_KINDS } from './enumerations.ts';
import { type TransitionTable, transition } from './transition.ts';

export const DESTINATION_KINDS = ['WEBHOOK', 'NTFY', 'TELEGRAM', 'DISCORD'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** A receiver of news, which chooses names of events or kinds of messages. */
export interface Destination {
  readonly id: string;
  readonly userId: string;
  readonly kind: DestinationKind;
  readonly name: string;
  /** Address of the destination, without anything secret. */
  readonly address: string;
  /** Names of events (WEBHOOK, `*`: all) or message kinds. */
  readonly wants: readonly string[];
  /** null: all accounts of the user, also later ones. */
  readonly tradeAccountIds: readonly string[] | null;
  readonly enabled: boolean;
  /** Epoch ms at which it was made, enabled, or its choice changed: earlier events are not for it. */
  readonly since: number;
  /** Events that were left out because too many waited already. */
  readonly skipped: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The event of a delivery. `seq` 0: a test, which no account has numbered. */
export interface DeliveredEvent {
  /** The same for every delivery of one event. */
  readonly eventId: string;
  readonly event: string;
  /** null: a test of a destination that is about no account. */
  readonly tradeAccountId: string | null;
  readonly seq: number;
  /** Kind of money of the account. */
  readonly mode: 'PAPER' | 'LIVE';
  readonly network: 'mainnet' | 'testnet' | null;
  readonly entityId: string;
  /** Epoch ms. */
  readonly occurredAt: number;
}

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** `refuse`: one attempt went wrong; `giveUp`: the last one, or there is nobody to deliver to any more. */
export type DeliveryStep = 'deliver' | 'refuse' | 'giveUp';

export const DELIVERY_TRANSITIONS: TransitionTable<DeliveryStatus, DeliveryStep> = {
  PENDING: { deliver: 'DELIVERED', refuse: 'RETRYING', giveUp: 'FAILED' },
  RETRYING: { deliver: 'DELIVERED', refuse: 'RETRYING', giveUp: 'FAILED' },
  DELIVERED: {},
  FAILED: {},
};

export interface Delivery extends DeliveredEvent {
  readonly id: string;
  readonly destinationId: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Epoch ms; null: it has ended. */
  readonly nextAttemptAt: number | null;
  /** HTTP status of the last answer; null: none came. */
  readonly responseStatus: number | null;
  /** Why the last attempt failed; null: it did not. */
  readonly error: string | null;
  /** Beginning of the last answer, at most `MAX_RESPONSE_BYTES`. */
  readonly response: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly finishedAt: number | null;
}

export const MAX_RESPONSE_BYTES = 1_024;
/** Attempts of one delivery, the first included: the last one comes some ten hours after it. */
export const MAX_ATTEMPTS = 8;
/** Maximum of pending deliveries of one destination; further ones are counted as skipped. */
export const MAX_WAITING = 1_000;
/** Destinations of one user, of all kinds. */
export const MAX_DESTINATIONS = 20;
/** No answer is waited for longer. */
export const ANSWER_LIMIT_MS = 10_000;

const FIRST_WAIT_MS = 10_000;
const GROWTH = 4;
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Wait after the `attempts`th attempt has failed, ms; null: it was the last one. */
export function retryWaitMs(attempts: number): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * GROWTH ** (attempts - 1));
}

export interface AttemptOutcome {
  readonly at: number;
  readonly responseStatus: number | null;
  readonly response: string | null;
  /** null: it was delivered. */
  readonly error: string | null;
  /** The receiver's own wish for the next attempt, ms. */
  readonly retryAfterMs?: number | null;
  /** True: another attempt is pointless. */
  readonly isLast?: boolean;
}

/** The delivery after an attempt. */
export function afterAttempt(delivery: Delivery, outcome: AttemptOutcome): Delivery {
  const attempts = delivery.attempts + 1;
  const wait = outcome.isLast === true ? null : retryWaitMs(attempts);
  const step = outcome.error === null ? 'deliver' : wait === null ? 'giveUp' : 'refuse';
  const moved = transition(DELIVERY_TRANSITIONS, delivery.status, step);
  // A delivery that has ended is never attempted.
  if (!moved.ok) return delivery;
  const waits = step === 'refuse' && wait !== null;
  const asked = Math.min(LONGEST_WAIT_MS, outcome.retryAfterMs ?? 0);
  return {
    ...delivery,
    status: moved.value,
    attempts,
    nextAttemptAt: waits ? outcome.at + Math.max(wait, asked) : null,
    responseStatus: outcome.responseStatus,
    response: outcome.response,
    error: outcome.error,
    updatedAt: outcome.at,
    finishedAt: waits ? null : outcome.at,
  };
}

/** Kinds of messages; each stands for events, or for categories of notifications. */
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** True: a destination may want the event. For notifications the category decides later. */
export function isWanted(destination: Destination, event: string): boolean {
  const { kind, wants } = destination;
  if (kind === 'WEBHOOK') return wants.includes('*') || wants.includes(event);
  switch (event) {
    case 'execution.completed':
      return wants.includes('FILLED');
    case 'execution.failed':
      return wants.includes('FAILED');
    case 'position.closed':
      return wants.includes('CLOSED');
    case 'notification.created':
      return wants.some((want) => !['FILLED', 'FAILED', 'CLOSED'].includes(want));
    default:
      return false;
  }
}
