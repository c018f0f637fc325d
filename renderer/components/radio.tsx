/** Choice of one among a few options, all visible. ↑ ↓ ← → choose. */
import { useId } from 'react';
import { classNames } from './class-names.ts';
import css from './control.module.css';
import type { Option } from './select.tsx';

interface ChoiceProps<Value extends string> {
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly label: string;
}

export function RadioGroup<Value extends string>({
  options,
  value,
  onChange,
  label,
  name: givenName,
}: ChoiceProps<Value> & { readonly name?: string }) {
  const ownName = useId();
  const name = givenName ?? ownName;
  return (
    <div role="radiogroup" aria-label={label} className={css['radioGroup']}>
      {options.map((option) => (
        <span key={option.value} className={css['checkRow']}>
          <input
            id={`${name}-${option.value}`}
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled === true}
            onChange={() => onChange(option.value)}
            className={css['radio']}
          />
          <label htmlFor={`${name}-${option.value}`}>{option.label}</label>
        </span>
      ))}
    </div>
  );
}

/** The same choice as a segmented bar. */
export function Segmented<Value extends string>({
  options,
  value,
  onChange,
  label,
  wide = false,
  dense = false,
}: ChoiceProps<Value> & {
  readonly wide?: boolean;
  /** For many short options, as lengths of candles. */
  readonly dense?: boolean;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={classNames(css['segmented'], wide && css['segmentedWide'], dense && css['segmentedDense'])}
    >
      {options.map((option) => (
        <label key={option.value} className={css['segment']}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            disabled={option.disabled === true}
            onChange={() => onChange(option.value)}
            className={css['segmentInput']}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
