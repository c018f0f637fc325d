/** The account's own figures, as the gateway sums them: the page adds nothing up. */

import { useStaleSeconds } from '../../api/clock.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import { ErrorState } from '../../components/states.tsx';
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
    <Facts
      className={classNames(css['totals'], isStale && 'stale')}
      label="Account totals"
      of={{
        Balance: <Amount value={data.balance} />,
        Unrealised: <Pnl value={data.unrealizedPnl} />,
        'Realised today': <Pnl value={data.realizedPnl} />,
        'Funding today': <Pnl value={data.funding} />,
        'Fees today': <Pnl value={negated(data.fees)} />,
      }}
    />
  );
}
