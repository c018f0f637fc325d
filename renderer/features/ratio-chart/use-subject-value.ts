/** Value of a chart's subject at the live prices. */
import { useLiveRows } from '../../api/live.ts';
import { useAccount } from '../../api/session.ts';
import {
  type BestPrices,
  type ChartSubject,
  subjectQuote,
  subjectValue,
  type WeighedLeg,
} from './subject.ts';

/** Live prices by instrument id; null: none yet. For display only. Changes up to ten times a second. */
export function useLivePrices(): (id: string) => number | null {
  const { connector } = useAccount();
  const rows = useLiveRows(`prices:${connector}`);
  return (id) => {
    const mark = rows.find((row) => row.id === id)?.mark;
    return mark === undefined ? null : Number(mark);
  };
}

/** null while a price is missing. The value is for display only and never sent. Changes up to ten times a second. */
export function useSubjectValue(subject: ChartSubject, legs: readonly WeighedLeg[]): number | null {
  return subjectValue(subject, legs, useLivePrices());
}

/** Bid and ask of the subject by the best prices of its legs; otherwise as `useSubjectValue`. */
export function useSubjectQuote(subject: ChartSubject, legs: readonly WeighedLeg[]): BestPrices | null {
  const { connector } = useAccount();
  const rows = useLiveRows(`prices:${connector}`);
  return subjectQuote(subject, legs, (id) => {
    const row = rows.find((one) => one.id === id);
    return row === undefined ? null : { bid: Number(row.bid), ask: Number(row.ask) };
  });
}

/** 24-hour change of the subject by the marks, a decimal fraction; null: a present or earlier price is missing. */
export function changeOf(
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
  prices: readonly { readonly id: string; readonly mark: string; readonly price24hAgo: string }[],
): string | null {
  const at = (of: 'mark' | 'price24hAgo') => {
    const known = new Map(prices.map((row) => [row.id, Number(row[of])]));
    return subjectValue(subject, legs, (id) => known.get(id) ?? null);
  };
  const [now, before] = [at('mark'), at('price24hAgo')];
  return now === null || before === null ? null : (now / before - 1).toFixed(8);
}

/** As `useSubjectValue`. */
export function useSubjectChange(subject: ChartSubject, legs: readonly WeighedLeg[]): string | null {
  const { connector } = useAccount();
  return changeOf(subject, legs, useLiveRows(`prices:${connector}`));
}
