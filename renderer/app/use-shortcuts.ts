/** Shortcuts of every page: ⌘K or Ctrl K: commands, `?`: the list, `g` and a letter: a screen. Not while typing. */
import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'wouter';
import { SCREENS } from './screens.tsx';

const SECOND_KEY_MS = 1_200;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null)
  );
}

export function useShortcuts(targets: { readonly onPalette: () => void; readonly onKeys: () => void }): void {
  const [, navigate] = useLocation();
  const onPalette = useEffectEvent(targets.onPalette);
  const onKeys = useEffectEvent(targets.onKeys);
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY;
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
      if (event.timeStamp - goAt < SECOND_KEY_MS) {
        const screen = SCREENS.find((one) => one.key === key);
        if (screen !== undefined) {
          event.preventDefault();
          navigate(screen.path);
        }
        goAt = Number.NEGATIVE_INFINITY;
      } else if (key === 'g') goAt = event.timeStamp;
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}
