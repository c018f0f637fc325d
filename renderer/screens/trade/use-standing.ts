/** Surroundings of the draft: a basket in the address, the venue's instruments, and holdings in this basket. */
import { useEffect, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHoldings } from '../../api/account-now.ts';
import { useInstruments } from '../../api/market.ts';
import { type Basket, basketOf, keyOfBasket, swapSides } from '../../features/basket/basket.ts';
import { readBasketLink } from '../../features/basket-link/basket-link.ts';
import { changeTradeDraft } from './draft.ts';

/**
 * A basket in the address fills the builder once; then the parameters are removed, so that a reload keeps later
 * changes. @returns true: a basket is in the address now
 */
export function useBasketLink(accountId: string): boolean {
  const search = useSearch();
  const [, navigate] = useLocation();
  useEffect(() => {
    const link = readBasketLink(search);
    if (link === null) return;
    changeTradeDraft(accountId, () => ({ basket: basketOf(link) }));
    navigate('/trade', { replace: true });
  }, [search, accountId, navigate]);
  return readBasketLink(search) !== null;
}

const NONE: readonly string[] = [];

/**
 * Legs that the account's venue does not have, e.g. from a link or another venue's saved basket; null while the
 * venue's instruments are not read.
 */
export function useMissing(basket: Basket): readonly string[] | null {
  const instruments = useInstruments();
  return useMemo(() => {
    if (instruments.length === 0) return basket.legs.length === 0 ? NONE : null;
    const ids = new Set(instruments.map(({ id }) => id));
    return basket.legs.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  }, [basket, instruments]);
}

/**
 * Open positions in exactly this basket and in its opposite, whatever their weights. Before they are read, null means
 * unknown, and nothing may be sent.
 */
export function useHeld(basket: Basket) {
  const { holdings, error } = useHoldings();
  const [key, other] = [keyOfBasket(basket), keyOfBasket(swapSides(basket))];
  const inBasket = (wanted: string | null) =>
    (wanted === null ? undefined : holdings?.positions.find(({ basketKey }) => basketKey === wanted)) ?? null;
  const isKnown = holdings !== undefined;
  return { held: inBasket(key), opposite: inBasket(other), isKnown, unread: isKnown ? null : error };
}
