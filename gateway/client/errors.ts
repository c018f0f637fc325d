/**
 * Errors as classes. Either the gateway refused (`Refusal` and its kinds), or the outcome is unknown (`NoAnswer`).
 * Branch on the class or on `errorCode`, never on `message`.
 */
import type { ValidationDetail } from '../contract/errors.ts';
import type { TradeAccount } from './route-types.ts';

export class TandemError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The request was sent and no whole answer came: the gateway may or may not have carried it out. */
export class NoAnswer extends TandemError {}

/** No connection could be made: nobody answers at the address, and nothing was sent. */
export class GatewayUnreachable extends NoAnswer {}

/** The call needs a trade account, none was named, and not exactly one can be meant. */
export class TradeAccountNotChosen extends TandemError {
  /** Accounts of the caller: none, several, or only live ones, which nothing defaults to. */
  readonly accounts: readonly TradeAccount[];
  constructor(message: string, accounts: readonly TradeAccount[]) {
    super(message);
    this.accounts = accounts;
  }
}

/** The answer is not from a Tandem gateway, or not what its contract says. */
export class UnexpectedAnswer extends TandemError {}

/** An order was sent, and its outcome could not be learnt until the deadline. Go on with the same key. */
export class OutcomeUnknown extends TandemError {
  readonly idempotencyKey: string;
  constructor(idempotencyKey: string, cause: unknown) {
    const why = cause instanceof GatewayUnreachable ? ` (${cause.message})` : '';
    super(`What became of the order is not known${why}; go on with its key ${idempotencyKey}`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/**
 * The gateway refuses an event stream: a channel that does not exist or is not the caller's, a credential that ended.
 */
export class StreamRefused extends TandemError {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RefusalFacts {
  readonly status: number;
  readonly message: string;
  /** null in the framework shape (authentication, guard, routing). */
  readonly errorCode: string | null;
  readonly details: unknown;
  /** Id of the refusal in the gateway's log; null: the answer does not tell it. */
  readonly requestId: string | null;
}

/** The gateway answered with a status of 400 or more. */
export class Refusal extends TandemError {
  readonly status: number;
  readonly errorCode: string | null;
  readonly details: unknown;
  /** Id of the refusal in the gateway's log. */
  readonly requestId: string | null;
  constructor({ status, message, errorCode, details, requestId }: RefusalFacts) {
    super(message);
    this.status = status;
    this.errorCode = errorCode;
    this.details = details;
    this.requestId = requestId;
  }
}

/** 401: no credential, or one that ended. */
export class Unauthorized extends Refusal {}
/** 403: the credential does not allow the request. */
export class Forbidden extends Refusal {}

/** `message` names the rejected fields too. */
export class ValidationFailed extends Refusal {
  constructor(facts: RefusalFacts) {
    const said = detailsOf(facts.details).map(({ path, message }) =>
      path === '' ? message : `${path}: ${message}`,
    );
    super(said.length === 0 ? facts : { ...facts, message: `${facts.message}: ${said.join('; ')}` });
  }

  /** One entry per rejected field; empty where the refusal is of the request as a whole. */
  get fields(): readonly ValidationDetail[] {
    return detailsOf(this.details);
  }
}

const detailsOf = (details: unknown): readonly ValidationDetail[] => (Array.isArray(details) ? details : []);

export class ResourceNotFound extends Refusal {}
/** Another action on the resource is still running: send again when it has ended. */
export class ResourceBusy extends Refusal {
  /** `PAUSED`, `CLOSE_ONLY`: waiting for an action does not help. null: another action runs. */
  get reason(): string | null {
    return textIn(this.details, 'reason');
  }

  /** Id of the execution that holds the position, to wait for with `ended`; null: the answer names none. */
  get heldBy(): string | null {
    return textIn(this.details, 'heldBy');
  }
}

function textIn(details: unknown, name: string): string | null {
  const value: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, name) : null;
  return typeof value === 'string' ? value : null;
}

/** The request would change nothing. */
export class NothingToDo extends Refusal {}
/** A failure of the gateway itself; `place` sends again after one. */
export class GatewayFailure extends Refusal {}
/** The venue does not support the action. */
export class NotSupported extends Refusal {}
export class AutoRebalanceRefused extends Refusal {}
/** Limits: of a live account (not armed, not for this caller, more than its caps), or of the caller's mandate. */
export class LimitRefused extends Refusal {}
/** The gateway stores no exchange keys in its vault as it is; the message has the remedy. */
export class CredentialsNotStored extends Refusal {}
/** Too early to make a position of venue activity: send again after a delay. */
export class SyncTooEarly extends Refusal {}

/** Class of every `errorCode` of the service. An unknown code is a plain `Refusal`. */
const BY_CODE: Readonly<Record<string, typeof Refusal>> = {
  VALIDATION_ERROR: ValidationFailed,
  RESOURCE_NOT_FOUND: ResourceNotFound,
  RESOURCE_BUSY: ResourceBusy,
  NOOP_ERROR: NothingToDo,
  DATABASE_ERROR: GatewayFailure,
  CONFIGURATION_ERROR: GatewayFailure,
  CREDENTIALS_NOT_STORED: CredentialsNotStored,
  NOT_IMPLEMENTED_ERROR: NotSupported,
  AUTO_REBALANCE_POSITION_NOT_FOUND: AutoRebalanceRefused,
  AUTO_REBALANCE_CONFIG_NOT_FOUND: AutoRebalanceRefused,
  AUTO_REBALANCE_POSITION_NOT_OPEN: AutoRebalanceRefused,
  AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS: AutoRebalanceRefused,
  AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE: AutoRebalanceRefused,
  ACCOUNT_NOT_ARMED: LimitRefused,
  CALLER_NOT_ALLOWED: LimitRefused,
  CAP_EXCEEDED: LimitRefused,
  AGENT_LIMIT: LimitRefused,
  SYNC_CREATE_EXECUTION_IN_FLIGHT: SyncTooEarly,
  SYNC_CREATE_EXECUTION_JUST_SETTLED: SyncTooEarly,
  SYNC_CREATE_FILLS_TOO_RECENT: SyncTooEarly,
  SYNC_CREATE_CLOID_ALREADY_PROVISIONAL: SyncTooEarly,
};

/**
 * True: the outcome is unknown. The request may have been carried out, and another attempt may get an answer.
 */
export function isUnsure(error: unknown): boolean {
  return error instanceof NoAnswer || error instanceof GatewayFailure;
}

/** Message of a refusal whose answer has none. */
export const refusedWith = (status: number) => `Refused with status ${status}`;

/** @param answer the parsed body, in either of the two error shapes or in none */
export function refusalOf(status: number, answer: unknown, requestId: string | null = null): Refusal {
  const body = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  const message = typeof body['message'] === 'string' ? body['message'] : refusedWith(status);
  const errorCode = typeof body['errorCode'] === 'string' ? body['errorCode'] : null;
  const facts = { status, message, errorCode, details: body['details'], requestId };
  if (errorCode !== null) return new (BY_CODE[errorCode] ?? Refusal)(facts);
  if (status === 401) return new Unauthorized(facts);
  if (status === 403) return new Forbidden(facts);
  return status >= 500 ? new GatewayFailure(facts) : new Refusal(facts);
}
