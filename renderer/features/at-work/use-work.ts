/** What works on the positions of the account. The reads are those of the lists that show the same, so that each is read once. */
import { useCallback } from 'react';
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
  return useCallback(
    (position) =>
      workOn(position, {
        triggers: triggers ?? NONE,
        schedules: schedules ?? NONE,
        executions: executions ?? NONE,
      }),
    [triggers, schedules, executions],
  );
}
