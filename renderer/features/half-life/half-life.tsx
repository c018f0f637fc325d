/**
 * Half-life of a deviation of a pair's spread, the same wherever it is shown. One that is longer than what it was computed
 * from is no figure to go by: it says that it is, not how long.
 */
import { NoFigure, Quantity } from '../../components/amount.tsx';
import { type DataSpan, dataHours } from './data-hours.ts';

/** @param of of a pair of which neither leg stood still; hours throughout: two units side by side would be read as one */
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
