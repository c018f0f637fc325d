/**
 * What a leg will be at the typed size, known with each key that is typed, and what it pays or receives for being held. Its
 * dollars are a field: typed there, they change this leg and the total, and the other legs keep theirs.
 */
import Big from 'big.js';
import { useLayoutEffect, useRef, useState } from 'react';
import { useStaleSeconds } from '../../api/clock.ts';
import { useLiveRow } from '../../api/live.ts';
import { type Instrument, useFunding } from '../../api/market.ts';
import { useAccount } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { localeOf } from '../../api/settings-values.ts';
import { NoFigure, Quantity } from '../../components/amount.tsx';
import { classNames } from '../../components/class-names.ts';
import { formatMoney, formatNumber, formatPercent, signOf } from '../../components/format.ts';
import type { BasketLeg } from '../../features/basket/basket.ts';
import { withoutGroups } from '../../features/draft-fields/typed-number.ts';
import { fundingApr } from '../../features/funding-apr/funding-apr.ts';
import css from './leg-outlook.module.css';
import { isLegUsd, legSize, type WriteUsd } from './sizing.ts';

export interface LegAim {
  /** Notional that the order asks of the leg, USD; null: no size is typed. */
  readonly usd: string | null;
  /** Mark price of the dry run, by which ticket and review count; null: none yet. */
  readonly mark: string | null;
}

interface OutlookProps {
  readonly leg: BasketLeg;
  readonly instrument: Instrument | undefined;
  readonly aim: LegAim;
  /** Its dollars begin to be typed; what it returns is called with them. */
  readonly onUsd: () => WriteUsd;
}

export function LegOutlook({ leg, ...size }: OutlookProps) {
  const isStale = useStaleSeconds() !== null;
  return (
    <span className={classNames(css['outlook'], isStale && 'stale')}>
      <Size id={leg.id} {...size} />
      <Funding leg={leg} />
    </span>
  );
}

function Size({
  id,
  instrument,
  aim: { usd, mark },
  onUsd,
}: Omit<OutlookProps, 'leg'> & { readonly id: string }) {
  const { connector } = useAccount();
  const live = useLiveRow(`prices:${connector}`, id)?.mark;
  const price = mark ?? live;
  const size =
    usd === null || instrument === undefined || price === undefined
      ? null
      : legSize(usd, price, instrument.stepSize);
  return (
    <>
      <UsdField ticker={instrument?.symbol ?? id} asked={usd} gets={size?.notional ?? null} onUsd={onUsd} />
      {instrument !== undefined && size !== null ? (
        <span className={css['quantity']} title={`${size.quantity} ${instrument.symbol}`}>
          <span>
            <Quantity value={size.quantity} step={instrument.stepSize} /> {instrument.symbol}
          </span>
        </span>
      ) : (
        usd !== null && <NoFigure why="No price is known" />
      )}
    </>
  );
}

interface Typed {
  readonly text: string;
  /** A key has changed it since the field was entered. */
  readonly isTouched: boolean;
}

/**
 * Shows what whole steps of the venue make of the dollars, as the review does. Entered, it stands still, as a plain decimal
 * like every typed number; what cannot be read when it is left, or Escape, leaves the order as it was before.
 */
function UsdField({
  ticker,
  asked,
  gets,
  onUsd,
}: Pick<OutlookProps, 'onUsd'> & {
  readonly ticker: string;
  /** USD that the order asks of the leg; null: no size is typed. */
  readonly asked: string | null;
  /** USD that whole steps make of them; null: no price is known. */
  readonly gets: string | null;
}) {
  const settings = useSettings();
  const input = useRef<HTMLInputElement>(null);
  /** null: the field is not entered. */
  const [typed, setTyped] = useState<Typed | null>(null);
  const begun = useRef<{ readonly write: WriteUsd; readonly text: string }>(null);
  const shown = gets ?? asked;
  const text = typed?.text ?? (shown === null ? '' : formatNumber(settings, shown, { digits: 2 }));
  const read = (entered: string) => withoutGroups(entered, localeOf(settings));
  const isBad = typed?.isTouched === true && !isLegUsd(read(typed.text));
  const isUntouched = typed?.isTouched === false;
  // Once the plain text stands there: its writing would take the selection away.
  useLayoutEffect(() => {
    if (isUntouched) input.current?.select();
  }, [isUntouched]);
  return (
    <span className={css['usd']} data-invalid={isBad ? '' : undefined}>
      <span aria-hidden="true">$</span>
      <input
        ref={input}
        aria-label={`USD of ${ticker}`}
        aria-invalid={isBad || undefined}
        title={
          isBad
            ? 'More than 0, with up to 8 decimals'
            : asked === null
              ? 'No size is typed'
              : `Asked: ${formatMoney(settings, asked)}, in whole steps of the venue. Type to change this leg and the total`
        }
        inputMode="decimal"
        autoComplete="off"
        style={{ width: `${Math.max(4, text.length)}ch` }}
        value={text}
        onFocus={() => {
          begun.current = { write: onUsd(), text: shown === null ? '' : new Big(shown).toFixed(2) };
          setTyped({ text: begun.current.text, isTouched: false });
        }}
        onChange={({ target }) => {
          setTyped({ text: target.value, isTouched: true });
          const usd = read(target.value);
          // What is half typed keeps what was read last.
          if (isLegUsd(usd)) begun.current?.write(usd);
        }}
        onKeyDown={({ key }) => {
          if (key !== 'Escape' || typed?.isTouched !== true) return;
          begun.current?.write(null);
          setTyped({ text: begun.current?.text ?? '', isTouched: false });
        }}
        onBlur={() => {
          if (isBad) begun.current?.write(null);
          setTyped(null);
        }}
      />
    </span>
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
