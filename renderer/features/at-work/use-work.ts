/** Running and pending orders of the account's positions. Shares the reads of the order lists, so each is read once. */
import { useMemo } from 'react';
import { useAllRows } from '../../api/queries.ts';
import { PENDING_SCHEDULES, PENDING_TRIGGERS, PROGRESSING } from '../order-tables/pending-orders.ts';
import { type Work, type WorkedOn, workOn } from './work.ts';

const NONE: readonly never[] = [];

/** @returns the orders of a position; a new function whenever they may have changed */
export function useWork(): (position: WorkedOn) => readonly Work[] {
  const triggers = useAllRows('GET /triggers', PENDING_TRIGGERS).data;
  const schedules = useAllRows('GET /schedules', PENDING_SCHEDULES, PROGRESSING).data;
  const executions = useAllRows('GET /executions', {
    query: { status: ['ACTIVE'], limit: 100, includeTriggers: 'true' },
  }).data;
  return useMemo(() => {
    const sources = {
      triggers: triggers ?? NONE,
      schedules: schedules ?? NONE,
      executions: executions ?? NONE,
    };
    // Most of thousands of rows have no orders: these are not compared with all pending ones.
    const worked = new Set<string | null>([
      ...sources.executions.map(({ positionId }) => positionId),
      ...[...sources.triggers, ...sources.schedules].flatMap((one) => [one.positionId, one.basketKey]),
    ]);
    return (position) =>
      worked.has(position.id) || worked.has(position.basketKey) ? workOn(position, sources) : NONE;
  }, [triggers, schedules, executions]);
}
