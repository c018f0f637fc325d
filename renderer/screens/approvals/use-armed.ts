/**
 * Whether a button that cannot be taken back may be pressed: not until what it stands for has been in sight for a moment. A
 * click that was meant for another window, a double click or a held key must not decide anything.
 */
import { useEffect, useState } from 'react';

const IN_SIGHT_MS = 700;

/** @param figures a text of what is shown: any change of it takes the arming away */
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
