/** Single keys of the ticket, outside of fields (`features/key-list` lists them). None of them sends an order. */
import { useEffect, useEffectEvent } from 'react';
import { isAnythingOpen, isTyping } from '../../components/is-typing.ts';
import { isSecondKey } from '../../components/second-key.ts';
import { SHARES } from './sizing.ts';
import { leaveLargeChart } from './use-large-chart.ts';

export interface TicketKeys {
  readonly onSize: () => void;
  /** @param percent of the largest order that the free margin allows */
  readonly onShare: (percent: number) => void;
  readonly onSwap: () => void;
  readonly onReview: () => void;
  /** Moves to the search for another basket. */
  readonly onBaskets: () => void;
  /** Opens or closes the list of watched baskets. */
  readonly onWatchlist: () => void;
}

export function useTicketKeys(keys: TicketKeys): void {
  const act = useEffectEvent((key: string): boolean => {
    if (key === 'b') {
      keys.onBaskets();
      return true;
    }
    if (key === 'w') {
      keys.onWatchlist();
      return true;
    }
    const share = SHARES[Number(key) - 1];
    if (share === undefined && !'nxv'.includes(key)) return false;
    // The large chart hides the ticket, whose changes must be visible.
    leaveLargeChart();
    if (share !== undefined) keys.onShare(share);
    else if (key === 'n') keys.onSize();
    else if (key === 'x') keys.onSwap();
    else if (key === 'v') keys.onReview();
    else return false;
    return true;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || isSecondKey(event)) return;
      // Lists of choices find entries by letters, and rows have keys of their own.
      if (isTyping(event.target) || isAnythingOpen() || isInRow(event.target)) return;
      if (act(event.key)) event.preventDefault();
    };
    // Handled before the frame, which ends a pair of keys with its second one.
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, []);
}

function isInRow(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-row]') !== null;
}
