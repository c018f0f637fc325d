/** In the head: puts the basket on the watchlist or takes it off, and opens the list. Windows too narrow for it have neither. */
import { PanelLeft, Star } from 'lucide-react';
import { useAccount } from '../../../api/session.ts';
import { IconButton } from '../../../components/button.tsx';
import { type Basket, basketFault } from '../../../features/basket/basket.ts';
import { isStarred, toggleStar, toggleWatchlist, useStarredLinks, useWatchlistOpen } from './watched.ts';
import css from './watchlist.module.css';

export function WatchButtons({ basket }: { readonly basket: Basket }) {
  const { connector } = useAccount();
  const isOn = isStarred(useStarredLinks(connector), basket);
  const isOpen = useWatchlistOpen();
  return (
    <span className={css['buttons']}>
      <IconButton
        label={isOn ? 'Take off the watchlist' : 'Add to the watchlist'}
        icon={<Star className={isOn ? css['starred'] : undefined} />}
        aria-pressed={isOn}
        disabled={basketFault(basket) !== null}
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
