/**
 * Ends a command: one clear line on standard error and its exit code (1 the command failed, 2 its usage is wrong).
 */
export class CliError extends Error {
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1, cause?: Error) {
    super(message, { cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

export function usage(message: string): CliError {
  return new CliError(message, 2);
}
