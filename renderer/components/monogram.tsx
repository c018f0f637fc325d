/** A coin's letters in a circle, so that a row is found by shape before its name is read. Decoration: the name stands beside it. */
import { classNames } from './class-names.ts';
import css from './monogram.module.css';

const LETTERS = 3;

/** @param ticker `BTC`; a long one is cut */
export function Monogram({ ticker, large = false }: { readonly ticker: string; readonly large?: boolean }) {
  return (
    <span className={classNames(css['monogram'], large && css['large'])} aria-hidden="true">
      {ticker.replace(/^[^A-Za-z]+/, '').slice(0, LETTERS)}
    </span>
  );
}

/** Those of a basket's legs, one over the other. */
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
