/** One setting: its name, explanation and control. */
import type { ReactNode } from 'react';
import layout from '../../components/layout.module.css';
import css from './settings.module.css';

export function Row({
  name,
  help,
  children,
}: {
  readonly name: ReactNode;
  readonly help?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={css['row']}>
      <div>
        <p>{name}</p>
        {help !== undefined && <p className={layout['quiet']}>{help}</p>}
      </div>
      <div className={css['control']}>{children}</div>
    </div>
  );
}
