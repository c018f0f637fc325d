/**
 * An open page may ask for files that an update has removed. The page is then reloaded once; if a file is still
 * missing, the error is shown in its view.
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
