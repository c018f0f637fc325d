/**
 * Enlarges the chart to the whole work area and back: by its button or by `f`, and back by Escape too. The state
 * survives other baskets and other screens, but not a reload.
 */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { create } from 'zustand';
import { useAccount } from '../../api/session.ts';
import { isAnythingOpen, isTyping } from '../../components/is-typing.ts';
import { isSecondKey } from '../../components/second-key.ts';
import { useSentOrders } from '../../features/sent-orders/sent-orders.ts';

const useLarge = create(() => ({ isLarge: false }));

/** Shows the ticket and the outcome of orders again. */
export function leaveLargeChart(): void {
  useLarge.setState({ isLarge: false });
}

export interface LargeChart {
  readonly isLarge: boolean;
  readonly set: (isLarge: boolean) => void;
  /** Button that takes the focus of a hidden element. */
  readonly button: RefObject<HTMLButtonElement | null>;
}

export function useLargeChart(): LargeChart {
  const isLarge = useLarge((state) => state.isLarge);
  const button = useRef<HTMLButtonElement>(null);
  const set = (next: boolean) => useLarge.setState({ isLarge: next });
  useKeys((event) => {
    const { key } = event;
    if (key === 'Escape' ? !isLarge : key.toLowerCase() !== 'f' || isTyping(event.target)) return;
    event.preventDefault();
    set(key !== 'Escape' && !isLarge);
  });
  useKeptFocus(isLarge, button);
  useBackForOrders();
  return { isLarge, set, button };
}

/** Handles keys that nothing else on the page takes. */
function useKeys(act: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent(act);
  useEffect(() => {
    let isFree = false;
    // Captured first: an element that the key closes would be gone by the time `after` runs.
    const before = (event: KeyboardEvent) => {
      isFree = !isAnythingOpen() && !isSecondKey(event);
    };
    const after = (event: KeyboardEvent) => {
      const { defaultPrevented, metaKey, ctrlKey, altKey } = event;
      if (isFree && !defaultPrevented && !metaKey && !ctrlKey && !altKey) onKey(event);
    };
    addEventListener('keydown', before, { capture: true });
    addEventListener('keydown', after);
    return () => {
      removeEventListener('keydown', before, { capture: true });
      removeEventListener('keydown', after);
    };
  }, []);
}

/** Returns the focus afterwards to the element that was hidden. */
function useKeptFocus(isLarge: boolean, button: RefObject<HTMLButtonElement | null>): void {
  const hidden = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (isLarge && activeElement instanceof HTMLElement && !activeElement.checkVisibility()) {
      hidden.current = activeElement;
      button.current?.focus();
    } else if (!isLarge) {
      if (activeElement === button.current) hidden.current?.focus();
      hidden.current = null;
    }
  }, [isLarge, button]);
}

/** Leaves the large chart for a new order, whose outcome is shown beside the ticket. */
function useBackForOrders(): void {
  const newest = useSentOrders(useAccount().id)[0]?.key;
  const known = useRef(newest);
  useEffect(() => {
    if (newest !== undefined && newest !== known.current) useLarge.setState({ isLarge: false });
    known.current = newest;
  }, [newest]);
}
