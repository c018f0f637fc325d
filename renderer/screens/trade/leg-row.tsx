/** One leg of the basket: ticker and price, leverage, weight as a bar and as percent, and amounts at the typed size. */
import { ArrowLeftRight, X } from 'lucide-react';
import { useState } from 'react';
import { useStaleSeconds } from '../../api/clock.ts';
import { useLiveRow } from '../../api/live.ts';
import type { Instrument } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { Percent, Quantity } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { classNames } from '../../components/class-names.ts';
import type { BasketLeg } from '../../features/basket/basket.ts';
import { ONE, percentText, readPercent } from '../../features/basket-weights/basket-weights.ts';
import { changeOf } from '../../features/instrument-figure/change-24h.ts';
import css from './basket-builder.module.css';
import { LegLeverage } from './leg-leverage.tsx';
import { type LegAim, LegOutlook } from './leg-outlook.tsx';
import type { WriteUsd } from './sizing.ts';

const PERCENT = ONE / 100;

export interface LegRowProps {
  readonly leg: BasketLeg;
  /** undefined: the venue does not have the instrument, or its list is not read yet. */
  readonly instrument: Instrument | undefined;
  readonly isKnown: boolean;
  /** True: the position in this basket lacks this leg. */
  readonly isMissing: boolean;
  readonly aim: LegAim;
  /** Called when typing of the leg's dollars begins. Returns the function that takes them. */
  readonly onUsd: () => WriteUsd;
  readonly onWeight: (weight: number) => void;
  readonly onMove: () => void;
  readonly onRemove: () => void;
}

export function LegRow({
  leg,
  instrument,
  isKnown,
  isMissing,
  aim,
  onUsd,
  onWeight,
  onMove,
  onRemove,
}: LegRowProps) {
  const ticker = instrument?.symbol ?? leg.id;
  const status = instrument?.tradeability.status;
  return (
    <li className={css['leg']} data-side={leg.side}>
      <span className={css['ticker']} title={leg.id}>
        {ticker}
      </span>
      <LegPrice id={leg.id} tick={instrument?.tickSize} />
      <LegOutlook leg={leg} instrument={instrument} aim={aim} onUsd={onUsd} />
      <span className={css['middle']}>
        {status === 'reduce_only' && <Badge tone="warn">Reduce only</Badge>}
        {status === 'not_tradable' && <Badge tone="danger">Not tradable</Badge>}
        {isKnown && instrument === undefined && <Badge tone="danger">Not listed</Badge>}
        {isMissing && (
          <span title="Your position in this basket holds none of it">
            <Badge tone="warn">missing</Badge>
          </span>
        )}
        {instrument !== undefined && <LegLeverage instrument={instrument} />}
      </span>
      <WeightField ticker={ticker} weight={leg.weight} onWeight={onWeight} />
      <IconButton label={`Move ${ticker} to the other side`} icon={<ArrowLeftRight />} onClick={onMove} />
      <IconButton label={`Remove ${ticker}`} icon={<X />} onClick={onRemove} />
      <span className={css['bar']} aria-hidden="true">
        <span className={css['barFill']} style={{ width: `${Math.min(100, leg.weight / PERCENT)}%` }} />
      </span>
    </li>
  );
}

function LegPrice({ id, tick }: { readonly id: string; readonly tick: string | undefined }) {
  const { connector } = useAccount();
  const row = useLiveRow(`prices:${connector}`, id);
  const isStale = useStaleSeconds() !== null;
  if (row === undefined) return <span className={css['price']} />;
  return (
    <span className={classNames(css['price'], isStale && 'stale')}>
      <Quantity value={row.mark} step={tick} />
      <span className={css['change']}>
        <Percent value={changeOf(row.mark, row.price24hAgo)} pnl />
      </span>
    </span>
  );
}

/** Percent with up to four decimals. Unreadable text stays as typed and is marked; the weight keeps its value. */
function WeightField({
  ticker,
  weight,
  onWeight,
}: {
  readonly ticker: string;
  readonly weight: number;
  readonly onWeight: (weight: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const isBad = typed !== null && readPercent(typed) === null;
  const step = (by: number) => {
    setTyped(null);
    onWeight(Math.min(ONE, Math.max(1, weight + by)));
  };
  return (
    <span className={css['weight']} data-invalid={isBad ? '' : undefined}>
      <input
        aria-label={`Weight of ${ticker} in percent`}
        aria-invalid={isBad || undefined}
        title={isBad ? 'More than 0 and at most 100, with up to 4 decimals' : undefined}
        inputMode="decimal"
        autoComplete="off"
        value={typed ?? percentText(weight)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setTyped(event.target.value);
          const read = readPercent(event.target.value);
          if (read !== null) onWeight(read);
        }}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          const size = event.shiftKey ? 5 * PERCENT : PERCENT;
          step(event.key === 'ArrowUp' ? size : -size);
        }}
      />
      <span aria-hidden="true">%</span>
    </span>
  );
}
