export type StoreOpenFailure =
  /** Written by a later version of the program. */
  | 'newer'
  /** Not SQLite, or the SQLite file of another program. */
  | 'not_a_database'
  | 'corrupt'
  /** The file as it was is untouched, and so is its backup copy. */
  | 'migration_failed'
  /** Missing folder, no permission, no space, locked by another program. */
  | 'unusable';

/** Why the data file was not opened. The message is one line for the person who starts the gateway. */
export class StoreOpenError extends Error {
  readonly failure: StoreOpenFailure;

  constructor(failure: StoreOpenFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'StoreOpenError';
    this.failure = failure;
  }
}
