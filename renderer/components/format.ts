/**
 * Numbers and times as text for the screen. Decimals come as strings and go to `Intl` as strings, which keeps every
 * digit: money never becomes a float. Text that is not a decimal is shown unchanged.
 */
import Big from 'big.js';
import { localeOf, type Settings } from '../api/settings-values.ts';

type Locale = Pick<Settings, 'locale'>;
type Sign = 'auto' | 'always';

const MINUS = '\u2212';
const formats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** Creating an `Intl` format is slow, so each one is created once. */
function kept<Format>(known: Map<string, Format>, key: string, make: () => Format): Format {
  const format = known.get(key) ?? make();
  known.set(key, format);
  return format;
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

function isDecimal(text: string): text is `${number}` {
  return DECIMAL.test(text);
}

function written(settings: Locale, value: string, options: Intl.NumberFormatOptions): string {
  if (!isDecimal(value)) return value;
  const key = `${settings.locale} ${JSON.stringify(options)}`;
  const format = kept(formats, key, () => new Intl.NumberFormat(localeOf(settings), options));
  return withMinus(format.format(value));
}

/** A figure with a true minus in place of the hyphen that a keyboard has. */
export function withMinus(text: string): string {
  return text.replace('-', MINUS);
}

function signDisplay(sign: Sign): Intl.NumberFormatOptions {
  // `exceptZero` and `negative` write zero without a sign, also a value rounded to zero.
  return { signDisplay: sign === 'always' ? 'exceptZero' : 'negative' };
}

function fixed(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

const DOLLARS = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;

/** Dollar amount: "1234.5" → "$1,234.50". */
export function formatMoney(settings: Locale, value: string, sign: Sign = 'auto', digits = 2): string {
  return written(settings, value, { ...DOLLARS, ...fixed(digits), ...signDisplay(sign) });
}

/** Short dollar amount: "1234567" → "$1.23M"; `isFixed` keeps its decimals in a column, "$2.00M". */
export function formatCompactMoney(settings: Locale, value: string, isFixed = false): string {
  const minimumFractionDigits = isFixed ? 2 : 0;
  return written(settings, value, {
    ...DOLLARS,
    notation: 'compact',
    minimumFractionDigits,
    maximumFractionDigits: 2,
  });
}

/** A number with all its digits, grouped; `digits` sets a fixed number of decimals, `minDigits` the fewest. */
export function formatNumber(
  settings: Locale,
  value: string,
  options: {
    readonly digits?: number | undefined;
    readonly minDigits?: number;
    readonly maxDigits?: number | undefined;
    readonly sign?: Sign;
  } = {},
): string {
  const { digits, minDigits = 0, maxDigits = 18, sign = 'auto' } = options;
  return written(settings, value, {
    minimumFractionDigits: digits ?? minDigits,
    maximumFractionDigits: digits ?? maxDigits,
    ...signDisplay(sign),
  });
}

/** Unit after a percent figure, with a no-break space. */
export const PERCENT_UNIT = '\u00a0%';

/** Puts a space before `%`, even in locales that write none, so that all percentages on a screen look the same. */
function spaced(percent: string): string {
  return percent.replace(/(\d)%/, `$1${PERCENT_UNIT}`);
}

/** Fraction → percent: "0.0125" → "1.25 %". */
export function formatPercent(settings: Locale, fraction: string, sign: Sign = 'auto', digits = 2): string {
  return spaced(written(settings, fraction, { style: 'percent', ...fixed(digits), ...signDisplay(sign) }));
}

const LEVEL_FIGURES = 8;

/** A level as the user set it, shortened to eight significant figures if it is long. */
export function shortLevel(value: string): string {
  return withMinus(shortened(value));
}

/** Like `shortLevel`, with the digit grouping of the reader's locale. */
export function formatLevel(settings: Locale, value: string): string {
  return formatNumber(settings, shortened(value));
}

function shortened(value: string): string {
  const [whole = '', decimals = ''] = value.replace('-', '').split('.');
  if (!isDecimal(value) || whole.length + decimals.length <= LEVEL_FIGURES + 1) return value;
  const places = Math.max(0, LEVEL_FIGURES - (whole === '0' ? 0 : whole.length));
  const zeros = whole === '0' ? (/^0*/.exec(decimals)?.[0].length ?? 0) : 0;
  return new Big(value).round(places + zeros).toFixed();
}

/** Fraction → signed percent with significant figures: "0.0000123" → "+0.00123 %". */
export function formatPercentFigures(settings: Locale, fraction: string, figures = 5): string {
  return spaced(
    written(settings, fraction, {
      style: 'percent',
      maximumSignificantDigits: figures,
      ...signDisplay('always'),
    }),
  );
}

/** Significant figures, for ratios, which have no tick. Trailing zeros stay, so that a moving value keeps its width. */
export function formatRatio(settings: Locale, value: string, figures = 6): string {
  return written(settings, value, {
    minimumSignificantDigits: Math.min(figures, 6),
    maximumSignificantDigits: figures,
  });
}

/** Decimals of a tick or step: "0.01" → 2, "10" → 0. */
export function decimalsOf(step: string): number {
  return step.split('.')[1]?.length ?? 0;
}

/** Sign (-1, 0, 1) of a decimal string, without a float. */
export function signOf(value: string): -1 | 0 | 1 {
  if (/^-?0*(\.0*)?$/.test(value)) return 0;
  return value.startsWith('-') ? -1 : 1;
}

/** The same amount with the opposite sign: a payment as its effect on the holder. Digits stay as they are. */
export function negated(value: string): string {
  if (signOf(value) === 0) return '0';
  return value.startsWith('-') ? value.slice(1) : `-${value}`;
}

export type TimeStyle = 'time' | 'date' | 'datetime' | 'short' | 'day' | 'minute';

const TIME: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const DATE: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: '2-digit' };
const TIME_STYLES: Readonly<Record<TimeStyle, Intl.DateTimeFormatOptions>> = {
  time: TIME,
  date: DATE,
  datetime: { ...DATE, ...TIME },
  day: { month: 'short', day: '2-digit' },
  minute: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  short: { month: 'short', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
};
/** @param at ISO 8601 or epoch ms */
export function formatTime(
  settings: Pick<Settings, 'locale' | 'zone'>,
  at: string | number,
  style: TimeStyle = 'datetime',
): string {
  const zone = settings.zone === 'utc' ? { timeZone: 'UTC' } : {};
  const format = kept(
    timeFormats,
    `${settings.locale} ${settings.zone} ${style}`,
    () => new Intl.DateTimeFormat(localeOf(settings), { ...TIME_STYLES[style], ...zone }),
  );
  return format.format(new Date(at));
}

/** A span in words that fit a cell: "12 s", "5 min", "3 h 20 min", "4 d 2 h". */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}
