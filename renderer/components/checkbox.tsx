/** A yes that is sent with its form, or a row that is chosen. */
import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Check, Minus } from 'lucide-react';
import { type ReactNode, useId } from 'react';
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
  const box = (
    <Base.Root
      id={id}
      checked={checked}
      indeterminate={some}
      onCheckedChange={onChange}
      disabled={disabled}
      className={css['check']}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      <Base.Indicator className={css['tick']}>{some ? <Minus /> : <Check />}</Base.Indicator>
    </Base.Root>
  );
  if (children === undefined) return box;
  return (
    <span className={css['checkRow']}>
      {box}
      <label htmlFor={id}>{children}</label>
    </span>
  );
}
