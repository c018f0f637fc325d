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

/** Bid and ask of the subject by the best prices of its legs; as `useSubjectValue`. */
export function useSubjectQuote(subject: ChartSubject, legs: readonly WeighedLeg[]): BestPrices | null {
  const { connector } = useAccount();
  const rows = useLiveRows(`prices:${connector}`);
  return subjectQuote(subject, legs, (id) => {
    const row = rows.find((one) => one.id === id);
    return row === undefined ? null : { bid: Number(row.bid), ask: Number(row.ask) };
  });
}
