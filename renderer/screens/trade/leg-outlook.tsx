/** What a leg will be at the typed size, known with each key that is typed, and what it pays or receives for being held. */
import Big from 'big.js';
import { useStaleSeconds } from '../../api/clock.ts';
import { useLiveRow } from '../../api/live.ts';
import { type Instrument, useFunding } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { Amount, NoFigure, Quantity } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { formatPercent, signOf } from '../../components/format.ts';
import type { BasketLeg } from '../../features/basket/basket.ts';
import { fundingApr } from '../../features/funding-apr/funding-apr.ts';
import css from './leg-outlook.module.css';
import { legSize } from './sizing.ts';

export interface LegAim {
  /** Notional that the order asks of the leg, USD; null: no size is typed. */
  readonly usd: string | null;
  /** Mark price of the dry run, by which ticket and review count; null: none yet. */
  readonly mark: string | null;
}

export function LegOutlook({
  leg,
  instrument,
  aim,
}: {
  readonly leg: BasketLeg;
  readonly instrument: Instrument | undefined;
  readonly aim: LegAim;
}) {
  const isStale = useStaleSeconds() !== null;
  return (
    <span className={classNames(css['outlook'], isStale && 'stale')}>
      <Size id={leg.id} instrument={instrument} aim={aim} />
      <Funding leg={leg} />
    </span>
  );
}

function Size({
  id,
  instrument,
  aim: { usd, mark },
}: {
  readonly id: string;
  readonly instrument: Instrument | undefined;
  readonly aim: LegAim;
}) {
  const { connector } = useAccount();
  const live = useLiveRow(`prices:${connector}`, id)?.mark;
  const price = mark ?? live;
  if (usd === null) return <NoFigure why="No size is typed" />;
  const size =
    instrument === undefined || price === undefined ? null : legSize(usd, price, instrument.stepSize);
  if (instrument === undefined || size === null) return <NoFigure why="No price is known" />;
  return (
    <>
      <Amount value={size.notional} />
      <span className={css['quantity']} title={`${size.quantity} ${instrument.symbol}`}>
        <span>
          <Quantity value={size.quantity} step={instrument.stepSize} /> {instrument.symbol}
        </span>
      </span>
    </>
  );
}

/** Two decimals of a percentage; four where these would be noughts. */
const SMALL = 0.001;

function Funding({ leg: { id, side } }: { readonly leg: BasketLeg }) {
  const settings = useSettings();
  const row = useFunding().data?.funding.find((one) => one.id === id);
  if (row === undefined) return null;
  const apr = fundingApr(row.rate, row.intervalHours, side);
  const size = new Big(apr).abs().toFixed();
  const words = formatPercent(settings, size, 'auto', Number(size) < SMALL ? 4 : 2);
  const sign = signOf(apr);
  return (
    <span className={css['funding']} title="Funding of this leg, a year at the rate of now">
      {sign === 0 ? 'no funding' : `${sign > 0 ? 'receives' : 'pays'} ${words} APR`}
    </span>
  );
}
