/**
 * The places for connections: fewer than the process may have open files, a part of them kept back for callers with a
 * credential, and none for a client that sends requests and does not read the answers.
 *
 * A caller's credential is known only when a request has been read, so a new connection always gets a place: when the
 * connections without a credential exceed their share, the oldest of them are closed, silent ones first. New
 * connections have two turns of the event loop to show a credential before that, unless no place is left at all.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isTrustedSocket } from '../call/trusted-sockets.ts';

/** File descriptors reserved for the database, log, paper files, venue connections and the runtime itself. */
const FILES_KEPT = 64;
const MOST_PLACES = 8_192;
const FEWEST_PLACES = 32;
/** Limit assumed where the operating system does not report one. */
const USUAL_DESCRIPTORS = 1_024;
/** Maximum time that answers may stay unread; then the connection is closed. */
const STALL_LIMIT_MS = 15_000;
const STALL_LOOK_MS = 3_000;

interface Places {
  readonly all: number;
  /** Places that callers without a credential may use: three quarters of all. */
  readonly anonymous: number;
}

/** Open files that the process may have (`ulimit -n`); Node has raised the soft limit to the hard one by now. */
function descriptorLimit(): number {
  if (process.platform !== 'linux') return process.platform === 'win32' ? MOST_PLACES * 2 : USUAL_DESCRIPTORS;
  try {
    const [, soft] =
      /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined || soft === 'unlimited' ? USUAL_DESCRIPTORS : Number(soft);
  } catch {
    return USUAL_DESCRIPTORS;
  }
}

export function placesWithin(descriptors: number): Places {
  const all = Math.min(MOST_PLACES, Math.max(FEWEST_PLACES, descriptors - FILES_KEPT));
  return { all, anonymous: Math.floor((all * 3) / 4) };
}

interface Unread {
  /** Bytes of unsent answers that Node holds; an answer counts whole until its last byte has gone. */
  readonly held: number;
  /** Bytes of the current write that the operating system has not taken yet. */
  readonly queued: number;
}

/** Unread answers of a connection; null: no answer waits. */
function unreadOf(socket: Socket): Unread | null {
  const held = socket.writableLength;
  if (held === 0) return null;
  const handle: unknown = Reflect.get(socket, '_handle');
  const queued = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return { held, queued: typeof queued === 'number' ? queued : 0 };
}

interface ConnectionPlaces {
  enter(socket: Socket): void;
  /** Marks the connection as a WebSocket: one with a credential is limited by `realtime/` instead. */
  upgraded(socket: Duplex): void;
  close(): void;
}

export interface PlacesOptions {
  readonly places?: Places;
  readonly stallLimitMs?: number;
  readonly stallLookMs?: number;
}

export function createConnectionPlaces({
  places = placesWithin(descriptorLimit()),
  stallLimitMs = STALL_LIMIT_MS,
  stallLookMs = STALL_LOOK_MS,
}: PlacesOptions = {}): ConnectionPlaces & { readonly places: Places } {
  const sockets = new Set<Socket>();
  /**
   * Connections in order of arrival. Those that have shown a credential meanwhile are removed when a place is needed.
   */
  const anonymous = new Set<Socket>();
  const webSockets = new WeakSet<Duplex>();
  const stalled = new Map<Socket, Unread & { readonly since: number }>();
  let look: NodeJS.Timeout | undefined;
  let isRoomAsked = false;

  function makeRoom(): void {
    for (const socket of anonymous) if (isTrustedSocket(socket)) anonymous.delete(socket);
    for (const isSpared of [(socket: Socket) => socket.bytesRead > 0, () => false])
      for (const oldest of anonymous) {
        if (anonymous.size <= places.anonymous) return;
        if (isSpared(oldest)) continue;
        anonymous.delete(oldest);
        oldest.destroy();
      }
  }

  function askForRoom(): void {
    if (anonymous.size <= places.anonymous) return;
    // One place is kept free for the next connection.
    if (sockets.size >= places.all - 1) {
      makeRoom();
      return;
    }
    if (isRoomAsked) return;
    isRoomAsked = true;
    setImmediate(() =>
      setImmediate(() => {
        isRoomAsked = false;
        makeRoom();
      }),
    );
  }

  /** Closes connections whose answers stay unread, by real time: sockets ignore the gateway's clock. */
  function cutStalled(): void {
    const now = performance.now();
    for (const socket of sockets) {
      const unread = unreadOf(socket);
      if (unread === null || (webSockets.has(socket) && isTrustedSocket(socket))) {
        stalled.delete(socket);
        continue;
      }
      const before = stalled.get(socket);
      const reads = before === undefined || unread.held < before.held || unread.queued < before.queued;
      const since = reads ? now : before.since;
      if (now - since >= stallLimitMs) socket.destroy();
      else stalled.set(socket, { ...unread, since });
    }
  }

  return {
    places,
    enter(socket) {
      look ??= setInterval(cutStalled, stallLookMs).unref();
      sockets.add(socket);
      anonymous.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        anonymous.delete(socket);
        stalled.delete(socket);
      });
      askForRoom();
    },
    upgraded(socket) {
      webSockets.add(socket);
    },
    close() {
      clearInterval(look);
    },
  };
}
