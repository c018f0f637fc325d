/** One figure of the head, with its explanation on its name. */
import type { ReactNode } from 'react';
import { Percent } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { signOf } from '../../components/format.ts';
import { Tooltip } from '../../components/tooltip.tsx';
import css from './pair-header.module.css';

interface FigureProps {
  readonly name: ReactNode;
  readonly why: ReactNode;
  /** Shown beside the name, and read out after the figure. */
  readonly aside?: ReactNode;
  /** In small letters under the figure. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}

function Parts({ name, why, aside, below, children }: FigureProps) {
  return (
    <>
      <dt>
        <Tooltip text={why}>
          <span>{name}</span>
        </Tooltip>
      </dt>
      <dd>
        <span className={css['value']}>{children}</span>
        {below !== undefined && (
          <>
            {' '}
            <span className={css['below']}>{below}</span>
          </>
        )}
      </dd>
      {aside !== undefined && <dd className={css['aside']}>{aside}</dd>}
    </>
  );
}

export function Figure({
  isMain = false,
  ...props
}: FigureProps & {
  /** True: the main figure of the head. */
  readonly isMain?: boolean;
}) {
  return (
    <div className={classNames(css['figure'], isMain && css['main'])}>
      <Parts {...props} />
    </div>
  );
}

/** Several figures, a line each. */
export function Figures({ of }: { readonly of: readonly (FigureProps & { readonly name: string })[] }) {
  return (
    <div className={css['lines']}>
      {of.map((figure) => (
        <Parts key={figure.name} {...figure} />
      ))}
    </div>
  );
}

/**
 * A yearly rate of funding. A small rate needs more than two digits to differ from zero.
 * @param isSaid true: names who pays, since venues write the sign the other way round
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
      {isSaid && sign !== 0 && <span className={css['quiet']}> {sign > 0 ? 'you receive' : 'you pay'}</span>}
    </>
  );
}
