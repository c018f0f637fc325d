/** Watched baskets, saved or starred, with mark ratio, 24 h change and funding. A click shows one on the page. */
import { Star } from 'lucide-react';
import { type KeyboardEvent, useMemo } from 'react';
import { isPair } from '../../../../gateway/domain/condition-table.ts';
import { useLiveRows } from '../../../api/live.ts';
import { useInstruments } from '../../../api/market.ts';
import { useGet } from '../../../api/queries.ts';
import { useAccount } from '../../../api/session.ts';
import { Percent } from '../../../components/amount.tsx';
import { IconButton } from '../../../components/button.tsx';
import { classNames } from '../../../components/class-names.ts';
import layout from '../../../components/layout.module.css';
import { Fresh } from '../../../components/states.tsx';
import {
  type Basket,
  inOrder,
  isWeighedAlike,
  keyOfBasket,
  savedBasket,
} from '../../../features/basket/basket.ts';
import { BasketLabel } from '../../../features/basket-name/basket-label.tsx';
import { useBasketText } from '../../../features/basket-name/use-basket-text.ts';
import { basketApr } from '../../../features/funding-apr/funding-apr.ts';
import { useRates } from '../../../features/next-funding/next-payment.tsx';
import { figureText } from '../../../features/ratio-chart/figure.ts';
import { subjectValue, usualSubject } from '../../../features/ratio-chart/subject.ts';
import { changeOf } from '../../../features/ratio-chart/use-subject-value.ts';
import { Funding } from '../head-figure.tsx';
import { basketsOf, toggleStar, useStarredLinks } from './watched.ts';
import css from './watchlist.module.css';

interface Watched {
  readonly id: string;
  /** Name of a saved basket; null: its legs name it. */
  readonly name: string | null;
  readonly basket: Basket;
  /** True: the venue lists all of its legs. */
  readonly isListed: boolean;
}

/**
 * Starred baskets first, then other saved ones of this venue's instruments. A starred one with a delisted leg stays,
 * because one that is not shown cannot be removed.
 */
function useWatched(): readonly Watched[] {
  const { connector } = useAccount();
  const links = useStarredLinks(connector);
  const saved = useGet('GET /saved-baskets', {}).data?.savedBaskets;
  const instruments = useInstruments();
  return useMemo(() => {
    // Before the instruments are read, nothing is known about any basket.
    if (instruments.length === 0) return [];
    const listed = new Set(instruments.map(({ id }) => id));
    const watched = (id: string, name: string | null, basket: Basket): Watched => {
      const isListed = basket.legs.every((leg) => listed.has(leg.id));
      return { id, name, basket, isListed };
    };
    const starred = basketsOf(links).map((basket) => watched(keyOfBasket(basket) ?? '', null, basket));
    const own = (saved ?? [])
      .map(({ id, name, legs }) => watched(id, name, savedBasket(legs)))
      .filter(({ basket, isListed }) => isListed && !starred.some((one) => isSame(one.basket, basket)));
    return [...starred, ...own];
  }, [links, saved, instruments]);
}

/** The head shows the funding of a pair with equal long and short. */
const asInHead = (basket: Basket): Pick<Basket, 'legs'> =>
  isPair(basket.legs) ? { legs: basket.legs.map((leg) => ({ ...leg, weight: 1 })) } : basket;

/** Compares the weights too: a saved basket of other weights is another one. */
const isSame = (a: Basket, b: Basket) =>
  keyOfBasket(a) === keyOfBasket(b) && isWeighedAlike({ ...a, legs: inOrder(a) }, { ...b, legs: inOrder(b) });

export function Watchlist({
  current,
  onBasket,
}: {
  readonly current: Basket;
  readonly onBasket: (basket: Basket) => void;
}) {
  const { connector } = useAccount();
  const prices = useLiveRows(`prices:${connector}`);
  const byId = new Map(prices.map((row) => [row.id, row]));
  const rows = useWatched();
  const rates = useRates();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % buttons.length)?.focus();
    event.preventDefault();
  };
  return (
    <section className={css['list']} aria-label="Watchlist">
      <p className={css['title']}>Watchlist</p>
      <Fresh className={css['rows'] ?? ''}>
        {rows.length === 0 && (
          <p className={classNames(css['nothing'], layout['quiet'])}>
            Star a basket in its head, or save one: it is followed here.
          </p>
        )}
        <ul onKeyDown={onKeyDown}>
          {rows.map(({ id, name, basket, isListed }) => {
            const subject = usualSubject(basket);
            const now = subjectValue(subject, basket.legs, (leg) => {
              const mark = byId.get(leg)?.mark;
              return mark === undefined ? null : Number(mark);
            });
            return (
              <li key={id} className={css['item']}>
                <button
                  type="button"
                  className={css['row']}
                  aria-current={isSame(basket, current) ? 'true' : undefined}
                  onClick={() => onBasket(basket)}
                >
                  <span className={css['name']}>
                    {name ?? (
                      <BasketLabel
                        legs={inOrder(basket).map((leg) => ({ symbol: leg.id, side: leg.side }))}
                      />
                    )}
                  </span>
                  <span className={css['ratio']}>{isListed ? figureText(now) : 'Not listed'}</span>
                  <Percent value={isListed ? changeOf(subject, basket.legs, prices) : null} pnl />
                  {isListed && (
                    <span className={css['apr']}>
                      <span className={css['ratio']}>Funding APR</span>{' '}
                      <Funding value={basketApr(asInHead(basket), rates)} />
                    </span>
                  )}
                </button>
                {!isListed && <TakeOff basket={basket} />}
              </li>
            );
          })}
        </ul>
      </Fresh>
    </section>
  );
}

/** Star of a basket that is not in the page's head, which has the star of the shown one. */
function TakeOff({ basket }: { readonly basket: Basket }) {
  const { connector } = useAccount();
  const name = useBasketText(inOrder(basket).map(({ id, side }) => ({ symbol: id, side })));
  return (
    <IconButton
      label={`Take ${name} off the watchlist`}
      icon={<Star className={css['starred']} />}
      onClick={() => toggleStar(connector, basket)}
    />
  );
}
