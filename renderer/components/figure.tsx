/** A figure with its name, in a `dl`; a missing figure shows the reason. */
import type { ReactNode } from 'react';
import { NoFigure } from './amount.tsx';
import { classNames } from './class-names.ts';
import css from './figure.module.css';

export function Figure({
  name,
  missing = null,
  note,
  small = false,
  children,
}: {
  readonly name: string;
  /** Reason for a missing figure; empty: stated elsewhere; null: the figure is available. */
  readonly missing?: string | null;
  readonly note?: ReactNode;
  readonly small?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={classNames(css['figure'], small && css['small'])}>
      <dt>{name}</dt>
      <dd>
        {missing === null ? children : <NoFigure why="" />}
        {missing !== null && missing !== '' && <span className={css['why']}>{missing}</span>}
        {missing === null && note !== undefined && <span className={css['why']}>{note}</span>}
      </dd>
    </div>
  );
}
