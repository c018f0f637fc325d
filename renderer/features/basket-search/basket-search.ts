/** The way of a screen to the frame's search for a basket: the palette belongs to no screen. */
import { useEffect, useEffectEvent } from 'react';

type Asked = (current: string | null) => void;

const listeners = new Set<Asked>();

/** @param current key of the basket that is shown, which is no choice; null: none is */
export function askForBasket(current: string | null): void {
  for (const listener of listeners) listener(current);
}

export function useBasketAsked(onAsked: Asked): void {
  const asked = useEffectEvent(onAsked);
  useEffect(() => {
    const listener: Asked = (current) => asked(current);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}
