/** One of a few, all of them to be read. */
import { Radio as BaseRadio } from '@base-ui/react/radio';
import { RadioGroup as BaseGroup } from '@base-ui/react/radio-group';
import { useId } from 'react';
import { classNames } from './class-names.ts';
import css from './control.module.css';
import type { Option } from './select.tsx';

interface ChoiceProps<Value extends string> {
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly label: string;
  readonly disabled?: boolean;
}

export function RadioGroup<Value extends string>({
  options,
  value,
  onChange,
  label,
  disabled = false,
}: ChoiceProps<Value>) {
  return (
    <BaseGroup
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      disabled={disabled}
      aria-label={label}
      className={css['radioGroup']}
    >
      {options.map((option) => (
        <Choice key={option.value} option={option} />
      ))}
    </BaseGroup>
  );
}

function Choice({ option }: { readonly option: Option<string> }) {
  const id = useId();
  return (
    <span className={css['checkRow']}>
      <BaseRadio.Root
        id={id}
        value={option.value}
        disabled={option.disabled ?? false}
        className={css['radio']}
      >
        <BaseRadio.Indicator className={css['dot']} />
      </BaseRadio.Root>
      <label htmlFor={id}>{option.label}</label>
    </span>
  );
}

/** The same, in one bar: ←/→ choose. */
export function Segmented<Value extends string>({
  options,
  value,
  onChange,
  label,
  disabled = false,
  wide = false,
}: ChoiceProps<Value> & { readonly wide?: boolean }) {
  return (
    <BaseGroup
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      disabled={disabled}
      aria-label={label}
      className={classNames(css['segmented'], wide && css['segmentedWide'])}
    >
      {options.map((option) => (
        <BaseRadio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          aria-label={option.label}
          className={css['segment']}
        >
          {option.label}
        </BaseRadio.Root>
      ))}
    </BaseGroup>
  );
}
