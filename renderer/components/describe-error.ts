/** Words for the user about an error: by its class and status first, then by its `errorCode`. */
import {
  GatewayFailure,
  NoAnswer,
  NothingToDo,
  NotSupported,
  OutcomeUnknown,
  Refusal,
  ResourceBusy,
  ResourceNotFound,
  Unauthorized,
  UnexpectedAnswer,
  ValidationFailed,
} from '../../gateway/client/client.ts';

export interface ErrorWords {
  readonly title: string;
  readonly text: string;
  /** `409 RESOURCE_BUSY`; null where there was no answer. */
  readonly code: string | null;
  readonly requestId: string | null;
  /** A repeat of the same request may succeed. */
  readonly mayPass: boolean;
}

export function describeError(error: unknown): ErrorWords {
  if (error instanceof Refusal) {
    const { status, errorCode, requestId } = error;
    return {
      title: titleOf(error),
      text: textOf(error),
      code: errorCode === null ? String(status) : `${status} ${errorCode}`,
      requestId,
      mayPass: status !== 403,
    };
  }
  const nothing = { code: null, requestId: null, mayPass: true };
  if (error instanceof OutcomeUnknown)
    return {
      ...nothing,
      title: 'Unknown: checking',
      text: 'The gateway could not be asked what became of the order. It is not sent again.',
    };
  if (error instanceof NoAnswer)
    return {
      ...nothing,
      title: 'The gateway does not answer',
      text: 'It may be down or restarting; “tandem\u00a0start” in a terminal starts it. This page goes on by itself, and what was typed stays.',
    };
  if (error instanceof UnexpectedAnswer)
    return {
      ...nothing,
      title: 'An answer that this page does not understand',
      text: 'The gateway may be of another version. Reload the page once what you are typing is done.',
    };
  return { ...nothing, title: 'Something went wrong', text: messageOf(error) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function titleOf(error: Refusal): string {
  if (error instanceof Unauthorized) return 'Not signed in';
  if (error instanceof ValidationFailed) return 'Not accepted';
  if (error instanceof ResourceNotFound) return 'Not there';
  if (error instanceof ResourceBusy) return 'Busy with another action';
  if (error instanceof NothingToDo) return 'Nothing to do';
  if (error instanceof NotSupported) return 'Not possible here';
  if (error instanceof GatewayFailure) return 'The gateway failed';
  return error.status === 403 ? 'Not allowed' : 'Refused';
}

/** Messages about tokens are written for programs: users of this page know no tokens. */
const OF_A_TOKEN = /\btoken\b/i;

function textOf(error: Refusal): string {
  if (error instanceof Unauthorized && OF_A_TOKEN.test(error.message)) return 'Your session has ended.';
  if (!(error instanceof ValidationFailed) || error.fields.length === 0) return error.message;
  return error.fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('. ');
}
