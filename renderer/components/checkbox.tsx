/** A yes-or-no control with its label: a checkbox is sent with its form, a switch takes effect at once. */
import { type ReactNode, useId } from 'react';
import css from './control.module.css';

interface ToggleProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly id?: string;
  /** Id of the element that explains the control. */
  readonly describedBy?: string | undefined;
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
  id: givenId,
  describedBy,
  children,
}: ToggleProps & { readonly look: 'check' | 'switch' }) {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <span className={css[`${look}Row`]}>
      <input
        id={id}
        type="checkbox"
        {...(look === 'switch' ? { role: 'switch', 'aria-checked': checked } : {})}
        checked={checked}
        disabled={disabled}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className={css[look]}
      />
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
