/** Hours that a ratio is compared with, the same as for a trigger with this look-back. */
import { useMemo, useState } from 'react';
import { useNow } from '../../api/clock.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { basketQuery, hasPast } from './basket-query.ts';
import type { ChartSubject, WeighedLeg } from './subject.ts';
import {
  canLookBack,
  type HourClose,
  mostHours,
  type RatioWindow,
  type Transformed,
  windowOf,
} from './transform.ts';

const HOUR_MS = 3_600_000;
const AGAIN_MS = 60_000;

export interface RatioPast {
  /** Closes of the known full hours, oldest first; undefined: not read yet, or not to be read. */
  readonly closes: readonly HourClose[] | undefined;
  /** Statistics of the look-back alone, constant within an hour; null: fewer than half of its hours are known. */
  readonly window: RatioWindow | null;
  /**
   * First requested hour of these closes, and end of the last, epoch ms: the start of the running hour. Just after a
   * full hour, until the new close is read, both are still those of the hour before.
   */
  readonly from: number;
  readonly until: number;
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

/**
 * @param of null: nothing is read
 * @param hours number of closes; left out: the look-back
 */
export function useRatioPast(
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
  of: Transformed | null,
  hours?: number,
): RatioPast {
  const { connector } = useAccount();
  const lookback = of?.lookback ?? Number.NaN;
  const isRead =
    subject.metric !== 'PRICE' && legs.length > 0 && hasPast(legs, subject) && canLookBack(lookback, legs);
  // Mean and deviation are constant within an hour.
  const until = useNow(HOUR_MS);
  const asked = isRead ? Math.min(mostHours(legs), Math.max(lookback, hours ?? 0)) : 0;
  const from = until - asked * HOUR_MS;
  const range = { from: String(from), to: String(until) };
  const { data, error, refetch } = useGet(
    'GET /candles/basket',
    { query: { connector, interval: '1h', ...range, ...basketQuery(legs, subject) } },
    // The candle of the hour that has just ended may come a moment later.
    { shared: true, enabled: isRead, freshForMs: AGAIN_MS, refetchEvery: AGAIN_MS },
  );
  const read = useLastOf(JSON.stringify([connector, subject.metric, legs, asked]), {
    closes: isRead ? data?.candles : undefined,
    from,
    until,
  });
  const { closes, until: end } = read;
  const window = useMemo(() => {
    const begin = end - lookback * HOUR_MS;
    const own = closes?.filter(({ start }) => Date.parse(start) >= begin);
    return own === undefined ? null : windowOf(own, lookback);
  }, [closes, lookback, end]);
  return { ...read, window, error, refetch };
}

type Closes = Pick<RatioPast, 'closes' | 'from' | 'until'>;

/** Keeps the previous hour's answer to the same question, with its range, until this hour's answer is there. */
function useLastOf(question: string, now: Closes): Closes {
  const [last, setLast] = useState<(Closes & { readonly question: string }) | null>(null);
  const isLast = last?.question === question;
  if (now.closes === undefined) return isLast ? last : now;
  if (!isLast || last.closes !== now.closes || last.until !== now.until) setLast({ ...now, question });
  return now;
}
