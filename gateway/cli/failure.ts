/** A failure as a program reads it: what `--json` prints on standard output where there is no answer. */
import { Refusal, ValidationFailed } from '../client/errors.ts';
import type { CliError } from './cli-error.ts';

/** One line: `{"error": {"message", "exitCode", …}}`; what the gateway refused has its status and codes too. */
export function failureJson({ message, exitCode, cause }: CliError): string {
  if (!(cause instanceof Refusal)) return JSON.stringify({ error: { message, exitCode } });
  const { status, errorCode, details, requestId } = cause;
  const fields = cause instanceof ValidationFailed ? { fields: cause.fields } : { details: details ?? null };
  return JSON.stringify({ error: { message, exitCode, status, errorCode, ...fields, requestId } });
}
