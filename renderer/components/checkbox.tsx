/** A yes that is sent with its form. */
import { type ReactNode, useId } from 'react';
import css from './control.module.css';

export function Checkbox({
  checked,
  onChange,
  disabled = false,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <span className={css['checkRow']}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={css['check']}
      />
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
