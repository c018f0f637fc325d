/** The only place that makes the two error shapes of the wire (contract/errors.ts). */
import { STATUS_CODES } from 'node:http';
import type { Middleware } from 'koa';
import { BUSINESS_STATUS, type BusinessCode, type BusinessErrorBody } from '../../contract/errors.ts';
import type { Clock, Ids, Logger } from '../../engine/ports/system.ts';
import { answer, PRIVATE_JSON_HEADERS } from '../answer.ts';
import { BusinessError, FrameworkError } from '../handler.ts';
import type { NoteRefusal } from '../refusal-log.ts';
import type { RequestMetrics } from '../request-metrics.ts';
import type { RequestState } from '../request-state.ts';
import { pathOf } from '../request-target.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly json: string;
}

type PresentError = (
  error: unknown,
  request: { readonly method: string; readonly path: string },
) => ErrorAnswer;

export function frameworkBody(status: number, message: string): string {
  return JSON.stringify({ message, error: STATUS_CODES[status] ?? 'Error', statusCode: status });
}

function businessBody(
  clock: Clock,
  code: BusinessCode,
  message: string,
  details: BusinessErrorBody['details'] | BusinessError['details'],
): string {
  return JSON.stringify({
    message,
    errorCode: code,
    details,
    timestamp: new Date(clock.now()).toISOString(),
  });
}

/** Drivers name their own errors; only these are called a database failure, all else is ours. */
function comesFromStore(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'QueryFailedError' || error.name === 'StoreFailure') return true;
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE');
}

interface ErrorDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly noteRefusal: NoteRefusal;
}

function createErrorPresenter(deps: ErrorDeps): PresentError {
  const { clock, ids, logger, noteRefusal } = deps;
  return (error, request) => {
    const requestId = ids.next();
    const about = { requestId, method: request.method, path: request.path };
    if (error instanceof FrameworkError) {
      logger.debug({ ...about, status: error.status }, error.message);
      noteRefusal(error.status, error.message, request);
      return {
        status: error.status,
        headers: { ...error.headers, 'x-request-id': requestId },
        json: frameworkBody(error.status, error.message),
      };
    }
    if (error instanceof BusinessError) {
      const level = error.status >= 500 ? 'error' : 'debug';
      logger[level]({ ...about, status: error.status, errorCode: error.code }, error.message);
      // Its texts are many, its codes are not.
      noteRefusal(error.status, error.code, request);
      return {
        status: error.status,
        headers: { 'x-request-id': requestId },
        json: businessBody(clock, error.code, error.message, error.details),
      };
    }
    // A bug or a broken disk. What it says may hold anything, so it goes to the log and never to the client.
    const code: BusinessCode = comesFromStore(error) ? 'DATABASE_ERROR' : 'CONFIGURATION_ERROR';
    logger.error({ ...about, err: error }, 'Request failed unexpectedly');
    return {
      status: BUSINESS_STATUS[code],
      headers: { 'x-request-id': requestId },
      json: businessBody(clock, code, 'Internal error', {}),
    };
  };
}

/** In front of everything: whatever is thrown behind it becomes an answer, and every answer is counted. */
export function answerErrors(
  deps: ErrorDeps & { readonly metrics: RequestMetrics },
): Middleware<RequestState> {
  const { metrics } = deps;
  const presentError = createErrorPresenter(deps);
  const unmatched = metrics.route('unmatched');
  return async (ctx, next) => {
    const startedAt = metrics.now();
    ctx.state.series = unmatched;
    try {
      await next();
    } catch (error) {
      for (const name of ctx.res.getHeaderNames()) ctx.remove(name);
      const { status, headers, json } = presentError(error, { method: ctx.method, path: pathOf(ctx.url) });
      answer(ctx, status, PRIVATE_JSON_HEADERS, headers, json);
    }
    ctx.state.series.record(ctx.status, metrics.now() - startedAt);
  };
}
