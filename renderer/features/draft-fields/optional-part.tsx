/** A part of a form that is switched on and off. */
import type { ReactNode } from 'react';
import { Switch } from '../../components/checkbox.tsx';
import css from './optional-part.module.css';

export function OptionalPart({
  name,
  checked,
  onChange,
  children,
}: {
  readonly name: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** Shown while the part is switched on. */
  readonly children: ReactNode;
}) {
  return (
    <fieldset className={css['part']}>
      <legend className="visually-hidden">{name}</legend>
      <Switch checked={checked} onChange={onChange}>
        {name}
      </Switch>
      {checked && children}
    </fieldset>
  );
}
