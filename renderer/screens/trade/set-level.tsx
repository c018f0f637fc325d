/** "Set level here": choices at a clicked level of the chart. */
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import type { ChartSubject, WeighedLeg } from '../../features/ratio-chart/subject.ts';
import { useSubjectValue } from '../../features/ratio-chart/use-subject-value.ts';
import css from './set-level.module.css';

export interface LevelChoice {
  readonly name: string;
  readonly onChoose: () => void;
}

const WIDTH_PX = 220;
const HEIGHT_PX = 150;

export function SetLevel({
  figure,
  at,
  subject,
  legs,
  choicesOf,
  onClose,
}: {
  /** The level as shown. */
  readonly figure: string;
  /** Pixels from the corner of the chart. */
  readonly at: { readonly x: number; readonly y: number };
  readonly subject: ChartSubject;
  readonly legs: readonly WeighedLeg[];
  /** Choices while the subject has this value; null: its value is not known. */
  readonly choicesOf: (now: number | null) => readonly LevelChoice[];
  readonly onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // Updates while open: a level that was a target may be a stop when it is chosen.
  const choices = choicesOf(useSubjectValue(subject, legs));
  const names = choices.map(({ name }) => name).join();
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // Low in a small window, its choices would open below the edge.
    element.scrollIntoView({ block: 'nearest' });
    element.querySelector('button')?.focus();
    const onDown = ({ target }: globalThis.PointerEvent) => {
      if (target instanceof Node && !element.contains(target)) onClose();
    };
    // The click that opened it is over by then.
    const timer = setTimeout(() => document.addEventListener('pointerdown', onDown), 0);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerdown', onDown);
    };
  }, [onClose]);
  // A choice that disappears takes the focus with it, and a new one makes the box longer.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the choices are others
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
    if (document.activeElement === document.body) box.current?.querySelector('button')?.focus();
  }, [names]);
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
      aria-label={`Set a level at ${figure}`}
      className={css['box']}
      style={place}
      onKeyDown={onKeyDown}
    >
      <p className={css['title']}>
        Set level here <b>{figure}</b>
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
