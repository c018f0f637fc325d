/** States of a screen that a healthy gateway on the same machine does not show by itself. */
import type { Page, WebSocketRoute } from 'playwright-core';

export const REQUEST_ID = 'req-0123456789abcdef';
type Glob = string | RegExp | ((url: URL) => boolean);

/** The gateway's own address of a read, without its query: `/positions`. */
export function pathIs(path: string): (url: URL) => boolean {
  return (url) => url.pathname === path;
}

/** Answers stay away until the returned function is called: what loads. */
export async function holdAnswers(page: Page, which: Glob): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(which, async (route) => {
    await released;
    // The page may be gone, or may have given the request up.
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** Before the page's own listeners, so that what it asks because of the press is asked after it. */
const WATCH_TRY_AGAIN = `addEventListener('click', ({ target }) => {
  if (target.closest?.('button')?.textContent === 'Try again') document.documentElement.dataset.triedAgain = 'yes';
}, { capture: true });`;
const TRIED_AGAIN = "document.documentElement.dataset.triedAgain === 'yes'";

/** For `route.fulfill`: an answer of the gateway that refuses. */
export function refusal(status: number, errorCode: string, message: string, details: unknown = {}) {
  return {
    status,
    headers: { 'x-request-id': REQUEST_ID },
    json: { message, errorCode, details, timestamp: '2026-01-31T12:00:00.000Z' },
  };
}

/**
 * Every answer is this refusal, until "Try again" is pressed on the page. Nothing but the press may mend it: the page also
 * reads by itself when something happens. Call it before the page goes to its screen. 500 is tried again a few times by the page
 * before it is shown.
 */
export async function refuseAnswers(
  page: Page,
  which: Glob,
  { status = 409, errorCode = 'RESOURCE_BUSY', message = 'The account may not be read' } = {},
): Promise<void> {
  await page.addInitScript(WATCH_TRY_AGAIN);
  await page.evaluate(WATCH_TRY_AGAIN);
  await page.route(which, async (route) => {
    if (await page.evaluate(TRIED_AGAIN)) {
      await route.continue();
      return;
    }
    await route.fulfill(refusal(status, errorCode, message));
  });
}

export interface StreamSwitch {
  /** Ends every connection, and refuses new ones. */
  cut(): Promise<void>;
  /** From now on connections go through. */
  mend(): void;
}

/** A hand on the page's WebSocket connections. Call it before the page is loaded. */
export async function switchableStream(page: Page): Promise<StreamSwitch> {
  const open = new Set<WebSocketRoute>();
  let isCut = false;
  await page.routeWebSocket(/\/ws/, (socket) => {
    if (isCut) {
      void socket.close({ code: 1012, reason: 'cut' });
      return;
    }
    open.add(socket);
    const server = socket.connectToServer();
    socket.onClose((code, reason) => {
      open.delete(socket);
      void server.close(plain(code, reason));
    });
    server.onClose((code, reason) => {
      open.delete(socket);
      void socket.close(plain(code, reason));
    });
  });
  return {
    async cut() {
      isCut = true;
      const closing = [...open];
      open.clear();
      await Promise.all(closing.map((socket) => socket.close({ code: 1012, reason: 'cut' })));
    },
    mend() {
      isCut = false;
    },
  };
}

/** Codes below 3000, but for 1000, are the protocol's own: a page may not send them. */
function plain(code: number | undefined, reason: string | undefined) {
  return { code: code === undefined || code < 3_000 ? 1_000 : code, reason: reason ?? '' };
}
