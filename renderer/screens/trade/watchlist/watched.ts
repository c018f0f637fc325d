/** Baskets that the reader watches on Trade, kept by this browser for each venue, and the open state of their list. */
import { z } from 'zod';
import { keptChoice, lenient, readKept } from '../../../api/kept-choice.ts';
import { type Basket, basketOf, keyOfBasket, linkOf } from '../../../features/basket/basket.ts';
import { readBasketLink, tradeHref } from '../../../features/basket-link/basket-link.ts';

/** Largest number of starred baskets of a venue. */
const MOST_STARRED = 40;

const kept = lenient({
  isOpen: z.boolean().catch(false),
  /** Starred baskets by connector, each in the form of the query of Trade's address. */
  starred: z.record(z.string(), z.array(z.string()).catch([])).catch({}),
});
const [useKept, changeKept] = keptChoice('tandem.watchlist', (text) => readKept(kept, text));

export const useWatchlistOpen = (): boolean => useKept(({ isOpen }) => isOpen);

export function toggleWatchlist(): void {
  changeKept({ isOpen: !useKept.getState().isOpen });
}

const NONE: readonly string[] = [];

/** Links of the starred baskets of a venue. They keep their identity until one changes. */
export const useStarredLinks = (connector: string): readonly string[] =>
  useKept(({ starred }) => starred[connector]) ?? NONE;

/** Baskets of links. Links in the form of another version of the page are left out. */
export function basketsOf(links: readonly string[]): readonly Basket[] {
  return links.flatMap((text) => {
    const link = readBasketLink(text);
    return link === null ? [] : [basketOf(link)];
  });
}

export const isStarred = (links: readonly string[], basket: Basket): boolean =>
  basketsOf(links).some((one) => keyOfBasket(one) === keyOfBasket(basket));

/** True: no more baskets can be starred. Dropping an old one for a new one would go unnoticed. */
export const isFull = (links: readonly string[]): boolean => basketsOf(links).length >= MOST_STARRED;

/** Adds the basket with its current weights unless the list is full, or removes it at any weights. */
export function toggleStar(connector: string, basket: Basket): void {
  const { starred } = useKept.getState();
  const links = starred[connector] ?? [];
  const others = links.filter((text) => !isStarred([text], basket));
  const own = tradeHref(linkOf(basket)).replace('/trade', '');
  if (others.length === links.length && isFull(links)) return;
  const next = others.length < links.length ? others : [own, ...others];
  changeKept({ starred: { ...starred, [connector]: next } });
}
