/**
 * A claim: several statements in one transaction that is committed only if enough rows change. It runs in the
 * writer's queue, so no other statement comes between its BEGIN and its COMMIT.
 */
import type { Result } from '../../domain/result.ts';
import type { StoreError } from '../../engine/ports/unit-of-work.ts';
import type { SqliteHandle, SqlValue } from '../file/sqlite-handle.ts';

export interface ClaimStatement {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  /** true: if this statement changes no row, the whole claim fails and is rolled back. */
  readonly decides: boolean;
}

export interface ClaimOutcome {
  /** Index of the deciding statement that changed no row; null: the claim is committed. */
  readonly lostAt: number | null;
}

/** Statements that the writer runs in their turn, each call in a transaction of its own. */
export interface OwnTransactions {
  /** Runs one statement: a delete, or a change whose number of changed rows is the result. */
  exclusive(
    sql: string,
    params: readonly SqlValue[],
  ): Promise<Result<{ readonly changes: number }, StoreError>>;
  /** Runs all statements, or none when a deciding statement changes no row. */
  claim(statements: readonly ClaimStatement[]): Promise<Result<ClaimOutcome, StoreError>>;
}

/** Runs a claim. Throws the driver's error after the rollback. */
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
    // A full disk may have ended the transaction already; the ROLLBACK then fails harmlessly.
    await handle.run('ROLLBACK').catch(() => {});
    throw error;
  }
}
