/** A coin's letters in a circle, so that a row is found by shape. Decoration: its name is written beside it. */
import { classNames } from './class-names.ts';
import css from './monogram.module.css';

/** Fewer would name another coin: DOGE is not DOG. */
const LETTERS = 5;
const SMALL_FROM = 4;

/** @param ticker `BTC`; a long one is cut */
export function Monogram({ ticker, large = false }: { readonly ticker: string; readonly large?: boolean }) {
  const letters = ticker.replace(/^[^A-Za-z]+/, '').slice(0, LETTERS);
  return (
    <span
      className={classNames(css['monogram'], large && css['large'])}
      data-long={letters.length >= SMALL_FROM ? letters.length : undefined}
      aria-hidden="true"
    >
      {letters}
    </span>
  );
}

/** Circles of a basket's legs, overlapping. */
export function Monograms({
  tickers,
  most = 4,
}: {
  readonly tickers: readonly string[];
  readonly most?: number;
}) {
  const left = tickers.length - most;
  return (
    <span className={css['stack']} aria-hidden="true">
      {tickers.slice(0, most).map((ticker) => (
        <Monogram key={ticker} ticker={ticker} large />
      ))}
      {left > 0 && <span className={classNames(css['monogram'], css['large'])}>+{left}</span>}
    </span>
  );
}
