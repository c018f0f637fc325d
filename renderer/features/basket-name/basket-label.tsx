/** A basket's name, with its sides marked by arrow and colour. */
import { useTicker } from '../../api/market.ts';
import { classNames } from '../../components/class-names.ts';
import css from './basket-label.module.css';
import { basketName, missingLegs, type NamedLeg } from './basket-name.ts';

export function BasketLabel({
  legs,
  isWhole = false,
}: {
  readonly legs: readonly NamedLeg[];
  /** On as many lines as needed; otherwise on one line, cut where space is short. */
  readonly isWhole?: boolean;
}) {
  const tickerOf = useTicker();
  const { longs, shorts, text } = basketName(legs, tickerOf);
  const missing = missingLegs(legs, tickerOf);
  return (
    <span
      className={classNames(css['basket'], isWhole && css['whole'])}
      title={missing.length === 0 ? text : `${text}. Not held: ${missing.join(', ')}`}
    >
      {longs.length > 0 && (
        <Side tickers={longs} missing={missing} arrow="▲" name="long" className={css['long']} />
      )}
      {shorts.length > 0 && (
        <Side tickers={shorts} missing={missing} arrow="▼" name="short" className={css['short']} />
      )}
    </span>
  );
}

function Side({
  tickers,
  missing,
  arrow,
  name,
  className,
}: {
  readonly tickers: readonly string[];
  readonly missing: readonly string[];
  readonly arrow: string;
  readonly name: string;
  readonly className: string | undefined;
}) {
  return (
    <span className={css['side']}>
      <span className={className} aria-hidden="true">
        {arrow}
      </span>
      <span className="visually-hidden">{name} </span>
      {missing.length === 0
        ? tickers.join(' + ')
        : tickers.map((ticker, index) => (
            <span key={ticker}>
              {index > 0 && ' + '}
              {missing.includes(ticker) ? (
                <>
                  <s className={css['missing']}>{ticker}</s>
                  <span className="visually-hidden"> not held</span>
                </>
              ) : (
                ticker
              )}
            </span>
          ))}
    </span>
  );
}
