import sqlite3 from 'sqlite3';
import type { Logger as TypeormLogger } from 'typeorm';

/** Silences TypeORM, which prints failed migrations whatever `logging` says; the caller gets them as errors. */
const silent: TypeormLogger = {
  logQuery() {},
  logQueryError() {},
  logQuerySlow() {},
  logSchemaBuild() {},
  logMigration() {},
  log() {},
};

/**
 * Options common to the gateway's data sources. The driver is wrapped because TypeORM calls `verbose()`, which would
 * patch the process's one sqlite3 module to capture a stack trace per statement, the writer's statements included.
 */
export const TYPEORM_OPTIONS = {
  type: 'sqlite',
  driver: { verbose: () => sqlite3 },
  synchronize: false,
  logger: silent,
} as const;
