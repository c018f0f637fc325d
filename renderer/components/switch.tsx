/** On or off, at once. What is sent with a form is a `Checkbox`. */
import { type ReactNode, useId } from 'react';
import css from './control.module.css';

export function Switch({
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
    <span className={css['switchRow']}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={css['switch']}
      />
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
