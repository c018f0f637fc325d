/** On or off, at once. What is sent with a form is a `Checkbox`. */
import { Switch as Base } from '@base-ui/react/switch';
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
      <Base.Root
        checked={checked}
        onCheckedChange={onChange}
        disabled={disabled}
        className={css['switch']}
        aria-labelledby={id}
      >
        <Base.Thumb className={css['thumb']} />
      </Base.Root>
      <span id={id}>{children}</span>
    </span>
  );
}
