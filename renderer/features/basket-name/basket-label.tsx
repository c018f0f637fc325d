/** A basket's name with its sides told apart by arrow and colour. */
import { useTicker } from '../../api/market.ts';
import css from './basket-label.module.css';
import { basketName, type NamedLeg } from './basket-name.ts';

export function BasketLabel({ legs }: { readonly legs: readonly NamedLeg[] }) {
  const { longs, shorts, text } = basketName(legs, useTicker());
  return (
    <span className={css['basket']} title={text}>
      {longs.length > 0 && <Side tickers={longs} arrow="▲" name="long" className={css['long']} />}
      {shorts.length > 0 && <Side tickers={shorts} arrow="▼" name="short" className={css['short']} />}
    </span>
  );
}

function Side({
  tickers,
  arrow,
  name,
  className,
}: {
  readonly tickers: readonly string[];
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
      {tickers.join(' + ')}
    </span>
  );
}
