/**
 * Arming of a button that cannot be pressed until its content has been in sight for a moment: a click that was meant for
 * another window, a double click or a held key must not allow anything (button jacking).
 */
import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

const IN_SIGHT_MS = 700;

/**
 * True: `content` has been in sight for 700 ms. The delay restarts with other content, and whenever the window comes back
 * into sight or focus.
 */
export function useArmed<Content extends object | string>(content: Content): boolean {
  const [armedFor, setArmedFor] = useState<Content | null>(null);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = () => {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible') return;
      timer = setTimeout(() => flushSync(() => setArmedFor(content)), IN_SIGHT_MS);
    };
    const restart = () => {
      // At once: the click that brought the window back may follow before the next rendering.
      flushSync(() => setArmedFor(null));
      begin();
    };
    document.addEventListener('visibilitychange', restart);
    window.addEventListener('focus', restart);
    // Content that comes back after other content is looked at anew.
    setArmedFor(null);
    begin();
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', restart);
      window.removeEventListener('focus', restart);
    };
  }, [content]);
  return armedFor === content;
}
