/** Actions on a position: a button to close, all others in a menu. */
import { Ellipsis } from 'lucide-react';
import { useConnector } from '../../api/market.ts';
import { Button, IconButton } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Menu } from '../../components/menu.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import { isolatedLegs } from './margin-dialog.tsx';
import type { PositionAction } from './position-dialogs.tsx';
import css from './positions.module.css';
import type { Position } from './use-position-data.ts';

export function PositionButtons({
  position,
  onAction,
}: {
  readonly position: Position;
  readonly onAction: (action: PositionAction, position: Position) => void;
}) {
  const name = useBasketText(position.legs);
  const capabilities = useConnector()?.capabilities ?? [];
  const canMargin = capabilities.includes('margin_change') && isolatedLegs(position).length > 0;
  const item = (action: PositionAction, label: string, danger = false) => ({
    id: action,
    label,
    danger,
    onSelect: () => onAction(action, position),
  });
  return (
    <span className={layout['buttons']}>
      <Button kind="ghost" onClick={() => onAction('close', position)} aria-label={`Close ${name}`}>
        Close
      </Button>
      <Button
        kind="ghost"
        className={css['half'] ?? ''}
        onClick={() => onAction('half', position)}
        aria-label={`Close half of ${name}`}
      >
        Half
      </Button>
      <Menu
        align="end"
        trigger={<IconButton label={`More for ${name}`} icon={<Ellipsis />} />}
        items={[
          item('half', 'Close half…'),
          item('adjust', 'Adjust size…'),
          item('brackets', 'Take-profit and stop-loss…'),
          item('rebalance', 'Rebalance…'),
          ...(canMargin ? [item('margin', 'Isolated margin…')] : []),
          { id: 'line', separator: true },
          item('reverse', 'Reverse…', true),
        ]}
      />
    </span>
  );
}
