/** "Set level here": what can be set at a level of the chart that was pressed. */
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { figureText } from '../../features/ratio-chart/figure.ts';
import css from './set-level.module.css';

export interface LevelChoice {
  readonly name: string;
  readonly onChoose: () => void;
}

const WIDTH_PX = 220;
const HEIGHT_PX = 150;

export function SetLevel({
  level,
  at,
  choices,
  onClose,
}: {
  readonly level: number;
  /** Pixels from the corner of the picture. */
  readonly at: { readonly x: number; readonly y: number };
  readonly choices: readonly LevelChoice[];
  readonly onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.querySelector('button')?.focus();
    const onDown = ({ target }: globalThis.PointerEvent) => {
      if (target instanceof Node && !element.contains(target)) onClose();
    };
    // The press that opened it is over by then.
    const timer = setTimeout(() => document.addEventListener('pointerdown', onDown), 0);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', onDown);
    };
  }, [onClose]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const from = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = event.key === 'ArrowDown' ? 1 : -1;
    buttons.at((from + step) % buttons.length)?.focus();
    event.preventDefault();
  };
  const place = {
    left: `clamp(4px, ${at.x + 8}px, calc(100% - ${WIDTH_PX + 4}px))`,
    top: `clamp(4px, ${at.y + 8}px, calc(100% - ${HEIGHT_PX + 4}px))`,
  };
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={`Set a level at ${figureText(level)}`}
      className={css['box']}
      style={place}
      onKeyDown={onKeyDown}
    >
      <p className={css['title']}>
        Set level here <b>{figureText(level)}</b>
        <IconButton label="Set nothing" icon={<X />} onClick={onClose} />
      </p>
      {choices.map(({ name, onChoose }) => (
        <Button
          key={name}
          kind="ghost"
          wide
          onClick={() => {
            onClose();
            onChoose();
          }}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
