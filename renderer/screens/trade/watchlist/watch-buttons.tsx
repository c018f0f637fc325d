/** Adds the basket to the watchlist or removes it, and opens the list. Hidden in windows too narrow for the list. */
import { PanelLeft, Star } from 'lucide-react';
import { useAccount } from '../../../api/session.ts';
import { IconButton } from '../../../components/button.tsx';
import { type Basket, basketFault } from '../../../features/basket/basket.ts';
import {
  isFull,
  isStarred,
  toggleStar,
  toggleWatchlist,
  useStarredLinks,
  useWatchlistOpen,
} from './watched.ts';
import css from './watchlist.module.css';

export function WatchButtons({ basket }: { readonly basket: Basket }) {
  const { connector } = useAccount();
  const links = useStarredLinks(connector);
  const isOn = isStarred(links, basket);
  const hasNoRoom = !isOn && isFull(links);
  const isOpen = useWatchlistOpen();
  return (
    <span className={css['buttons']}>
      <IconButton
        label={
          isOn
            ? 'Take off the watchlist'
            : hasNoRoom
              ? 'Forty starred baskets at most: take one off the watchlist first'
              : 'Add to the watchlist'
        }
        icon={<Star className={isOn ? css['starred'] : undefined} />}
        aria-pressed={isOn}
        disabled={hasNoRoom || basketFault(basket) !== null}
        focusableWhenDisabled={hasNoRoom}
        onClick={() => toggleStar(connector, basket)}
      />
      <IconButton
        label={isOpen ? 'Close the watchlist' : 'Open the watchlist'}
        icon={<PanelLeft />}
        aria-expanded={isOpen}
        aria-keyshortcuts="W"
        onClick={toggleWatchlist}
      />
    </span>
  );
}
