/** One of many, found by typing. */
import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';
import { classNames } from './class-names.ts';
import css from './control.module.css';
import popup from './popup.module.css';
import type { Option } from './select.tsx';

export interface ComboboxProps<Value extends string> {
  readonly options: readonly Option<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value | null) => void;
  /** Needed outside a `Field`. */
  readonly label?: string;
  readonly placeholder?: string;
  readonly emptyText?: string;
  readonly disabled?: boolean;
  readonly className?: string;
}

/** Long lists are drawn up to here; typing finds the rest. */
const DRAWN = 100;

export function Combobox<Value extends string>({
  options,
  value,
  onChange,
  label,
  placeholder = 'Search',
  emptyText = 'Nothing matches',
  disabled = false,
  className,
}: ComboboxProps<Value>) {
  const selected = options.find((option) => option.value === value) ?? null;
  return (
    <Base.Root
      items={options}
      value={selected}
      onValueChange={(option: Option<Value> | null) => onChange(option?.value ?? null)}
      itemToStringLabel={(option: Option<Value>) => option.label}
      itemToStringValue={(option: Option<Value>) => option.value}
      isItemEqualToValue={(a: Option<Value>, b: Option<Value>) => a.value === b.value}
      disabled={disabled}
      limit={DRAWN}
      autoHighlight
    >
      <Base.InputGroup className={classNames(css['comboBox'], className)}>
        <Base.Input
          className={css['comboInput']}
          placeholder={placeholder}
          spellCheck={false}
          {...(label === undefined ? {} : { 'aria-label': label })}
        />
        <Base.Trigger className={css['comboTrigger']} aria-label="Open the list" tabIndex={-1}>
          <ChevronsUpDown />
        </Base.Trigger>
      </Base.InputGroup>
      <Base.Portal render={<section aria-label="Choices" className={popup['portal']} />}>
        <Base.Positioner className={classNames(popup['positioner'], popup['overDialog'])} sideOffset={4}>
          <Base.Popup className={popup['popup']}>
            <Base.Empty className={popup['empty']}>{emptyText}</Base.Empty>
            <Base.List>
              {(option: Option<Value>) => (
                <Base.Item
                  key={option.value}
                  value={option}
                  disabled={option.disabled ?? false}
                  className={popup['item']}
                >
                  <span className={popup['mark']}>
                    <Base.ItemIndicator>
                      <Check />
                    </Base.ItemIndicator>
                  </span>
                  <span className={popup['text']}>{option.label}</span>
                  {option.hint !== undefined && <span className={popup['hint']}>{option.hint}</span>}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
