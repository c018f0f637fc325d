/** The account's own figures, as the gateway sums them: the page adds nothing up. */

import { useStaleSeconds } from '../../api/clock.ts';
import { Amount, NoFigure, Pnl } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import { ErrorState } from '../../components/states.tsx';
import css from './positions.module.css';
import { useTotals } from './use-position-data.ts';

/** @param isRead whether the open positions are known; what they have not realised is told with them only */
export function Totals({ isRead }: { readonly isRead: boolean }) {
  const { data, error, refetch } = useTotals();
  const isStale = useStaleSeconds() !== null;
  if (data === undefined && error !== null)
    return <ErrorState compact error={error} onRetry={() => void refetch()} />;
  return (
    <Facts
      className={classNames(css['totals'], isStale && 'stale')}
      label="Account totals"
      of={{
        Balance: <Amount value={data?.balance} />,
        Unrealised: isRead ? (
          <Pnl value={data?.unrealizedPnl} />
        ) : (
          <NoFigure why="not known: the positions are not read" />
        ),
        'Realised today': <Pnl value={data?.realizedPnl} />,
        'Funding today': <Pnl value={data?.funding} />,
        'Fees today': <Pnl value={data && negated(data.fees)} />,
      }}
    />
  );
}
