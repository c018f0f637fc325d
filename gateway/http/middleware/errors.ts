/** The only place that makes the two error shapes of the wire (contract/errors.ts). */
import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { AnswerHeaders } from '../../call/call.ts';
import { BusinessError, FrameworkError } from '../../call/errors.ts';
import { pathOf } from '../../call/request-target.ts';
import { BUSINESS_STATUS, type BusinessCode } from '../../contract/error-codes.ts';
import type { BusinessErrorBody } from '../../contract/errors.ts';
import type { Clock, Ids, Logger } from '../../engine/ports/system.ts';
import { type Answering, answer, PRIVATE_JSON_HEADERS } from '../answer.ts';
import type { NoteRefusal } from '../refusal-log.ts';
import type { RequestMetrics } from '../request-metrics.ts';
import type { RequestState } from '../request-state.ts';

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

/** True: the error is a database failure, known by its name or code. Other errors are bugs. */
function comesFromStore(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'QueryFailedError' || error.name === 'StoreFailure') return true;
  return 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE');
}

const codeOf = (error: unknown) => (comesFromStore(error) ? 'DATABASE_ERROR' : 'CONFIGURATION_ERROR');

const STOPPING = 'The gateway is stopping';

/** Something did not work, other than a refusal. */
function isFailure(error: unknown): boolean {
  return !(error instanceof BusinessError) || error.status === 500;
}

/** First middleware: makes every error thrown behind it into an answer, and counts every answer. */
export function answerErrors(deps: {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  readonly noteRefusal: NoteRefusal;
  /** True: the gateway is stopping. After running requests, venues and store close, which makes reads fail. */
  readonly isStopping?: () => boolean;
}): Middleware<RequestState> {
  const { clock, ids, logger, metrics, noteRefusal, isStopping = () => false } = deps;
  const unmatched = metrics.route('unmatched');

  function answerError(ctx: Pick<Context, 'method' | 'url' | 'res'> & Answering, error: unknown): void {
    for (const name of ctx.res.getHeaderNames()) ctx.remove(name);
    const requestId = ids.next();
    const request = { method: ctx.method, path: pathOf(ctx.url) };
    const about = { requestId, ...request };
    const send = (status: number, json: string, headers: AnswerHeaders = {}) =>
      answer(ctx, status, PRIVATE_JSON_HEADERS, { ...headers, 'x-request-id': requestId }, json);
    if (error instanceof FrameworkError) {
      const { status, message } = error;
      logger.debug({ ...about, status }, message);
      noteRefusal(status, message, request);
      send(status, frameworkBody(status, message), error.headers);
    } else if (ctx.method === 'GET' && isStopping() && isFailure(error)) {
      const code = error instanceof BusinessError ? error.code : codeOf(error);
      // For a few seconds all still works, and a bug is a bug.
      const isExpected = error instanceof BusinessError || comesFromStore(error);
      logger[isExpected ? 'debug' : 'warn']({ ...about, err: error }, STOPPING);
      send(BUSINESS_STATUS[code], businessBody(clock, code, STOPPING, { reason: 'STOPPING' }));
    } else if (error instanceof BusinessError) {
      const { status, code, message } = error;
      logger.debug({ ...about, status, errorCode: code }, message);
      // Counted by code, because business errors have many texts but few codes.
      noteRefusal(status, code, { ...request, message });
      send(status, businessBody(clock, code, message, error.details));
    } else {
      // A bug or a broken disk. The error's text may hold secrets, so the log gets it and the client never does.
      const code = codeOf(error);
      logger.error({ ...about, err: error }, 'Request failed unexpectedly');
      send(BUSINESS_STATUS[code], businessBody(clock, code, 'Internal error', {}));
    }
  }

  return async (ctx, next) => {
    const startedAt = metrics.now();
    ctx.state.series = unmatched;
    try {
      await next();
    } catch (error) {
      answerError(ctx, error);
    }
    ctx.state.series.record(ctx.status, metrics.now() - startedAt);
  };
}
