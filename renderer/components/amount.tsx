/**
 * Figures. Each takes the gateway's decimal string (null: the gateway has no figure) and shows it in the reader's
 * locale.
 */
import type { ReactNode } from 'react';
import { useSettings } from '../api/settings.ts';
import type { Settings } from '../api/settings-values.ts';
import css from './amount.module.css';
import { classNames } from './class-names.ts';
import {
  decimalsOf,
  formatCompactMoney,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPercentFigures,
  formatRatio,
  PERCENT_UNIT,
} from './format.ts';

type Value = string | null | undefined;

/** Stands for a missing figure; screen readers say the reason. */
export function NoFigure({ why = 'not available' }: { readonly why?: string }) {
  return (
    <span className={css['none']} title={why}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{why}</span>
    </span>
  );
}

/** Class by the sign of the shown text: a figure that rounds to zero is neither profit nor loss. */
function tone(text: string): string | undefined {
  if (text.includes('+')) return css['profit'];
  return text.includes('\u2212') ? css['loss'] : undefined;
}

/** A figure in the words of its own, with digits of one width. */
export function Digits({
  value,
  text: textOf,
  pnl = false,
}: {
  readonly value: Value;
  readonly text: (settings: Settings, value: string) => string;
  /** The figure is a profit or a loss: coloured by its sign. */
  readonly pnl?: boolean;
}) {
  const settings = useSettings();
  if (value == null) return <NoFigure />;
  const text = textOf(settings, value);
  return <span className={classNames(css['digits'], pnl && tone(text))}>{text}</span>;
}

/** An amount in US dollars. */
export function Amount({
  value,
  digits,
  compact = false,
}: {
  readonly value: Value;
  readonly digits?: number;
  readonly compact?: boolean;
}) {
  const text = (settings: Settings, amount: string) =>
    compact ? formatCompactMoney(settings, amount, true) : formatMoney(settings, amount, 'auto', digits);
  return <Digits value={value} text={text} />;
}

/** Profit or loss in US dollars: coloured, and always with its sign. */
export function Pnl({ value, digits }: { readonly value: Value; readonly digits?: number }) {
  const text = (settings: Settings, amount: string) => formatMoney(settings, amount, 'always', digits);
  return <Digits value={value} text={text} pnl />;
}

/** A fraction as percent ("0.0125" is 1.25 %), or with `of="percent"` a figure that is in percent already. */
export function Percent({
  value,
  of = 'fraction',
  pnl = false,
  digits = 2,
}: {
  readonly value: Value;
  readonly of?: 'fraction' | 'percent';
  /** The figure is a profit or a loss: coloured and signed. */
  readonly pnl?: boolean;
  readonly digits?: number;
}) {
  const sign = pnl ? 'always' : 'auto';
  const text = (settings: Settings, part: string) =>
    of === 'fraction'
      ? formatPercent(settings, part, sign, digits)
      : `${formatNumber(settings, part, { digits, sign })}${PERCENT_UNIT}`;
  return <Digits value={value} text={text} pnl={pnl} />;
}

/** Two decimals of a percentage; five significant figures where these would be noughts. */
const APR_LEAST = 0.001;

/** A yearly rate as a fraction, coloured and signed. */
export function Apr({ value }: { readonly value: Value }) {
  const text = (settings: Settings, rate: string) =>
    Math.abs(Number(rate)) >= APR_LEAST || Number(rate) === 0
      ? formatPercent(settings, rate, 'always')
      : formatPercentFigures(settings, rate);
  return <Digits value={value} text={text} pnl />;
}

/** A ratio of prices, in significant figures. */
export function Ratio({ value, figures }: { readonly value: Value; readonly figures?: number | undefined }) {
  return <Digits value={value} text={(settings, ratio) => formatRatio(settings, ratio, figures)} />;
}

/** A price with the decimals of its tick, or a quantity with those of its step. */
export function Quantity({ value, step }: { readonly value: Value; readonly step?: string | undefined }) {
  const digits = step === undefined ? undefined : decimalsOf(step);
  return <Digits value={value} text={(settings, size) => formatNumber(settings, size, { digits })} />;
}

/** Long or short, as an arrow and a word. */
export function Side({ side, children }: { readonly side: 'BUY' | 'SELL'; readonly children?: ReactNode }) {
  const long = side === 'BUY';
  return (
    <span className={classNames(css['side'], css[long ? 'profit' : 'loss'])}>
      <span aria-hidden="true">{long ? '▲' : '▼'}</span>
      {children === undefined ? (
        <span>{long ? 'Long' : 'Short'}</span>
      ) : (
        <>
          <span className="visually-hidden">{long ? 'Long' : 'Short'}</span>
          <span>{children}</span>
        </>
      )}
    </span>
  );
}
