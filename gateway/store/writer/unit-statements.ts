/**
 * Prepared statements for batches, one per combination of parts that a batch has had. A statement for all parts would
 * open every table and index on each commit, even without rows: about 100 µs of processor time, more than a row costs.
 */

import type { PreparedStatement, SqliteHandle } from '../file/sqlite-handle.ts';
import { PART_NAMES, type PartName } from '../tables.ts';
import { createUnitOfWork, insertUnitOfWork } from './unit-of-work-view.ts';

/**
 * Maximum number of combinations with a statement of their own; later combinations share the statement for all parts.
 */
const MAX_STATEMENTS = 64;

export interface UnitStatements {
  /** @param parts parts in the order of `PART_NAMES`; a NULL parameter writes nothing */
  run(parts: readonly PartName[], params: ReadonlyMap<PartName, string>): Promise<void>;
  close(): Promise<void>;
}

interface UnitStatement {
  readonly parts: readonly PartName[];
  readonly statement: PreparedStatement;
}

export function createUnitStatements(handle: SqliteHandle): UnitStatements {
  const statements = new Map<string, UnitStatement>();

  async function make(parts: readonly PartName[]): Promise<UnitStatement> {
    const view = `unit_of_work_${statements.size}`;
    await handle.exec(createUnitOfWork(view, parts));
    const made = { parts, statement: await handle.prepare(insertUnitOfWork(view, parts)) };
    statements.set(parts.join(), made);
    return made;
  }

  /** Prepared when the limit is first exceeded, because most processes never need it. */
  let all: UnitStatement | undefined;
  async function ofAllParts(): Promise<UnitStatement> {
    all ??= await make(PART_NAMES);
    return all;
  }

  return {
    async run(parts, params) {
      const known = statements.get(parts.join());
      const { parts: columns, statement } =
        known ?? (await (statements.size < MAX_STATEMENTS ? make(parts) : ofAllParts()));
      await statement.run(columns.map((part) => params.get(part) ?? null));
    },
    async close() {
      for (const { statement } of statements.values()) await statement.finalize();
    },
  };
}
