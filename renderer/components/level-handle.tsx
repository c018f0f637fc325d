/** Controls of a line: its name, the handle that moves it, and the × that cancels its order or alert. */
import { X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import type { LevelLine } from './level-line.ts';
import css from './market-chart.module.css';

/** Distance after which a press becomes a drag. */
const SLACK_PX = 3;
/** Step of an arrow key as a fraction of the level; ten times as much with Shift. */
const STEP = 0.001;

interface Press {
  /** Pointer position in the window, px from the top. */
  readonly y: number;
  /** Level of the line when the press began. */
  readonly level: number;
}

/** Name of a line that cannot be moved. Screen readers get it from the picture and from the line's ×. */
export function Name({
  line,
  figure,
  keep,
}: {
  readonly line: LevelLine;
  readonly figure: string;
  readonly keep: (element: HTMLElement | null) => void;
}) {
  return (
    <div ref={keep} className={css['handle']} data-tone={line.tone} data-still aria-hidden="true">
      <span className={css['grip']}>
        {/* Names of all lines in its row, when this name stands for them. */}
        <span data-names className={css['names']} />
        <span className={classNames(css['own'], css['words'])}>{line.short ?? line.label}</span>
        <Far figure={figure} />
      </span>
    </div>
  );
}

/** Level and direction of a line that is off the scale or has no label on the axis. */
function Far({ figure }: { readonly figure: string }) {
  return (
    <span className={css['far']} aria-hidden="true">
      <span className={css['own']}>{figure}</span>
      <span className={css['up']}>▲</span>
      <span className={css['down']}>▼</span>
    </span>
  );
}

export function Cross({
  line,
  name,
  keep,
  onPress,
}: {
  readonly line: LevelLine;
  readonly name: string;
  readonly keep: (element: HTMLElement | null) => void;
  readonly onPress: () => void;
}) {
  return (
    <button
      ref={keep}
      type="button"
      className={css['cancel']}
      data-tone={line.tone}
      aria-label={name}
      title={name}
      onClick={onPress}
    >
      <X aria-hidden="true" />
    </button>
  );
}

export function Handle({
  line,
  level,
  isMoved,
  words,
  more,
  figure,
  step: ownStep,
  keep,
  levelAt,
  onMoving,
  onLetGo,
}: {
  readonly line: LevelLine;
  readonly level: number;
  readonly isMoved: boolean;
  readonly words: string;
  /** As `ChartMoves.moreOf`. */
  readonly more: string | null;
  /** Text of the level. */
  readonly figure: string;
  /** As `ChartMoves.step`. */
  readonly step: number | undefined;
  readonly keep: (element: HTMLElement | null) => void;
  readonly levelAt: (clientY: number, element: HTMLElement, from: Press) => number | null;
  readonly onMoving: (level: number | null) => void;
  readonly onLetGo: (level: number) => void;
}) {
  const from = useRef<(Press & { isDrag: boolean }) | null>(null);
  const [isByKey, setByKey] = useState(false);
  const canBe = (next: number) => ownStep !== undefined || next > 0;
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { y: event.clientY, level, isDrag: false };
    setByKey(false);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (from.current === null) return;
    from.current.isDrag ||= Math.abs(event.clientY - from.current.y) > SLACK_PX;
    const next = from.current.isDrag ? levelAt(event.clientY, event.currentTarget, from.current) : null;
    if (next !== null && canBe(next)) onMoving(next);
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const pressed = from.current;
    from.current = null;
    const next = pressed?.isDrag === true ? levelAt(event.clientY, event.currentTarget, pressed) : null;
    if (next !== null && canBe(next)) onLetGo(next);
    else onMoving(null);
  };
  const giveUp = () => {
    from.current = null;
    onMoving(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = (ownStep ?? level * STEP) * (event.shiftKey ? 10 : 1);
    if (event.key === 'ArrowUp') onMoving(level + step);
    else if (event.key === 'ArrowDown') onMoving(level - step);
    else if (event.key === 'Enter' && isMoved) onLetGo(level);
    else if (event.key === 'Escape' && isMoved) giveUp();
    else return;
    setByKey(true);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={keep}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Move ${line.label}`}
      aria-valuenow={level}
      aria-valuetext={words === '' ? figure : `${words}. Enter to review`}
      className={css['handle']}
      data-tone={line.tone}
      data-moved={isMoved ? '' : undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={giveUp}
      onLostPointerCapture={() => from.current !== null && giveUp()}
      onKeyDown={onKeyDown}
      onBlur={() => from.current === null && isMoved && onMoving(null)}
    >
      <span className={css['grip']}>
        <span aria-hidden="true">⋮⋮</span>
        <span className={css['words']}>
          {isMoved ? (line.name ?? line.label) : line.label}
          {words !== '' && ` ${words}`}
        </span>
        <Far figure={isMoved ? '' : figure} />
        {more !== null && (
          <span className={css['more']} data-more aria-hidden="true">
            {more}
          </span>
        )}
        {isMoved && isByKey && (
          <span className={css['hint']} aria-hidden="true">
            Enter to review, Esc to undo
          </span>
        )}
      </span>
    </div>
  );
}
