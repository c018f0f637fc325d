/**
 * Several statements as one transaction that the number of changed rows decides. It runs in its turn on the writer's
 * handle, where nothing else is ever between its BEGIN and its COMMIT.
 */
import type { Result } from '../../domain/result.ts';
import type { StoreError } from '../../engine/ports/unit-of-work.ts';
import type { SqliteHandle, SqlValue } from '../file/sqlite-handle.ts';

export interface ClaimStatement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** When it changes no row, the claim is lost and nothing of it stays. */
  readonly decides: boolean;
}

export interface ClaimOutcome {
  /** Index of the statement that changed nothing; null: everything is committed. */
  readonly lostAt: number | null;
}

/** What the writer runs in its turn, each in a transaction of its own. */
export interface OwnTransactions {
  /** One statement: for what the number of changed rows decides, and deletes. */
  exclusive(
    sql: string,
    params: readonly SqlValue[],
  ): Promise<Result<{ readonly changes: number }, StoreError>>;
  /** Statements: all of them, or none when a deciding one changes no row. */
  claim(statements: readonly ClaimStatement[]): Promise<Result<ClaimOutcome, StoreError>>;
}

/** Throws the driver's error after undoing everything. */
export async function runClaim(
  handle: SqliteHandle,
  statements: readonly ClaimStatement[],
): Promise<ClaimOutcome> {
  await handle.run('BEGIN IMMEDIATE');
  try {
    for (const [index, { sql, params, decides }] of statements.entries()) {
      const { changes } = await handle.run(sql, params);
      if (!decides || changes > 0) continue;
      await handle.run('ROLLBACK');
      return { lostAt: index };
    }
    await handle.run('COMMIT');
    return { lostAt: null };
  } catch (error) {
    // A full disk may have ended the transaction already; then there is nothing left to undo.
    await handle.run('ROLLBACK').catch(() => {});
    throw error;
  }
}
