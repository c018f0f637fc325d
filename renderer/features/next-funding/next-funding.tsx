/** Time of the venue's next funding payment, for legs that are held or viewed. */
import type { ReactNode } from 'react';
import { useNow } from '../../api/clock.ts';
import { useFunding } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { NoFigure } from '../../components/amount.tsx';
import { formatTime } from '../../components/format.ts';
import { type FundingRead, type NextPayment, NO_PAYMENT, paymentIn, paymentWords } from './funding-words.ts';

function useNext(symbols: readonly string[]): FundingRead {
  const { data, error } = useFunding();
  if (data === undefined) return error === null ? 'reading' : 'unread';
  let first: NextPayment | null = null;
  for (const { id, nextFundingTime, intervalHours } of data.funding) {
    if (!symbols.includes(id)) continue;
    const at = Date.parse(nextFundingTime);
    if (first === null || at < first.at) first = { at, intervalHours };
  }
  return first ?? 'untold';
}

/** `in 12 min` */
export function NextFunding({
  symbols,
  before,
}: {
  readonly symbols: readonly string[];
  /** Label before the time, where nothing beside it names it. */
  readonly before?: ReactNode;
}) {
  const next = useNext(symbols);
  const now = useNow();
  if (typeof next === 'string') return <NoFigure why={NO_PAYMENT[next]} />;
  return (
    <>
      {next.at > now && before}
      <time dateTime={new Date(next.at).toISOString()}>{paymentIn(next.at, now)}</time>
    </>
  );
}

/** `Next payment in 12 min, at 14:00, then every hour` */
export function NextFundingWords({ symbols }: { readonly symbols: readonly string[] }) {
  const next = useNext(symbols);
  const now = useNow();
  const settings = useSettings();
  if (typeof next === 'string') return <>{NO_PAYMENT[next]}</>;
  return <>{paymentWords(next, now, (at) => formatTime(settings, at, 'minute'))}</>;
}
