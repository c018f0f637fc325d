/** Connection state of the dashboard's stream, from its WebSocket: the client library reconnects silently. */
import { create } from 'zustand';

export type ConnectionState = 'connecting' | 'live' | 'lost';

const useFacts = create<{ readonly state: ConnectionState }>(() => ({ state: 'connecting' }));

/** Epoch ms of the gateway's last message; while the connection is lost, all shown data are at least as old. */
let heardAt = Date.now();
let cutAt = Date.now();
/** Open sockets; the closing socket of an account that was switched away from is not a lost connection. */
const standing = new Set<WebSocket>();

export function lastHeard(): number {
  return heardAt;
}

/** Epoch ms since which there has been no connection; means nothing while there is one. */
export function cutSince(): number {
  return cutAt;
}

/**
 * A WebSocket that reports its state. The gateway answers a ping every 15 s, so silence is a sign of a lost
 * connection.
 */
export class WatchedSocket extends WebSocket {
  constructor(url: string) {
    super(url);
    this.addEventListener('open', () => {
      heardAt = Date.now();
      standing.add(this);
      useFacts.setState({ state: 'live' });
    });
    this.addEventListener('message', () => {
      heardAt = Date.now();
    });
    this.addEventListener('close', () => {
      standing.delete(this);
      if (standing.size > 0) return;
      // Each attempt to connect again ends here too.
      if (useFacts.getState().state === 'live') cutAt = Date.now();
      useFacts.setState({ state: 'lost' });
    });
  }
}

export function useConnection(): ConnectionState {
  return useFacts((facts) => facts.state);
}
