/** The browser's own select with its label, for pages that must be small: `SelectField` with the list of the system. */
import { useId } from 'react';
import css from './control.module.css';
import field from './field.module.css';
import type { Option } from './select.tsx';

export interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function NativeSelectField<Value extends string>({
  label,
  options,
  value,
  onChange,
}: SelectFieldProps<Value>) {
  const id = useId();
  return (
    <div className={field['field']}>
      <label htmlFor={id} className={field['label']}>
        {label}
      </label>
      <select
        id={id}
        autoComplete="off"
        className={css['native']}
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
