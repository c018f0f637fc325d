/**
 * The account's present figures and PnL of the UTC day: one read for every place of the page, so that all places
 * agree.
 */
import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer, Request } from '../../gateway/client/client.ts';
import { useNow } from './clock.ts';
import { useGet } from './queries.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Interval of the read: equity moves with the market. */
const EVERY_MS = 5_000;

/** UTC day, by which the gateway counts: `2026-11-21`. */
export function useToday(): string {
  const now = useNow(MINUTE_MS);
  return new Date(now - (now % DAY_MS)).toISOString().slice(0, 10);
}

/** @param today UTC day */
export function accountNowRequest(today: string): Request<'GET /portfolio'> {
  return { query: { startDate: today, includeDay: true } };
}

/** @param refetchEvery of one screen that wants it more often; the read and its answer are the same */
export function useAccountNow(refetchEvery = EVERY_MS): UseQueryResult<Answer<'GET /portfolio'>> {
  return useGet('GET /portfolio', accountNowRequest(useToday()), { refetchEvery });
}
