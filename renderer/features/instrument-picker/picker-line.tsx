/** An instrument in the picker's list: its price, its change and the funding for holding it. */
import { useStaleSeconds } from '../../api/clock.ts';
import { useLiveRow } from '../../api/live.ts';
import { type Instrument, useFunding } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { Apr, NoFigure, Percent, Quantity } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import popup from '../../components/popup.module.css';
import { fundingApr } from '../funding-apr/funding-apr.ts';
import { changeOf } from '../instrument-figure/change-24h.ts';
import css from './instrument-picker.module.css';

const STATUS: Readonly<Record<Instrument['tradeability']['status'], string | null>> = {
  tradable: null,
  reduce_only: 'Reduce only',
  not_tradable: 'Not tradable',
};

export function PickerHead() {
  return (
    <div className={css['line']}>
      <span />
      <span>Mark</span>
      <span>24 h</span>
      <span title="Positive: you receive">Funding APR</span>
    </div>
  );
}

export function PickerLine({
  instrument: { id, symbol, tickSize, tradeability },
  side,
}: {
  readonly instrument: Instrument;
  /** Side whose funding is shown; positive: it receives. */
  readonly side: 'BUY' | 'SELL';
}) {
  const { connector } = useAccount();
  const row = useLiveRow(`prices:${connector}`, id);
  const funding = useFunding().data?.funding.find((one) => one.id === id);
  const isStale = useStaleSeconds() !== null;
  // An id that adds nothing to the ticker is left out.
  const more = STATUS[tradeability.status] ?? (id === `${symbol}-PERP` ? null : id);
  return (
    <div className={classNames(css['line'], isStale && 'stale')}>
      <span>
        {symbol} {more !== null && <span className={popup['hint']}>{more}</span>}
      </span>
      <Quantity value={row?.mark} step={tickSize} />
      <span>
        <span className="visually-hidden">24 h </span>
        <Percent value={row === undefined ? null : changeOf(row.mark, row.price24hAgo)} pnl />
      </span>
      <span>
        <span className="visually-hidden">you receive as funding, APR </span>
        {funding === undefined ? (
          <NoFigure />
        ) : (
          <Apr value={fundingApr(funding.rate, funding.intervalHours, side)} />
        )}
      </span>
    </div>
  );
}
