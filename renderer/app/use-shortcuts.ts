/** Shortcuts of every page: ⌘K or Ctrl K: commands, `?`: the list, `g` and a letter: a screen. Not while typing. */
import { useEffect, useRef } from 'react';
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

export interface ShortcutTargets {
  readonly onPalette: () => void;
  readonly onKeys: () => void;
}

export function useShortcuts(targets: ShortcutTargets): void {
  const [, navigate] = useLocation();
  const open = useRef(targets);
  useEffect(() => {
    open.current = targets;
  });
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.metaKey || event.ctrlKey) && !event.altKey && key === 'k') {
        event.preventDefault();
        open.current.onPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (event.key === '?') {
        event.preventDefault();
        open.current.onKeys();
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
