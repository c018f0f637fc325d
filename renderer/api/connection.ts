/** Whether the stream of the dashboard is connected, learnt from its WebSocket: the client library reconnects in silence. */
import { create } from 'zustand';

export type ConnectionState = 'connecting' | 'live' | 'lost';

interface ConnectionFacts {
  readonly state: ConnectionState;
  /** When the gateway was last heard, epoch ms; everything shown is at least as old as this while it is lost. */
  readonly heardAt: number;
}

export const useConnectionFacts = create<ConnectionFacts>(() => ({
  state: 'connecting',
  heardAt: Date.now(),
}));

let heardAt = Date.now();
/** Sockets that stand; a closing one of an account that was left must not count as a lost connection. */
const standing = new Set<WebSocket>();

export function lastHeard(): number {
  return heardAt;
}

/** A WebSocket that tells of its state. The gateway answers a ping every 15 s, so silence says something too. */
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
