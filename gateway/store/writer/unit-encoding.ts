/** A unit of work as JSON text, encoded when the unit is handed in, so that composing a batch only joins strings. */
import type { NewEvent, StoredEvent, UnitOfWork } from '../../engine/ports/unit-of-work.ts';
import { closedTrades } from '../portfolio/closed-trades.ts';
import { totalDeltas } from '../portfolio/totals.ts';
import { slicesOf } from '../schedules.ts';
import { PART_NAMES, PARTS, type PartName, type Written } from '../tables.ts';

export interface EncodedUnit {
  /** Rows of each part as JSON, joined by commas, without the enclosing brackets. */
  readonly rows: ReadonlyMap<PartName, string>;
  readonly events: readonly NewEvent[];
  readonly deletes: boolean;
  /** Length of all rows in UTF-16 units. */
  readonly size: number;
}

const NONE: readonly never[] = [];

class UnitRows {
  readonly rows = new Map<PartName, string>();
  size = 0;

  put<Name extends PartName>(name: Name, records: readonly Written[Name][] = NONE): void {
    if (records.length === 0) return;
    const { encode } = PARTS[name];
    let encoded = this.rows.get(name) ?? '';
    this.size -= encoded.length;
    for (const record of records) encoded += encoded === '' ? encode(record) : `,${encode(record)}`;
    this.size += encoded.length;
    this.rows.set(name, encoded);
  }
}

type Fields = { readonly [Name in Exclude<PartName, 'events'>]?: readonly Written[Name][] };

/** Encodes a unit. Only the fields that the unit has are visited, and they are few. */
export function encodeUnit(unit: UnitOfWork): EncodedUnit {
  const into = new UnitRows();
  const { events = NONE, deletes = NONE } = unit;
  const fields: Fields = unit;
  for (const name in fields) {
    // Events are left out: they get their numbers when the batch is composed.
    const field = name as keyof UnitOfWork;
    if (field !== 'events' && field !== 'deletes') into.put(field, fields[field]);
  }
  into.put('closedTrades', closedTrades(unit.positions));
  into.put('portfolioTotals', totalDeltas(unit));
  into.put('newSlices', unit.newSchedules?.flatMap(slicesOf));
  for (const { from, id } of deletes) into.put(`deleted_${from}`, [id]);
  return { rows: into.rows, events, deletes: deletes.length > 0, size: into.size };
}

export interface ComposedBatch {
  /** The parts that the batch has, in the order of `PART_NAMES`. */
  readonly parts: readonly PartName[];
  /** A JSON array of rows for each part. */
  readonly params: ReadonlyMap<PartName, string>;
  /** Events of each unit, in the order of the units. */
  readonly events: readonly (readonly StoredEvent[])[];
  /** The accounts' counters after this batch. */
  readonly lastSeqs: ReadonlyMap<string, number>;
}

/** Numbers the units' events from `lastSeq` on and joins their rows. Moves no counter: the batch may still fail. */
export function composeBatch(
  units: readonly EncodedUnit[],
  lastSeq: (tradeAccountId: string) => number,
): ComposedBatch {
  const lastSeqs = new Map<string, number>();
  const events = units.map((unit) =>
    unit.events.map(({ tradeAccountId, event, entityId, timestamp }): StoredEvent => {
      const seq = (lastSeqs.get(tradeAccountId) ?? lastSeq(tradeAccountId)) + 1;
      lastSeqs.set(tradeAccountId, seq);
      return { tradeAccountId, seq, event, entityId, timestamp };
    }),
  );
  const rows = new Map<PartName, string[]>();
  const put = (part: PartName, encoded: string): void => {
    const sofar = rows.get(part);
    if (sofar === undefined) rows.set(part, [encoded]);
    else sofar.push(encoded);
  };
  for (const unit of units) for (const [part, encoded] of unit.rows) put(part, encoded);
  for (const unitEvents of events) for (const event of unitEvents) put('events', PARTS.events.encode(event));
  for (const [tradeAccountId, last] of lastSeqs)
    put('accountSeq', PARTS.accountSeq.encode({ tradeAccountId, lastSeq: last }));
  const parts = rows.size === 1 ? [...rows.keys()] : PART_NAMES.filter((part) => rows.has(part));
  const params = new Map<PartName, string>();
  for (const part of parts) params.set(part, `[${rows.get(part)?.join(',') ?? ''}]`);
  return { parts, params, events, lastSeqs };
}
