/** A network that loses what it is told to: connections that break, answers that never come. The gateway behind is real. */
import { WebSocket } from 'ws';

export interface LossyNetwork {
  readonly fetch: typeof fetch;
  readonly WebSocket: new (url: string) => WebSocket;
  /** Sets the fates of the next requests whose method and path fit, in turn. Afterwards all arrive. */
  lose(fits: RegExp, ...fates: Fate[]): void;
  /** Breaks every WebSocket that stands, without a closing handshake. */
  cut(): void;
  /** Method and path of every request that was made, lost ones too. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Resolves when so many requests were made. */
  requested(count: number): Promise<void>;
  /** Resolves when so many WebSockets were made. */
  connecting(count: number): Promise<void>;
}

/**
 * `request`: it never reaches the gateway. `answer`: the gateway acts, and nobody hears. `silence`: no answer, no end.
 * `failure`: the gateway acts, and what is heard is a failure of its own.
 */
export type Fate = 'request' | 'answer' | 'silence' | 'failure';

const FAILURE = { message: 'Storage failed', errorCode: 'DATABASE_ERROR', details: {}, timestamp: '' };

export function lossyNetwork(): LossyNetwork {
  const fates: { readonly fits: RegExp; readonly fate: Fate }[] = [];
  const requests: string[] = [];
  const sockets: WebSocket[] = [];
  const looks = new Set<() => void>();
  const reaches = (all: readonly unknown[], count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (all.length >= count) resolve();
      };
      looks.add(look);
      look();
    });
  const lookAgain = () => {
    for (const look of looks) look();
  };

  class Watched extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
      lookAgain();
    }
  }

  const lossy: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const name = `${init?.method ?? 'GET'} ${pathname}`;
    requests.push(name);
    lookAgain();
    const index = fates.findIndex(({ fits }) => fits.test(name));
    const fate = index < 0 ? undefined : fates.splice(index, 1)[0]?.fate;
    if (fate === 'request') throw new TypeError('fetch failed');
    const response = await fetch(input, init);
    if (fate === undefined) return response;
    await response.arrayBuffer();
    if (fate === 'failure') return Response.json(FAILURE, { status: 500 });
    if (fate === 'answer') throw new TypeError('fetch failed');
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  };

  return {
    fetch: lossy,
    WebSocket: Watched,
    lose(fits, ...next) {
      fates.push(...next.map((fate) => ({ fits, fate })));
    },
    cut() {
      for (const socket of sockets) socket.terminate();
    },
    requests,
    get connections() {
      return sockets.length;
    },
    requested: (count) => reaches(requests, count),
    connecting: (count) => reaches(sockets, count),
  };
}
