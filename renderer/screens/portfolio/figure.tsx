/** A figure with its name; a missing figure shows the reason. */
import type { ReactNode } from 'react';
import { NoFigure } from '../../components/amount.tsx';
import css from './portfolio.module.css';

export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className={css['figures']}>{children}</dl>;
}

export function Figure({
  name,
  missing = null,
  note,
  children,
}: {
  readonly name: string;
  /** Reason for a missing figure; empty: stated elsewhere; null: the figure is available. */
  readonly missing?: string | null;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={css['figure']}>
      <dt>{name}</dt>
      <dd>
        {missing === null ? children : <NoFigure why="" />}
        {missing !== null && missing !== '' && <span className={css['why']}>{missing}</span>}
        {missing === null && note !== undefined && <span className={css['why']}>{note}</span>}
      </dd>
    </div>
  );
}
