/**
 * A button that cannot be pressed until it has been in sight for a moment: a click that was meant for another window, a
 * double click or a held key must not allow anything (button jacking).
 */

const IN_SIGHT_MS = 700;

/**
 * Arms a button; the delay restarts whenever the window comes back into sight or focus.
 * @param {(armed: boolean) => void} changed called at once with `false`
 * @returns {() => void} stops the arming
 */
export function startArming(changed) {
  let timer = 0;
  const restart = () => {
    clearTimeout(timer);
    changed(false);
    if (document.visibilityState === 'visible') timer = setTimeout(() => changed(true), IN_SIGHT_MS);
  };
  document.addEventListener('visibilitychange', restart);
  window.addEventListener('focus', restart);
  restart();
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', restart);
    window.removeEventListener('focus', restart);
  };
}
