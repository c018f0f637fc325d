/** Popup to start a drawing on a chart and to remove existing ones, even those outside the picture. */
import { Minus, Trash2, TrendingUp } from 'lucide-react';
import { useRef } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import type { Drawing } from '../../components/chart-drawing-places.ts';
import css from './chart-popup.module.css';
import { ChartPopup, type ChartPopupProps } from './chart-popup.tsx';
import { figureText } from './figure.ts';

export function DrawingPopup({
  anchor,
  drawings,
  onDraw,
  onRemove,
  onClear,
  onClose,
}: ChartPopupProps & {
  readonly drawings: readonly Drawing[];
  readonly onDraw: (kind: Drawing['kind']) => void;
  readonly onRemove: (id: string) => void;
  readonly onClear: () => void;
}) {
  /** True: a drawing was started, and the chart takes the focus. */
  const isDrawn = useRef(false);
  const draw = (kind: Drawing['kind']) => {
    isDrawn.current = true;
    onDraw(kind);
  };
  return (
    <ChartPopup anchor={anchor} title="Draw" keepsFocus={() => isDrawn.current} onClose={onClose}>
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
    </ChartPopup>
  );
}

function nameOf({ kind, points }: Drawing): string {
  const figures = points.map(({ level }) => figureText(level)).join(' to ');
  return `${kind === 'level' ? 'Level' : 'Trend line'} ${figures}`;
}
