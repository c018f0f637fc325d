/**
 * Enables a button whose action cannot be undone, once its figures have been visible for a moment. A click meant for
 * another window, a double click or a held key must not decide anything.
 */
import { useEffect, useState } from 'react';

const IN_SIGHT_MS = 700;

/** @param figures text of the shown figures: any change disables the button again */
export function useArmed(figures: string): boolean {
  const [armed, setArmed] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = () => {
      clearTimeout(timer);
      setArmed(null);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setArmed(figures), IN_SIGHT_MS);
    };
    document.addEventListener('visibilitychange', restart);
    window.addEventListener('focus', restart);
    restart();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', restart);
      window.removeEventListener('focus', restart);
    };
  }, [figures]);
  return armed === figures;
}
