/**
 * A lifecycle as a literal table. A transition missing from the table is a typed refusal, never a silent no-op.
 */
import { fail, ok, type Result } from './result.ts';

export type TransitionTable<Status extends string, Event extends string> = {
  readonly [S in Status]: Partial<Readonly<Record<Event, Status>>>;
};

export interface IllegalTransition {
  readonly kind: 'illegal_transition';
  readonly from: string;
  readonly event: string;
}

export function transition<Status extends string, Event extends string>(
  table: TransitionTable<Status, Event>,
  from: Status,
  event: Event,
): Result<Status, IllegalTransition> {
  const row: Partial<Readonly<Record<Event, Status>>> = table[from];
  const to = row[event];
  return to === undefined ? fail({ kind: 'illegal_transition', from, event }) : ok(to);
}

/** `row` after `event`, with its new status and the given changes. */
export function move<Status extends string, Event extends string, Row extends { readonly status: Status }>(
  table: TransitionTable<Status, Event>,
  row: Row,
  event: Event,
  changes: Partial<NoInfer<Row>>,
): Result<Row, IllegalTransition> {
  const next = transition(table, row.status, event);
  return next.ok ? ok({ ...row, ...changes, status: next.value }) : next;
}
