/** Account's own figures, summed by the gateway: the page adds nothing up. */

import { useHoldings } from '../../api/account-now.ts';
import { useStaleSeconds } from '../../api/clock.ts';
import { Amount, Pnl, Quantity } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { Facts } from '../../components/facts.tsx';
import { negated } from '../../components/format.ts';
import { pastUnrealized } from './position-sums.ts';
import css from './positions.module.css';

export function Totals({
  leverage,
}: {
  /** Gross ÷ equity; left out if nothing is held. */
  readonly leverage?: string | null | undefined;
}) {
  // Errors are shown at the rows, which come from the same answer.
  const { now: data, holdings } = useHoldings();
  const isStale = useStaleSeconds() !== null;
  const past = pastUnrealized(holdings?.unassigned);
  return (
    <Facts
      className={classNames(css['totals'], isStale && 'stale')}
      label="Account totals"
      of={{
        Balance: <Amount value={data?.balance} />,
        Unrealised: (
          <span>
            <Pnl value={data?.unrealizedPnl} />
            {past !== null && (
              <small className={css['under']}>
                <Pnl value={past} /> outside Tandem
              </small>
            )}
          </span>
        ),
        'Realised today': <Pnl value={data?.realizedPnl} />,
        'Funding today': <Pnl value={data?.funding} />,
        'Fees today': <Pnl value={data && negated(data.fees)} />,
        ...(leverage == null ? {} : { 'Leverage of equity': <Times value={leverage} /> }),
      }}
    />
  );
}

function Times({ value }: { readonly value: string }) {
  return (
    <span>
      <Quantity value={value} step="0.01" />×
    </span>
  );
}
