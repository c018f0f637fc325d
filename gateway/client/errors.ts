/**
 * What can go wrong, as classes. Either the gateway said no (`Refusal` and its kinds), or nobody knows (`NoAnswer`).
 * Branch on the class or on `errorCode`, never on `message`.
 */
import type { ValidationDetail } from '../contract/errors.ts';

export class TandemError extends Error {
  override get name(): string {
    return this.constructor.name;
  }
}

/** The request left and no whole answer came: it may or may not have been carried out. */
export class NoAnswer extends TandemError {}

/** Something answered that is not a Tandem gateway, or not with what its contract says. */
export class UnexpectedAnswer extends TandemError {}

/** An order was sent, and until the deadline nobody could say what became of it. Go on with the same key. */
export class OutcomeUnknown extends TandemError {
  readonly idempotencyKey: string;
  constructor(idempotencyKey: string, cause: unknown) {
    super(`What became of the order is not known; go on with its key ${idempotencyKey}`, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** The event stream cannot be had: a channel that does not exist or is not the caller's, a credential that ended. */
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
  /** Under which the gateway's log has the refusal; null where the answer does not say. */
  readonly requestId: string | null;
}

/** The gateway answered with a status of 400 or more. */
export class Refusal extends TandemError {
  readonly status: number;
  readonly errorCode: string | null;
  readonly details: unknown;
  /** Under which the gateway's log has it. */
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
/** 403: the credential may not do this. */
export class Forbidden extends Refusal {}

export class ValidationFailed extends Refusal {
  /** One entry per rejected field; empty where the refusal is of the request as a whole. */
  get fields(): readonly ValidationDetail[] {
    return Array.isArray(this.details) ? this.details : [];
  }
}
export class ResourceNotFound extends Refusal {}
/** Another action on the resource is still running: send again when it has ended. */
export class ResourceBusy extends Refusal {}
/** The request would change nothing. */
export class NothingToDo extends Refusal {}
/** A failure of the gateway itself; `place` sends again after one. */
export class GatewayFailure extends Refusal {}
/** The venue does not support the action. */
export class NotSupported extends Refusal {}
export class AutoRebalanceRefused extends Refusal {}
/** Too early to make a position of venue activity: send again after a delay. */
export class SyncTooEarly extends Refusal {}

/** Every `errorCode` of the service. One that is not here is a plain `Refusal`. */
const BY_CODE: Readonly<Record<string, typeof Refusal>> = {
  VALIDATION_ERROR: ValidationFailed,
  RESOURCE_NOT_FOUND: ResourceNotFound,
  RESOURCE_BUSY: ResourceBusy,
  NOOP_ERROR: NothingToDo,
  DATABASE_ERROR: GatewayFailure,
  CONFIGURATION_ERROR: GatewayFailure,
  NOT_IMPLEMENTED_ERROR: NotSupported,
  AUTO_REBALANCE_POSITION_NOT_FOUND: AutoRebalanceRefused,
  AUTO_REBALANCE_CONFIG_NOT_FOUND: AutoRebalanceRefused,
  AUTO_REBALANCE_POSITION_NOT_OPEN: AutoRebalanceRefused,
  AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS: AutoRebalanceRefused,
  AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE: AutoRebalanceRefused,
  SYNC_CREATE_EXECUTION_IN_FLIGHT: SyncTooEarly,
  SYNC_CREATE_EXECUTION_JUST_SETTLED: SyncTooEarly,
  SYNC_CREATE_FILLS_TOO_RECENT: SyncTooEarly,
  SYNC_CREATE_CLOID_ALREADY_PROVISIONAL: SyncTooEarly,
};

/** Nobody said no: what was asked for may have happened, and another attempt may get an answer. */
export function isUnsure(error: unknown): boolean {
  return error instanceof NoAnswer || error instanceof GatewayFailure;
}

/** The message of a refusal that brings none. */
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
