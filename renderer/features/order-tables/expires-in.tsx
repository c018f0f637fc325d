/** Time until a pending order expires; nothing for an ended order. */
import { NoFigure } from '../../components/amount.tsx';
import { Countdown } from '../../components/time.tsx';
import { isWaiting } from './order-states.ts';
import css from './order-tables.module.css';

export interface Expiring {
  readonly status: string;
  readonly expiresAt: string | null;
}

export function ExpiresIn({ of }: { readonly of: Expiring }) {
  if (!isWaiting(of)) return <NoFigure why="it has ended" />;
  return of.expiresAt === null ? 'Never' : <Countdown to={of.expiresAt} over="expired" />;
}

/** Expiry as a line of text, for tables without space for its column. */
export function ExpiryLine({ of }: { readonly of: Expiring }) {
  if (of.expiresAt === null || !isWaiting(of)) return null;
  return (
    <span className={css['times']}>
      Expires in <Countdown to={of.expiresAt} over="expired" />
    </span>
  );
}
