/** Shortcuts of every page: ⌘K or Ctrl K: commands, `?`: the list, `g` and a letter: a screen. Not while typing. */
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { isSecondKey, isTyping, noteFirstKey } from '../components/second-key.ts';
import { SCREENS } from './screens.tsx';

export function useShortcuts(targets: { readonly onPalette: () => void; readonly onKeys: () => void }): void {
  const [, navigate] = useLocation();
  const onPalette = useEffectEvent(targets.onPalette);
  const onKeys = useEffectEvent(targets.onKeys);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.metaKey || event.ctrlKey) && !event.altKey && key === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') {
        event.preventDefault();
        onKeys();
        return;
      }
      if (isSecondKey(event)) {
        const screen = SCREENS.find((one) => one.key === key);
        if (screen !== undefined) {
          event.preventDefault();
          navigate(screen.path);
        }
        noteFirstKey(null);
      } else if (key === 'g') noteFirstKey(event.timeStamp);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}
