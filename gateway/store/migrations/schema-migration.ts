import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One step of the schema, forward only. A step is SQL text and never changes once released: a new file runs all
 * steps in one transaction without loading TypeORM, an old file runs the missing ones as TypeORM migrations.
 */
export interface SchemaMigration {
  /** `PRAGMA user_version` of a file that has this step: 1, 2, 3, … */
  readonly version: number;
  /** Name of the step. TypeORM orders steps by the 13 digits at its end: epoch ms of the day it was written. */
  readonly name: string;
  readonly statements: readonly string[];
}

/** Name of the table in which TypeORM notes the steps that a file has. */
export const MIGRATIONS_TABLE = 'schema_migrations';

export function timestampOf(migration: SchemaMigration): number {
  return Number(migration.name.slice(-13));
}

/** The step as the class that TypeORM's migration runner wants. */
export function migrationClass(migration: SchemaMigration): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = migration.name;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of migration.statements) await runner.query(statement);
      await runner.query(`PRAGMA user_version = ${migration.version}`);
    }

    async down(): Promise<void> {
      throw new Error('Migrations go forward only; restore the backup copy instead');
    }
  };
}
