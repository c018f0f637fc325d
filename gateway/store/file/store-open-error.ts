export type StoreOpenFailure =
  /** The file was written by a later version of the program. */
  | 'newer'
  /** The file is not SQLite, or is the SQLite file of another program. */
  | 'not_a_database'
  | 'corrupt'
  /** The migration failed; the file and its backup copy are both unchanged. */
  | 'migration_failed'
  /** The folder is missing, permission or space is lacking, or another program has locked the file. */
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
