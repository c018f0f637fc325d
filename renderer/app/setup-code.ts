/** The code that the first user of a gateway needs, from the link by which the page was opened. */
const IN_LINK = /^#setup=([0-9a-f]{32})$/;

let given = '';

/**
 * Takes the code out of the address, where it would be visible and kept. To be called before other code reads the
 * address.
 */
export function takeSetupCode(): void {
  const code = IN_LINK.exec(location.hash)?.[1];
  if (code === undefined) return;
  given = code;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
}

/** Setup code of the link; empty: the link had none. */
export function setupCodeOfLink(): string {
  return given;
}
