/**
 * Choice of one among a few options, in a list that opens. Many options, with typing: `Combobox`; two to four:
 * `Segmented`.
 */
import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './control.module.css';
import popup from './popup.module.css';

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
  /** Shown at the end of the option's line. */
  readonly mark?: ReactNode;
  readonly disabled?: boolean;
}

export interface SelectProps<Value extends string> {
  readonly options: readonly Option<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** Name for screen readers, needed outside a `Field`. */
  readonly label?: string;
  readonly placeholder?: string;
  /** Without a box, for use inside bars. */
  readonly quiet?: boolean;
  readonly className?: string;
}

export function Select<Value extends string>({
  options,
  value,
  onChange,
  label,
  placeholder = 'Choose',
  quiet = false,
  className,
}: SelectProps<Value>) {
  return (
    <Base.Root
      items={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value}
      onValueChange={(next: Value | null) => {
        if (next !== null) onChange(next);
      }}
    >
      <Base.Trigger
        className={classNames(css['trigger'], quiet && css['quiet'], className)}
        {...(label === undefined ? {} : { 'aria-label': label })}
      >
        <Base.Value className={css['value']}>
          {(current: Value | null) =>
            options.find((option) => option.value === current)?.label ?? placeholder
          }
        </Base.Value>
        <Base.Icon className={css['chevron']}>
          <ChevronsUpDown />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal render={<section aria-label="Choices" className={popup['portal']} />}>
        <Base.Positioner
          className={classNames(popup['positioner'], popup['overDialog'], popup['list'])}
          positionMethod="fixed"
          sideOffset={4}
          alignItemWithTrigger={false}
        >
          <Base.Popup className={popup['popup']}>
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled ?? false}
                  className={popup['item']}
                >
                  <span className={popup['mark']}>
                    <Base.ItemIndicator>
                      <Check />
                    </Base.ItemIndicator>
                  </span>
                  <Base.ItemText className={popup['text']}>{option.label}</Base.ItemText>
                  {option.hint !== undefined && <span className={popup['hint']}>{option.hint}</span>}
                  {option.mark}
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
