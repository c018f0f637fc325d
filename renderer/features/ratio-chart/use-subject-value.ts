/** Value of a chart's subject at the live prices. */
import { useLiveRows } from '../../api/live.ts';
import { useAccount } from '../../api/session.ts';
import { type ChartSubject, subjectValue, type WeighedLeg } from './subject.ts';

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
