/** Baskets recently viewed on Trade in this browser, latest first, by account. */
import { type Basket, basketOf, keyOfBasket, linkOf } from '../basket/basket.ts';
import { readBasketLink, tradeHref } from '../basket-link/basket-link.ts';

const KEPT = 'tandem.recent-baskets';
/** One more than is shown, because the basket on the screen is among them. */
const MOST = 9;

export function recentBaskets(accountId: string): readonly Basket[] {
  // Another version of the page may have written them in another form.
  return keptLinks(accountId).flatMap((kept) => {
    const link = readBasketLink(String(kept));
    return link === null ? [] : [basketOf(link)];
  });
}

/** Keeps the basket with its present weights, in place of an earlier entry with the same legs. */
export function keepRecentBasket(accountId: string, basket: Basket): void {
  const key = keyOfBasket(basket);
  if (key === null) return;
  const others = recentBaskets(accountId).filter((one) => keyOfBasket(one) !== key);
  const links = [basket, ...others].slice(0, MOST).map((one) => tradeHref(linkOf(one)).replace('/trade', ''));
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...allKept(), [accountId]: links }));
  } catch {
    // Without storage there are no recent baskets.
  }
}

function keptLinks(accountId: string): readonly unknown[] {
  const links = allKept()[accountId];
  return Array.isArray(links) ? links : [];
}

function allKept(): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') ?? {};
  } catch {
    return {};
  }
}
