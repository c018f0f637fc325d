/** Choice of one among many options, found by typing. */
import { Check, ChevronsUpDown } from 'lucide-react';
import { useMemo, useState } from 'react';
import css from './control.module.css';
import popup from './popup.module.css';
import { SearchList } from './search-list.tsx';
import type { Option } from './select.tsx';

export interface ComboboxProps<Value extends string> {
  readonly options: readonly Option<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value | null) => void;
  /** Name for screen readers, needed outside a `Field`. */
  readonly label?: string;
  readonly placeholder?: string;
}

export function Combobox<Value extends string>({
  options,
  value,
  onChange,
  placeholder = 'Search',
  ...field
}: ComboboxProps<Value>) {
  /** Typed text; null: nothing is typed, and the field shows the chosen option. */
  const [typed, setTyped] = useState<string | null>(null);
  const selected = options.find((option) => option.value === value);
  const matches = useMemo(() => {
    const wanted = (typed ?? '').trim().toLowerCase();
    return options.filter(({ label }) => label.toLowerCase().includes(wanted));
  }, [options, typed]);
  return (
    <SearchList
      {...field}
      className={css['comboBox']}
      inputClassName={css['comboInput']}
      placeholder={placeholder}
      emptyText="Nothing matches"
      matches={matches}
      keyOf={(option) => option.value}
      isSelected={(option) => option.value === value}
      isDisabled={({ disabled = false }) => disabled}
      typed={typed ?? selected?.label ?? ''}
      onType={(text) => {
        setTyped(text);
        // Emptying the field clears the choice.
        if (text === '' && value !== null) onChange(null);
      }}
      onTake={(option) => {
        setTyped(null);
        onChange(option.value);
      }}
      onLeave={() => setTyped(null)}
      line={({ value: own, label, hint }) => (
        <>
          <span className={popup['mark']}>{own === value && <Check />}</span>
          <span className={popup['text']}>{label}</span>
          {hint !== undefined && <span className={popup['hint']}>{hint}</span>}
        </>
      )}
      after={
        <span className={css['comboTrigger']} aria-hidden="true">
          <ChevronsUpDown />
        </span>
      }
    />
  );
}
