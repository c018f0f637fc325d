/** Results of the basket search: recent baskets, saved ones, open positions and the most traded pairs. */
import { Bookmark, ChartCandlestick, History, Layers } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import { isPair } from '../../gateway/domain/condition-table.ts';
import { useInstruments, useTicker } from '../api/market.ts';
import { useAllRows, useGet } from '../api/queries.ts';
import { useAccount } from '../api/session.ts';
import {
  type Basket,
  bareBasket,
  heldBasket,
  inOrder,
  keyOfBasket,
  linkOf,
  savedBasket,
} from '../features/basket/basket.ts';
import { tradeHref } from '../features/basket-link/basket-link.ts';
import { basketName } from '../features/basket-name/basket-name.ts';
import { recentBaskets } from '../features/recent-baskets/recent-baskets.ts';
import type { CommandGroup } from './use-commands.tsx';

const MOST_TRADED = 8;
/** The same number of rows as Trade reads to choose its first basket, so that both share one answer. */
const ROWS = 50;

/** @param current key of the basket on the screen, which is left out */
export function useBasketCommands(current: string | null): readonly CommandGroup[] {
  const [, navigate] = useLocation();
  const { id: accountId, connector } = useAccount();
  const instruments = useInstruments();
  const tickerOf = useTicker();
  const saved = useGet('GET /saved-baskets', {}).data?.savedBaskets;
  const positions = useAllRows('GET /positions', { query: { status: ['OPEN'], limit: 200 } }).data;
  const markets = useGet('GET /markets/baskets', { query: { connector, limit: ROWS } }, { shared: true }).data
    ?.markets;
  return useMemo(() => {
    const listed = new Set(instruments.map(({ id }) => id));
    const commandOf = (id: string, basket: Basket, icon: ReactNode, name?: string, hint?: string) => {
      const legs = inOrder(basket).map((leg) => ({ symbol: leg.id, side: leg.side }));
      const text = basketName(legs, tickerOf).text;
      return {
        id,
        name: name ?? text,
        words: `${text} ${legs.map(({ symbol }) => symbol).join(' ')}`,
        icon,
        hint: hint ?? (name === undefined ? undefined : text),
        run: () => navigate(tradeHref(linkOf(basket))),
      };
    };
    // Leaves out baskets with a leg that this venue does not list: they cannot be traded here.
    const others = (baskets: readonly Basket[]) =>
      baskets.filter(
        (basket) => keyOfBasket(basket) !== current && basket.legs.every(({ id }) => listed.has(id)),
      );
    const recent = others(recentBaskets(accountId)).slice(0, MOST_TRADED);
    const held = others((positions ?? []).map(({ legs }) => heldBasket(legs)));
    const known = new Set([...recent, ...held].map(keyOfBasket));
    const traded = others(
      (markets ?? [])
        .filter(({ legs }) => isPair(legs))
        .toSorted((a, b) => Number(b.volume24h ?? 0) - Number(a.volume24h ?? 0))
        .map(({ legs }) => bareBasket(legs)),
    ).filter((basket) => !known.has(keyOfBasket(basket)));
    return [
      {
        name: 'Recent',
        commands: recent.map((basket) =>
          commandOf(`recent ${keyOfBasket(basket)}`, basket, <History aria-hidden="true" />),
        ),
      },
      {
        name: 'Saved baskets',
        commands: (saved ?? []).map(({ id, name, legs }) =>
          commandOf(id, savedBasket(legs), <Bookmark aria-hidden="true" />, name),
        ),
      },
      {
        name: 'Positions',
        commands: held.map((basket) =>
          commandOf(`held ${keyOfBasket(basket)}`, basket, <Layers aria-hidden="true" />),
        ),
      },
      {
        name: 'Most traded pairs',
        commands: traded
          .slice(0, MOST_TRADED)
          .map((basket) =>
            commandOf(`traded ${keyOfBasket(basket)}`, basket, <ChartCandlestick aria-hidden="true" />),
          ),
      },
      {
        name: 'Single instruments',
        isTypedFor: true,
        commands: instruments.map(({ id }) =>
          commandOf(id, bareBasket([{ id, side: 'BUY' }]), <ChartCandlestick aria-hidden="true" />),
        ),
      },
    ];
  }, [navigate, accountId, current, instruments, tickerOf, saved, positions, markets]);
}
