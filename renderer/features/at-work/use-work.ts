/** What works on the positions of the account. The reads are those of the lists that show the same, so that each is read once. */
import { useMemo } from 'react';
import { useAllRows } from '../../api/queries.ts';
import { type Work, type WorkedOn, workOn } from './work.ts';

/** No event tells of a slice. */
const PROGRESS_EVERY_MS = 2_000;
const NONE: readonly never[] = [];

/** @returns what works on a position; a function that is another one when that may have changed */
export function useWork(): (position: WorkedOn) => readonly Work[] {
  const triggers = useAllRows('GET /triggers', {
    query: { status: ['ACTIVE', 'PAUSED', 'TRIGGERED'], limit: 500 },
  }).data;
  const schedules = useAllRows(
    'GET /schedules',
    { query: { status: ['ACTIVE', 'PAUSED'], limit: 500 } },
    { refetchEvery: PROGRESS_EVERY_MS },
  ).data;
  const executions = useAllRows('GET /executions', {
    query: { status: ['ACTIVE'], limit: 100, includeTriggers: 'true' },
  }).data;
  return useMemo(() => {
    const sources = {
      triggers: triggers ?? NONE,
      schedules: schedules ?? NONE,
      executions: executions ?? NONE,
    };
    // Most of thousands of rows have nothing: they are not compared with all that waits.
    const worked = new Set<string | null>([
      ...sources.executions.map(({ positionId }) => positionId),
      ...[...sources.triggers, ...sources.schedules].flatMap((one) => [one.positionId, one.basketKey]),
    ]);
    return (position) =>
      worked.has(position.id) || worked.has(position.basketKey) ? workOn(position, sources) : NONE;
  }, [triggers, schedules, executions]);
}
