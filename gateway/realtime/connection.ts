/** One client's socket: its messages, its backlog of unread data, and its heartbeat. It knows no channels. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';

/**
 * Bytes not yet read by the client above which public updates are left out; a snapshot follows once it has caught up.
 */
export const CONGESTED_BYTES = 64 * 1024;
/** Bytes not yet read by the client above which it is closed with 1013 "try again later". */
export const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
/** Pings without an answer after which the peer counts as gone. */
const MAX_MISSES = 2;
/**
 * Time for which a refused client's connection stays open so that it can read the reason. Real time: sockets ignore the
 * gateway's clock.
 */
const REFUSAL_GRACE_MS = 1_000;

export interface ConnectionEvents {
  /** Called when the client is about to be closed because it does not read. */
  readonly slow: () => void;
  /** Called once, when the connection has ended. */
  readonly ended: () => void;
}

export class Connection {
  readonly socket: Duplex;
  readonly #ws: WebSocket;
  readonly #onDrained = new Set<() => void>();
  readonly #events: ConnectionEvents;
  #open = true;
  #awaitingPong = false;
  #misses = 0;

  constructor(ws: WebSocket, socket: Duplex, events: ConnectionEvents) {
    this.#ws = ws;
    this.socket = socket;
    this.#events = events;
    ws.on('pong', () => this.heard());
    ws.on('close', () => this.#end());
    socket.on('drain', () => this.#drained());
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get isCongested(): boolean {
    return this.#ws.bufferedAmount > CONGESTED_BYTES;
  }

  /** Sends the frame, in order. A client that lets more than 8 MiB pile up is closed. */
  send(frame: Buffer): void {
    if (!this.#open) return;
    this.#ws.send(frame, { binary: false });
    if (this.#ws.bufferedAmount > MAX_BUFFERED_BYTES) {
      this.#events.slow();
      this.close(1013, 'Client reads too slowly');
    }
  }

  /**
   * Calls `run` once: immediately if the connection is not congested, else when all written data has left or the
   * connection ends.
   */
  onceDrained(run: () => void): void {
    if (this.#open && this.isCongested) this.#onDrained.add(run);
    else run();
  }

  drained(): Promise<void> {
    return new Promise((resolve) => this.onceDrained(resolve));
  }

  /** To be called when data has arrived: the peer is alive. */
  heard(): void {
    this.#awaitingPong = false;
    this.#misses = 0;
  }

  /** Sends a ping, or counts a missing answer; called at the heartbeat interval. */
  beat(): void {
    if (this.#awaitingPong) {
      this.#misses += 1;
      if (this.#misses >= MAX_MISSES) {
        this.terminate();
        return;
      }
    }
    this.#awaitingPong = true;
    if (this.#open) this.#ws.ping();
  }

  /** Stops reading, so that a client cannot pile up requests while one of them is being worked on. */
  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason);
    this.#end();
  }

  /** Closes the connection without reading further messages, not even those that have arrived. */
  refuse(code: number, reason: string): void {
    this.close(code, reason);
    this.#ws.pause();
    setTimeout(() => this.#ws.terminate(), REFUSAL_GRACE_MS).unref();
  }

  terminate(): void {
    this.#ws.terminate();
    this.#end();
  }

  #drained(): void {
    const waiting = [...this.#onDrained];
    this.#onDrained.clear();
    for (const run of waiting) run();
  }

  #end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#drained();
    this.#events.ended();
  }
}
