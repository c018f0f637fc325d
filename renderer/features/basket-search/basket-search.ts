/** Opens the frame's basket search for a screen: the palette belongs to no screen. */
import { useEffect, useEffectEvent } from 'react';

type Asked = (current: string | null) => void;

const listeners = new Set<Asked>();

/** @param current key of the basket on the screen, which the search leaves out; null: none */
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
