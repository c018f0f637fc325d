/**
 * Reads of the positions screen. Values at the mark price change with every tick, so they are also re-read by timer.
 */

import { useEffect } from 'react';
import type { Answer, Row } from '../../../gateway/client/client.ts';
import { type Holdings, useHoldings } from '../../api/account-now.ts';
import { queries } from '../../api/client.ts';
import { queryKey, useAllRows, useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';

export type Position = Row<'GET /positions'>;
/** Properties of a dialog about one position. */
export interface PositionDialogProps {
  readonly position: Position;
  readonly onClose: () => void;
}

export type PositionLeg = Position['legs'][number];
export type Unassigned = Holdings['unassigned'][number];

/** Refresh interval of a position that is not among the rows, ms. */
const VALUES_EVERY_MS = 1_000;
const FILLS_EVERY_MS = 2_000;
/**
 * One page of executions is enough for a position's timeline. All fills of the position are read, which covers
 * executions beyond that page.
 */
const EXECUTIONS = 500;

/** Open positions, read together with the sums of `useHoldings`. */
export function useOpenPositions() {
  const { holdings, error, refetch } = useHoldings();
  return { data: holdings?.positions, error, refetch };
}

/** Holdings of the account that belong to no basket, read together with the open positions. */
export function useUnassigned() {
  const { holdings, error, refetch } = useHoldings();
  return { data: holdings?.unassigned, error, refetch };
}

export type ClosedTrade = Row<'GET /positions/closed'>;

/** The closed position from the history; undefined: not closed, not read yet, or without a confirmed fill. */
export function useClosedTrade({ id, closedAt }: Position): ClosedTrade | undefined {
  const moment = closedAt ?? '';
  const query = { startDate: moment, endDate: moment, limit: 200 };
  const { data } = useGet('GET /positions/closed', { query }, { enabled: closedAt !== null });
  return data?.positions.find((trade) => trade.id === id);
}

export type WaitingFill = Answer<'GET /fills/provisionals-lite'>['fills'][number];

/** Fills that wait for a basket, or for the venue's history to confirm them. */
export function useWaitingFills() {
  return useGet('GET /fills/provisionals-lite', {}, { refetchEvery: FILLS_EVERY_MS });
}

/** One position, open or closed. An open one is its row, so that both show the same; else it is read by itself. */
export function usePosition(id: string) {
  const { id: accountId } = useAccount();
  const row = useOpenPositions().data?.find((one) => one.id === id);
  const isAlone = row === undefined;
  const request = { params: { id } };
  const alone = useGet('GET /positions/{id}', request, { enabled: isAlone, refetchEvery: VALUES_EVERY_MS });
  // A position that closes leaves the rows; its last figures stay until it is read.
  useEffect(() => {
    if (row !== undefined)
      queries.setQueryData(queryKey(accountId, 'GET /positions/{id}', { params: { id } }), row);
  }, [row, accountId, id]);
  return isAlone ? alone : { ...alone, data: row, error: null };
}

export function usePositionFills(positionId: string) {
  return useAllRows('GET /fills/{positionId}', { params: { positionId } });
}

export function usePositionStory() {
  const executions = useGet('GET /executions', {
    query: { limit: EXECUTIONS, includeSchedule: 'true', includeTriggers: 'true' },
  });
  const triggers = useGet('GET /triggers', { query: { limit: EXECUTIONS } });
  const schedules = useGet('GET /schedules', { query: { limit: EXECUTIONS } });
  return { executions, triggers, schedules };
}
