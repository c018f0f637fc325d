/** One figure of the head, with what it means behind its name. */
import type { ReactNode } from 'react';
import { Percent } from '../../components/amount.tsx';
import { signOf } from '../../components/format.ts';
import { Tooltip } from '../../components/tooltip.tsx';
import css from './pair-header.module.css';

export function Figure({
  name,
  why,
  children,
}: {
  readonly name: string;
  readonly why: string;
  readonly children: ReactNode;
}) {
  return (
    <div className={css['figure']}>
      <dt>
        <Tooltip text={why}>
          <span>{name}</span>
        </Tooltip>
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

type Rate = string | null | undefined;

/** Venues write the sign the other way round: the name says who pays. */
export function fundingName(apr: Rate): string {
  const sign = apr == null ? 0 : signOf(apr);
  return sign === 0 ? 'Funding APR' : sign > 0 ? 'Funding APR received' : 'Funding APR paid';
}

/** Of a year; a small rate needs more digits than two to be told from none. */
export function Funding({ value }: { readonly value: Rate }) {
  const size = Math.abs(Number(value ?? 0));
  return <Percent value={value} pnl digits={size < 0.001 && size >= 0.000001 ? 4 : 2} />;
}
