/** Columns of a position's protection, and of its distance to liquidation. */
import { Button } from '../../components/button.tsx';
import type { Column } from '../../components/table-column.ts';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { LiquidationMove } from '../../features/liquidation/liquidation.tsx';
import { Guards } from '../../features/position-columns/guards.tsx';
import { liquidationColumn, POSITION_COLUMNS } from '../../features/position-columns/position-columns.tsx';
import type { Distances } from '../../features/position-columns/use-risk.ts';
import { FirstToGo } from './first-to-go.tsx';
import type { PositionAction } from './position-dialogs.tsx';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

/** Liquidation with the instrument that the venue closes first. For cross positions, it may be outside the basket. */
export function namedLiquidationColumn(distances: Distances): Column<Position> {
  return {
    ...liquidationColumn(distances),
    width: 126,
    cell: (row) => (
      <span className={css['distance']}>
        <LiquidationMove risk={distances?.get(row.id)} />
        <FirstToGo risk={distances?.get(row.id)} legs={row.legs} />
      </span>
    ),
  };
}

type OnAction = (action: PositionAction, position: Position) => void;

export function guardsColumn(onAction: OnAction): Column<Position> {
  return {
    ...POSITION_COLUMNS.GUARDS,
    cell: (row) => (
      <span className={css['guards']}>
        {row.takeProfit === null && row.stopLoss === null && (
          <SetBrackets position={row} onAction={onAction} />
        )}
        <Guards position={row} />
      </span>
    ),
  };
}

function SetBrackets({ position, onAction }: { readonly position: Position; readonly onAction: OnAction }) {
  const name = useBasketText(position.legs);
  return (
    <Button
      kind="ghost"
      className={css['set']}
      aria-label={`Set take-profit and stop-loss of ${name}`}
      onClick={() => onAction('brackets', position)}
    >
      Set
    </Button>
  );
}
