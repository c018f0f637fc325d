/** Price ratio at which a position breaks even. */
import { NoFigure, Ratio } from '../../components/amount.tsx';
import type { Column } from '../../components/table-column.ts';
import { isWhole, NOT_WHOLE } from '../../features/position-columns/is-whole.ts';
import { evenRatio } from '../../features/position-columns/position-net.ts';
import type { Position } from './use-position-data.ts';

export function BreakEven({ position }: { readonly position: Position }) {
  if (!isWhole(position)) return <NoFigure why={NOT_WHOLE} />;
  const even = evenRatio(position);
  if (even === null) return <NoFigure why="no price of the legs makes its net nothing" />;
  return (
    <span title="Price ratio at which its net is nothing, each leg moving alike">
      <Ratio value={String(even)} figures={6} />
    </span>
  );
}

export const BREAK_EVEN: Column<Position> = {
  id: 'even',
  header: 'Break-even',
  align: 'right',
  width: 80,
  onCards: 'NOTHING',
  cell: (row) => <BreakEven position={row} />,
};
