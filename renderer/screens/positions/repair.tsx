/** Problems with the legs of an open position, each beside its remedy. */
import { useTicker } from '../../api/market.ts';
import { Button } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { missingLegs } from '../../features/basket-name/basket-name.ts';
import { offWeights } from '../../features/off-weights/off-weights.ts';
import type { PositionAction } from './position-dialogs.tsx';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

export function Repair({
  position,
  onAction,
}: {
  readonly position: Position;
  readonly onAction: (action: PositionAction, position: Position) => void;
}) {
  const missing = missingLegs(position.legs, useTicker());
  const off = offWeights(position);
  if (position.status !== 'OPEN' || (missing.length === 0 && off === null)) return null;
  const press = (action: PositionAction, label: string) => (
    <Button onClick={() => onAction(action, position)}>{label}</Button>
  );
  return (
    <div className={css['repair']}>
      <p className={layout['caution']}>{missing.length > 0 ? `Not held: ${missing.join(', ')}` : off}</p>
      {missing.length > 0 ? (
        <>
          {press('complete', 'Trade the missing rest…')}
          {press('close', 'Close what is held…')}
        </>
      ) : (
        press('rebalance', 'Rebalance…')
      )}
    </div>
  );
}
