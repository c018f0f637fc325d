/** The account's own figures, as the gateway sums them: nothing is added up here. */
import type { ReactNode } from 'react';
import { useStaleSeconds } from '../../api/clock.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { ErrorState } from '../../components/states.tsx';
import { negated } from './figures.ts';
import css from './positions.module.css';
import { useTotals } from './use-position-data.ts';

export function Totals() {
  const { data, error, refetch } = useTotals();
  const isStale = useStaleSeconds() !== null;
  if (data === undefined)
    return error === null ? (
      <div className={css['totals']} />
    ) : (
      <ErrorState compact error={error} onRetry={() => void refetch()} />
    );
  return (
    <dl className={classNames(css['totals'], isStale && 'stale')} aria-label="Account totals">
      <Total name="Balance">
        <Amount value={data.balance} />
      </Total>
      <Total name="Unrealised">
        <Pnl value={data.unrealizedPnl} />
      </Total>
      <Total name="Realised today">
        <Pnl value={data.realizedPnl} />
      </Total>
      <Total name="Funding today">
        <Pnl value={data.funding} />
      </Total>
      <Total name="Fees today">
        <Pnl value={negated(data.fees)} />
      </Total>
    </dl>
  );
}

function Total({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
