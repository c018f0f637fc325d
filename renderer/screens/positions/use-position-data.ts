/**
 * Reads of the positions screen. Values at the mark price change with every tick, so they are also re-read by timer.
 */
import type { Answer, Request, Row } from '../../../gateway/client/client.ts';
import { useAccountNow } from '../../api/account-now.ts';
import { useAllRows, useGet } from '../../api/queries.ts';
import { millionthsOf } from '../../features/basket-weights/basket-weights.ts';
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';

export type Position = Row<'GET /positions'>;
/** Properties of a dialog about one position. */
export interface PositionDialogProps {
  readonly position: Position;
  readonly onClose: () => void;
}

export type PositionLeg = Position['legs'][number];
export type Unassigned = Answer<'GET /positions/unassigned'>['items'][number];

const VALUES_EVERY_MS = 1_000;
/** Of reads that are renewed together every second: on their own only to notice that the gateway does not answer. */
const ALONE_EVERY_MS = 10_000;
const TOTALS_EVERY_MS = 2_000;
/**
 * One page of executions is enough for a position's timeline. All fills of the position are read, which covers
 * executions beyond that page.
 */
const EXECUTIONS = 500;

/** The request of the open positions; its key is that of the read that `use-one-moment.ts` renews. */
export const OPEN_POSITIONS: Request<'GET /positions'> = { query: { status: ['OPEN'], limit: 500 } };

export function useOpenPositions() {
  return useAllRows('GET /positions', OPEN_POSITIONS, { refetchEvery: ALONE_EVERY_MS });
}

/** Figures of the whole account since midnight UTC. Shares the top bar's read, so that both show the same moment. */
export function useTotals() {
  return useAccountNow(ALONE_EVERY_MS);
}

/** Holdings of the account that belong to no basket. */
export function useUnassigned() {
  return useGet('GET /positions/unassigned', {}, { refetchEvery: TOTALS_EVERY_MS });
}

export type WaitingFill = Answer<'GET /fills/provisionals-lite'>['fills'][number];

/** Fills that wait for a basket, or for the venue's history to confirm them. */
export function useWaitingFills() {
  return useGet('GET /fills/provisionals-lite', {}, { refetchEvery: TOTALS_EVERY_MS });
}

/** One position, open or closed. */
export function usePosition(id: string) {
  return useGet('GET /positions/{id}', { params: { id } }, { refetchEvery: VALUES_EVERY_MS });
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

/** The legs in the form of charts and conditions: weights in whole millionths, for drawing only. */
export function weighedLegs({ legs }: Pick<Position, 'legs'>): readonly WeighedLeg[] {
  return legs.map((leg) => ({
    id: leg.symbol,
    side: leg.side,
    weight: millionthsOf(Number(leg.targetWeight)).millionths,
  }));
}
