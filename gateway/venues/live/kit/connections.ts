/**
 * Connections to one host, kept open between requests. A request gets its connection only after the connection stands
 * (TLS included), so any earlier failure proves that it never left this machine.
 */
import { type ClientRequest, Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../../engine/ports/system.ts';

export interface ConnectionsOptions {
  readonly secure: boolean;
  readonly clock: Clock;
  readonly connectTimeoutMs: number;
  /** Certificates that are trusted instead of the machine's: for venues that run on loopback in tests. */
  readonly ca?: string;
  /** Sees the bytes of every request as they are handed to the connection, before encryption. */
  readonly tap?: (bytes: Buffer) => void;
}

export interface Connections {
  readonly agent: PlainAgent;
  /** Number of connections made since the beginning. */
  readonly made: number;
  /** Number of connections that wait for a request. */
  readonly idle: number;
  /**
   * Closes connections that have waited for `idleMs` or longer. True: one was closed just now, and the agent hears of
   * it only in this turn of the event loop; a request of the next turn is safe from it.
   */
  retire(idleMs: number): boolean;
  /** Closes all connections, also those in use. */
  close(): void;
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { clock } = options;
  // The last used connection is used next: its server is least likely to have closed it.
  const settings = { keepAlive: true, scheduling: 'lifo', noDelay: true } as const;
  const agent: PlainAgent = options.secure
    ? new TlsAgent({ ...settings, ...(options.ca === undefined ? {} : { ca: options.ca }) })
    : new PlainAgent(settings);
  const idleSince = new Map<Duplex, number>();
  const open = new Set<Duplex>();
  let made = 0;
  let closedThisTurn = false;

  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (target, ready) => {
    const socket = connect(target);
    if (!socket) throw new Error('the agent of node:http makes its connections at once');
    open.add(socket);
    let told = false;
    const tell = (error: Error | null) => {
      if (told) return;
      told = true;
      cancel();
      ready?.(error, socket);
    };
    const cancel = clock.after(options.connectTimeoutMs, () => {
      tell(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
      socket.destroy();
    });
    socket.once(options.secure ? 'secureConnect' : 'connect', () => {
      made += 1;
      if (options.tap) listenIn(socket, options.tap);
      tell(null);
    });
    // The listener stays for ever: between two requests there may be no other, and an unheard error ends the process.
    socket.on('error', tell);
    socket.once('close', () => {
      idleSince.delete(socket);
      open.delete(socket);
      tell(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    });
    return undefined;
  };

  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket: Duplex) => {
    idleSince.set(socket, clock.uptime());
    // The answer counts although its type says void: false closes the connection.
    return keep(socket);
  };
  const reuse = agent.reuseSocket.bind(agent);
  agent.reuseSocket = (socket: Duplex, request: ClientRequest) => {
    idleSince.delete(socket);
    reuse(socket, request);
  };

  return {
    agent,
    get made() {
      return made;
    },
    get idle() {
      return idleSince.size;
    },
    retire(idleMs) {
      const oldest = clock.uptime() - idleMs;
      for (const [socket, since] of idleSince) {
        if (since > oldest) continue;
        idleSince.delete(socket);
        socket.destroy();
        if (closedThisTurn) continue;
        closedThisTurn = true;
        setImmediate(() => {
          closedThisTurn = false;
        });
      }
      return closedThisTurn;
    },
    close() {
      for (const socket of open) socket.destroy();
      agent.destroy();
    },
  };
}

function listenIn(socket: Duplex, tap: (bytes: Buffer) => void): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (...args: unknown[]) => {
    const [chunk, encoding] = args;
    if (typeof chunk === 'string') {
      tap(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    } else if (chunk instanceof Uint8Array) tap(Buffer.from(chunk));
    return write(...args);
  };
}
