/** A yes that is sent with its form, or a row that is chosen. */
import { type ReactNode, useCallback, useId } from 'react';
import css from './control.module.css';

export function Checkbox({
  checked,
  onChange,
  some = false,
  disabled = false,
  label,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Some of what it stands for is chosen. */
  readonly some?: boolean;
  readonly disabled?: boolean;
  /** Its name where no words stand beside it. */
  readonly label?: string;
  readonly children?: ReactNode;
}) {
  const id = useId();
  const mark = useCallback(
    (box: HTMLInputElement | null) => {
      if (box !== null) box.indeterminate = some;
    },
    [some],
  );
  const box = (
    <input
      ref={mark}
      id={id}
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
      className={css['check']}
      {...(label === undefined ? {} : { 'aria-label': label })}
    />
  );
  if (children === undefined) return box;
  return (
    <span className={css['checkRow']}>
      {box}
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
