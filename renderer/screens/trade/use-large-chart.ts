/**
 * The chart over the whole work area, and back: by its button or by `f`, back by Escape too. Kept for other baskets and while
 * other screens are looked at; a reload begins as it always does.
 */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { create } from 'zustand';
import { useAccount } from '../../api/session.ts';
import { isAnythingOpen, isTyping } from '../../components/is-typing.ts';
import { isSecondKey } from '../../components/second-key.ts';
import { useSentOrders } from '../../features/sent-orders/sent-orders.ts';

const useLarge = create(() => ({ isLarge: false }));

/** The ticket and what becomes of an order are seen again. */
export function leaveLargeChart(): void {
  useLarge.setState({ isLarge: false });
}

export interface LargeChart {
  readonly isLarge: boolean;
  readonly set: (isLarge: boolean) => void;
  /** Of the button, which takes the focus of what is hidden. */
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

/** Keys that nothing else on the page takes. */
function useKeys(act: (event: KeyboardEvent) => void): void {
  const onKey = useEffectEvent(act);
  useEffect(() => {
    let isFree = false;
    // Before anybody acts on it: what it closes is not there any more when it arrives.
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

/** What had the focus and is hidden has it again afterwards. */
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

/** What became of an order stands beside the ticket. */
function useBackForOrders(): void {
  const newest = useSentOrders(useAccount().id)[0]?.key;
  const known = useRef(newest);
  useEffect(() => {
    if (newest !== undefined && newest !== known.current) useLarge.setState({ isLarge: false });
    known.current = newest;
  }, [newest]);
}
