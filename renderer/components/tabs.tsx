/** Tabbed views. The caller holds the chosen tab, so that it can be part of the address. */
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import css from './tabs.module.css';

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  /** A count beside the label. */
  readonly count?: number | undefined;
}

export function Tabs<Value extends string>({
  tabs,
  value,
  onChange,
  label,
  after,
  children,
}: {
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly label: string;
  /** Content at the end of the bar. */
  readonly after?: ReactNode;
  /** Content of the chosen tab's panel. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const tabId = (of: Value) => `${id}-${of}`;
  /** The arrows move the focus; Enter and Space choose, as with any button. */
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const last = tabs.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: index === 0 ? last : index - 1,
      ArrowRight: index === last ? 0 : index + 1,
      Home: 0,
      End: last,
    };
    const target = tabs[targets[event.key] ?? -1];
    if (target === undefined) return;
    event.preventDefault();
    document.getElementById(tabId(target.value))?.focus();
  };
  return (
    <div className={css['root']} data-tabs>
      <div className={css['bar']}>
        <div role="tablist" className={css['list']} aria-label={label}>
          {tabs.map((tab, index) => (
            <button
              key={tab.value}
              id={tabId(tab.value)}
              type="button"
              role="tab"
              aria-selected={tab.value === value}
              tabIndex={tab.value === value ? 0 : -1}
              className={css['tab']}
              onClick={() => onChange(tab.value)}
              onKeyDown={(event) => onKeyDown(event, index)}
              {...(tab.value === value ? { 'aria-controls': `${id}-panel` } : {})}
            >
              {tab.label}
              {tab.count !== undefined && <span className={css['count']}>{tab.count}</span>}
            </button>
          ))}
        </div>
        {after !== undefined && <div className={css['after']}>{after}</div>}
      </div>
      <div
        key={value}
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={tabId(value)}
        className={css['panel']}
      >
        {children}
      </div>
    </div>
  );
}
