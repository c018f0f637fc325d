/** Views of one thing. The chosen one is the caller's, so that it can be part of the address. */
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
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
  /** At the end of the bar. */
  readonly after?: ReactNode;
  /** The panel of the chosen tab. */
  readonly children: ReactNode;
}) {
  return (
    <Base.Root value={value} onValueChange={(next) => onChange(next as Value)} className={css['root']}>
      <div className={css['bar']}>
        <Base.List className={css['list']} aria-label={label} activateOnFocus={false}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className={css['tab']}>
              {tab.label}
              {tab.count !== undefined && <span className={css['count']}>{tab.count}</span>}
            </Base.Tab>
          ))}
        </Base.List>
        {after !== undefined && <div className={css['after']}>{after}</div>}
      </div>
      <Base.Panel key={value} value={value} className={css['panel']}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
