/** Button for irreversible actions: held by pointer, Space or Enter until its bar is full. */
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { classNames } from './class-names.ts';
import css from './hold-to-confirm.module.css';

const HOLD_MS = 1_200;

export function HoldToConfirm({
  onConfirm,
  busy = false,
  children,
}: {
  readonly onConfirm: () => void;
  readonly busy?: boolean;
  /** Text of the button: "Hold to close all positions". */
  readonly children: ReactNode;
}) {
  const [holding, setHolding] = useState(false);
  const help = useId();
  const confirm = useEffectEvent(onConfirm);
  useEffect(() => {
    if (!holding) return;
    const timer = setTimeout(() => {
      setHolding(false);
      confirm();
    }, HOLD_MS);
    return () => clearTimeout(timer);
  }, [holding]);

  const begin = () => {
    if (!busy) setHolding(true);
  };
  const end = () => setHolding(false);
  const isHoldKey = ({ key }: KeyboardEvent) => key === ' ' || key === 'Enter';
  return (
    <button
      type="button"
      className={classNames(css['hold'], holding && css['holding'])}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-describedby={help}
      onPointerDown={begin}
      onPointerUp={end}
      onPointerLeave={end}
      onPointerCancel={end}
      onBlur={end}
      onKeyDown={(event) => {
        if (!isHoldKey(event)) return;
        event.preventDefault();
        if (!event.repeat) begin();
      }}
      onKeyUp={(event) => {
        if (isHoldKey(event)) end();
      }}
      onContextMenu={(event) => event.preventDefault()}
    >
      <span className={css['bar']} style={{ transitionDuration: holding ? `${HOLD_MS}ms` : '120ms' }} />
      <span className={css['label']}>{children}</span>
      <span id={help} className="visually-hidden">
        Press and hold for a second to confirm
      </span>
    </button>
  );
}
