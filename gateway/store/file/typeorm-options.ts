import sqlite3 from 'sqlite3';
import type { Logger as TypeormLogger } from 'typeorm';

/** TypeORM writes failed migrations to the console whatever its `logging` says; the caller of ours gets them as errors. */
const silent: TypeormLogger = {
  logQuery() {},
  logQueryError() {},
  logQuerySlow() {},
  logSchemaBuild() {},
  logMigration() {},
  log() {},
};

/**
 * What every data source of ours has in common. The driver is wrapped because TypeORM calls `verbose()`, which would
 * patch the one sqlite3 module of the process to capture a stack trace per statement, the writer's included.
 */
export const TYPEORM_OPTIONS = {
  type: 'sqlite',
  driver: { verbose: () => sqlite3 },
  synchronize: false,
  logger: silent,
} as const;
