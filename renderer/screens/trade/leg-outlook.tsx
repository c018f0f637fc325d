/**
 * Shows a leg's amounts at the typed size with each typed key, and its funding. The dollars are a field: typing there
 * changes this leg and the total, and the other legs keep theirs.
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
  /** Notional of the leg in the order, USD; null: no size is typed. */
  readonly usd: string | null;
  /** Mark price of the dry run, also used by ticket and review; null: none yet. */
  readonly mark: string | null;
}

interface OutlookProps {
  readonly leg: BasketLeg;
  readonly instrument: Instrument | undefined;
  readonly aim: LegAim;
  /** Called when typing of the leg's dollars begins. Returns the function that takes them. */
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
  /** True: a key has changed it since the field got the focus. */
  readonly isTouched: boolean;
}

/**
 * Shows the dollars after rounding to the venue's steps, as the review does. With the focus it is a plain decimal and
 * does not update. Unreadable text when it loses the focus, or Escape, restores the order.
 */
function UsdField({
  ticker,
  asked,
  gets,
  onUsd,
}: Pick<OutlookProps, 'onUsd'> & {
  readonly ticker: string;
  /** USD of the leg in the order; null: no size is typed. */
  readonly asked: string | null;
  /** USD after rounding to whole steps; null: no price is known. */
  readonly gets: string | null;
}) {
  const settings = useSettings();
  const input = useRef<HTMLInputElement>(null);
  /** null: the field has no focus. */
  const [typed, setTyped] = useState<Typed | null>(null);
  const begun = useRef<{ readonly write: WriteUsd; readonly text: string }>(null);
  const shown = gets ?? asked;
  const text = typed?.text ?? (shown === null ? '' : formatNumber(settings, shown, { digits: 2 }));
  const read = (entered: string) => withoutGroups(entered, localeOf(settings));
  const isBad = typed?.isTouched === true && !isLegUsd(read(typed.text));
  const isUntouched = typed?.isTouched === false;
  // Waits for the plain text: writing it would remove the selection.
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
          // A half-typed number keeps the last readable one.
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

/** Fraction below which a percentage has four decimals instead of two, which would be zeros. */
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
