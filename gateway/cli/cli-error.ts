/** Ends a command: one clear line on standard error and its exit code (1 it failed, 2 it was asked wrongly). */
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
