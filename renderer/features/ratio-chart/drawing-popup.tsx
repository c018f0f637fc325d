/** What can be drawn on a chart, and what is drawn on it already, to be removed: also what lies outside of the picture. */
import { Popover } from '@base-ui/react/popover';
import { Minus, Trash2, TrendingUp } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import type { Drawing } from '../../components/chart-drawing-places.ts';
import popup from '../../components/popup.module.css';
import css from './chart-popup.module.css';
import { figureText } from './figure.ts';

export function DrawingPopup({
  anchor,
  drawings,
  onDraw,
  onRemove,
  onClear,
  onClose,
}: {
  /** The button that opened it: it has the focus again afterwards. */
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly drawings: readonly Drawing[];
  readonly onDraw: (kind: Drawing['kind']) => void;
  readonly onRemove: (id: string) => void;
  readonly onClear: () => void;
  readonly onClose: () => void;
}) {
  /** The chart has the focus then. */
  const isDrawn = useRef(false);
  const draw = (kind: Drawing['kind']) => {
    isDrawn.current = true;
    onDraw(kind);
  };
  return (
    <Popover.Root
      open
      onOpenChange={(_, { event }) => {
        // The button itself closes it.
        const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target) === true;
        if (!isOnButton || event.type === 'keydown') onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          className={`${popup['positioner']} ${popup['overDialog']}`}
          positionMethod="fixed"
          sideOffset={4}
          align="end"
          collisionPadding={4}
        >
          <Popover.Popup
            className={`${popup['popup']} ${css['popup']}`}
            finalFocus={() => (isDrawn.current ? false : anchor.current)}
          >
            <Popover.Title className={css['title']}>Draw</Popover.Title>
            <div className={css['add']}>
              <Button icon={<Minus />} onClick={() => draw('level')}>
                Level
              </Button>
              <Button icon={<TrendingUp />} onClick={() => draw('trend')}>
                Trend line
              </Button>
            </div>
            {drawings.length > 0 && (
              <>
                <ul className={css['list']} aria-label="Drawn here">
                  {drawings.map((drawing) => (
                    <li key={drawing.id} className={css['row']}>
                      {nameOf(drawing)}
                      <span className={css['ends']}>
                        <IconButton
                          label={`Remove ${nameOf(drawing).toLowerCase()}`}
                          icon={<Trash2 />}
                          danger
                          onClick={() => onRemove(drawing.id)}
                        />
                      </span>
                    </li>
                  ))}
                </ul>
                <Button wide onClick={onClear}>
                  Clear drawings
                </Button>
              </>
            )}
            <p className={css['note']}>Drawings are no orders.</p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function nameOf({ kind, points }: Drawing): string {
  const figures = points.map(({ level }) => figureText(level)).join(' to ');
  return `${kind === 'level' ? 'Level' : 'Trend line'} ${figures}`;
}
