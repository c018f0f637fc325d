/** Whether the stream of the dashboard is connected, learnt from its WebSocket: the client library reconnects in silence. */
import { create } from 'zustand';

export type ConnectionState = 'connecting' | 'live' | 'lost';

interface ConnectionFacts {
  readonly state: ConnectionState;
  /** Epoch ms of the gateway's last message; while the connection is lost, all shown data are at least as old. */
  readonly heardAt: number;
}

export const useConnectionFacts = create<ConnectionFacts>(() => ({
  state: 'connecting',
  heardAt: Date.now(),
}));

let heardAt = Date.now();
/** Open sockets; the closing socket of an account that was switched away from is not a lost connection. */
const standing = new Set<WebSocket>();

export function lastHeard(): number {
  return heardAt;
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
      useConnectionFacts.setState({ state: 'live', heardAt });
    });
    this.addEventListener('message', () => {
      heardAt = Date.now();
    });
    this.addEventListener('close', () => {
      standing.delete(this);
      if (standing.size === 0) useConnectionFacts.setState({ state: 'lost', heardAt });
    });
  }
}

export function useConnection(): ConnectionState {
  return useConnectionFacts((facts) => facts.state);
}
