/** Present figures of the account, and the results of the range. */
import { useAccountNow } from '../../api/account-now.ts';
import { useNow, useStaleSeconds } from '../../api/clock.ts';
import { useSettings } from '../../api/settings.ts';
import { Amount, Percent, Pnl } from '../../components/amount.tsx';
import { Figure } from '../../components/figure.tsx';
import { formatNumber, formatTime, negated } from '../../components/format.ts';
import css from './portfolio.module.css';
import type { Portfolio } from './use-portfolio.ts';
import { type PortfolioFigure, whyPortfolioFigureIsMissing } from './why-missing.ts';

/** Age from which figures are late, ms. The account is read every 5 s, so the gateway must be slow. */
const LATE_MS = 12_000;
const PER_CLOSED = 'net, of closed\u00a0positions';

/**
 * @param span range of the results: `90 days`
 * @param readAt when `portfolio` was read, epoch ms
 */
export function Overview({
  portfolio,
  span,
  readAt,
}: {
  readonly portfolio: Portfolio;
  readonly span: string;
  readonly readAt: number;
}) {
  const settings = useSettings();
  const why = (figure: PortfolioFigure) => whyPortfolioFigureIsMissing(figure, portfolio);
  const { winCount, lossCount, profitFactor } = portfolio;
  // Current figures do not depend on the range: they equal those in the top bar.
  const present = useAccountNow();
  const { equity, balance, unrealizedPnl } = present.data ?? portfolio;
  const at = present.data === undefined ? readAt : present.dataUpdatedAt;
  const isLate = useNow() - at > LATE_MS;
  const isStale = useStaleSeconds() !== null;
  const isOld = isLate || isStale || present.error !== null;
  const now = isOld ? `as of ${at === 0 ? 'earlier' : formatTime(settings, at, 'time')}` : 'now';
  return (
    <dl className={css['figures']}>
      <Figure name="Equity" missing={why('equity')} note={now}>
        <Amount value={equity} />
      </Figure>
      <Figure name="Balance" missing={why('balance')} note={`${now}, without unrealised`}>
        <Amount value={balance} />
      </Figure>
      <Figure name="Unrealised PnL" note={now}>
        <Pnl value={unrealizedPnl} />
      </Figure>
      <Figure
        name="Deposits"
        missing={portfolio.deposits === null ? '' : null}
        note={'less withdrawals, all\u00a0time'}
      >
        <Amount value={portfolio.deposits} />
      </Figure>
      <Figure name="Realised PnL" note={`${span}, price only, of every fill`}>
        <Pnl value={portfolio.realizedPnl} />
      </Figure>
      <Figure name="Fees paid" note={span}>
        <Amount value={portfolio.fees} />
      </Figure>
      <Figure name="Funding received" note={span}>
        <Pnl value={portfolio.funding} />
      </Figure>
      <Figure name="Net PnL" note={`${span}, realised −\u00a0fees +\u00a0funding`}>
        <Pnl value={portfolio.netPnl} />
      </Figure>
      <Figure name="Volume" note={span}>
        <Amount value={portfolio.volume} compact />
      </Figure>
      <Figure
        name="Hit rate"
        missing={why('hitRate')}
        note={`${winCount} won, ${lossCount} lost, of closed\u00a0positions`}
      >
        <Percent value={portfolio.hitRate} digits={1} />
      </Figure>
      <Figure
        name="Profit factor"
        missing={why('profitFactor')}
        note={'wins ÷\u00a0losses, of closed\u00a0positions'}
      >
        {profitFactor !== null && formatNumber(settings, profitFactor, { digits: 2 })}
      </Figure>
      <Figure name="Average win" missing={why('averageWin')} note={PER_CLOSED}>
        <Pnl value={portfolio.averageWin} />
      </Figure>
      {/* The gateway reports losses as positive amounts. */}
      <Figure name="Average loss" missing={why('averageLoss')} note={PER_CLOSED}>
        <Pnl value={portfolio.averageLoss === null ? null : negated(portfolio.averageLoss)} />
      </Figure>
    </dl>
  );
}
