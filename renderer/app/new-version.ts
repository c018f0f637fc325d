/**
 * A page that outlived an update asks for files that are gone. It is loaded anew, once: if that does not help, the error
 * is shown where it happened.
 */
const MARK = 'tandem.reloaded';
const ONCE_PER_MS = 60_000;

export function reloadOnNewVersion(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(MARK) ?? 0);
    if (Date.now() - last < ONCE_PER_MS) return;
    event.preventDefault();
    sessionStorage.setItem(MARK, String(Date.now()));
    location.reload();
  });
}
