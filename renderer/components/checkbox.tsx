/** A yes-or-no control with its label: a checkbox is sent with its form, a switch takes effect at once. */
import { type ReactNode, useId } from 'react';
import css from './control.module.css';

interface ToggleProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

export function Checkbox(props: ToggleProps) {
  return <Toggle {...props} look="check" />;
}

/** A switch, which takes effect at once. */
export function Switch(props: ToggleProps) {
  return <Toggle {...props} look="switch" />;
}

function Toggle({
  look,
  checked,
  onChange,
  disabled = false,
  children,
}: ToggleProps & { readonly look: 'check' | 'switch' }) {
  const id = useId();
  return (
    <span className={css[`${look}Row`]}>
      <input
        id={id}
        type="checkbox"
        {...(look === 'switch' ? { role: 'switch', 'aria-checked': checked } : {})}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={css[look]}
      />
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
