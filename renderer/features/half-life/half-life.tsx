/**
 * Half-life of a deviation of a pair's spread, the same wherever it is shown. A half-life longer than the data behind
 * it is unreliable, so only its lower limit is shown.
 */
import { NoFigure, Quantity } from '../../components/amount.tsx';
import { type DataSpan, dataHours } from './data-hours.ts';

/** @param of a pair whose legs have both moved. Always in hours: two units side by side would be read as one */
export function HalfLife({
  of: { halfLifeHours: hours, ...of },
}: {
  readonly of: DataSpan & { readonly halfLifeHours: string | null };
}) {
  if (hours === null) return <NoFigure why="it does not come back" />;
  const most = dataHours(of);
  if (Number(hours) > most)
    return (
      <span title="longer than the data">
        &gt; <Quantity value={String(most)} step="1" /> h
      </span>
    );
  return (
    <span>
      <Quantity value={hours} step={Number(hours) < 1 ? '0.01' : Number(hours) < 100 ? '0.1' : '1'} /> h
    </span>
  );
}
