/** One figure of the head, with what it means behind its name. */
import type { ReactNode } from 'react';
import { Percent } from '../../components/amount.tsx';
import { signOf } from '../../components/format.ts';
import { Tooltip } from '../../components/tooltip.tsx';
import css from './pair-header.module.css';

export function Figure({
  name,
  why,
  aside,
  children,
}: {
  readonly name: ReactNode;
  readonly why: ReactNode;
  /** Shown beside the name, and said after the figure. */
  readonly aside?: ReactNode;
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
      {aside !== undefined && <dd className={css['aside']}>{aside}</dd>}
    </div>
  );
}

/**
 * A yearly rate of funding; a small one needs more digits than two to be told from none.
 * @param isSaid with who pays, where there is room: venues write the sign the other way round
 */
export function Funding({
  value,
  isSaid = false,
}: {
  readonly value: string | null | undefined;
  readonly isSaid?: boolean;
}) {
  const size = Math.abs(Number(value ?? 0));
  const sign = value == null ? 0 : signOf(value);
  return (
    <>
      <Percent value={value} pnl digits={size < 0.001 && size >= 0.000001 ? 4 : 2} />
      {isSaid && sign !== 0 && <span className={css['who']}>{sign > 0 ? 'you receive' : 'you pay'}</span>}
    </>
  );
}
