/** Fills the empty Trade screen with the last basket, or else with the venue's most traded pair. */
import { useEffect, useState } from 'react';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { type Basket, bareBasket } from '../../features/basket/basket.ts';
import { changeTradeDraft, lastBasket } from './draft.ts';

/** The list starts with baskets opened here before; pairs by volume are among its first rows. */
const ROWS = 50;

/** Fills an empty builder once, when the screen opens or the account changes. A cleared builder stays empty. */
export function useFirstBasket(basket: Basket, hasLink: boolean): void {
  const { id, connector } = useAccount();
  const isVoid = basket.legs.length === 0 && !hasLink;
  /** Account whose builder was not empty, or was filled, since the screen opened. */
  const [done, setDone] = useState<string | null>(null);
  const isWanted = isVoid && done !== id;
  const last = isWanted ? lastBasket(id) : null;
  const { data } = useGet(
    'GET /markets/baskets',
    { query: { connector, limit: ROWS } },
    { shared: true, enabled: isWanted && last === null },
  );
  const [most] = (data?.markets ?? [])
    .filter(({ legs }) => isPair(legs))
    .toSorted((a, b) => Number(b.volume24h ?? 0) - Number(a.volume24h ?? 0));
  useEffect(() => {
    if (!isWanted) {
      if (!isVoid) setDone(id);
      return;
    }
    const first = last ?? (most === undefined ? null : bareBasket(most.legs));
    if (first === null) return;
    setDone(id);
    changeTradeDraft(id, () => ({ basket: first }));
  }, [id, isVoid, isWanted, last, most]);
}
