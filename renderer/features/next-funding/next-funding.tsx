/** When the venue settles funding next, for legs that are held or looked at. */
import { useNow } from '../../api/clock.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { NoFigure } from '../../components/amount.tsx';
import { formatTime } from '../../components/format.ts';

const REFRESH_MS = 30_000;
const MINUTE_MS = 60_000;

interface Next {
  /** Epoch ms, the first of the legs. */
  readonly at: number;
  readonly intervalHours: number;
}

/** null: the venue has not told it. */
function useNext(symbols: readonly string[]): Next | null {
  const { connector } = useAccount();
  const { data } = useGet(
    'GET /funding',
    { query: { connector } },
    { shared: true, refetchEvery: REFRESH_MS, freshForMs: REFRESH_MS },
  );
  let first: Next | null = null;
  for (const { id, nextFundingTime, intervalHours } of data?.funding ?? []) {
    if (!symbols.includes(id)) continue;
    const at = Date.parse(nextFundingTime);
    if (first === null || at < first.at) first = { at, intervalHours };
  }
  return first;
}

/** `40 s`, `12 min`, `7 h`: rounded up, so that it is never due before it says so. */
function spanTo(at: number, now: number): string {
  const left = at - now;
  if (left <= 0) return 'now';
  if (left < MINUTE_MS) return `${Math.ceil(left / 1_000)} s`;
  const minutes = Math.ceil(left / MINUTE_MS);
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** `in 12 min` */
export function NextFunding({ symbols }: { readonly symbols: readonly string[] }) {
  const next = useNext(symbols);
  const now = useNow();
  if (next === null) return <NoFigure />;
  const span = spanTo(next.at, now);
  return <time dateTime={new Date(next.at).toISOString()}>{span === 'now' ? span : `in ${span}`}</time>;
}

/** `Next payment in 12 min, at 14:00, then every hour` */
export function NextFundingWords({ symbols }: { readonly symbols: readonly string[] }) {
  const next = useNext(symbols);
  const now = useNow();
  const settings = useSettings();
  if (next === null) return <>The venue has not told when funding is due</>;
  const span = spanTo(next.at, now);
  const every = next.intervalHours === 1 ? 'every hour' : `every ${next.intervalHours} h`;
  return (
    <>
      Next payment {span === 'now' ? span : `in ${span}`}, at {formatTime(settings, next.at, 'minute')}, then{' '}
      {every}
    </>
  );
}
