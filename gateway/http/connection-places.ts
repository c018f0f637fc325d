/**
 * The places for connections: fewer than the process may have open files, a part of them kept back for callers with a
 * credential, and none for a client that asks and does not read.
 *
 * Who is calling is known only when a request has been read, so a newcomer always gets a place: where callers without a
 * credential have used up theirs, the oldest of them makes room, those that have said nothing before those that have. Newcomers
 * are given two turns of the event loop to be heard first, unless there is no place left at all.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isTrustedSocket } from './trusted-sockets.ts';

/** Database, log, paper files, venue connections and what the runtime itself keeps open. */
const FILES_KEPT = 64;
const MOST_PLACES = 8_192;
const FEWEST_PLACES = 32;
/** Where the system does not say. */
const USUAL_DESCRIPTORS = 1_024;
/** Answers wait unread for so long at most. */
const STALL_LIMIT_MS = 15_000;
const STALL_LOOK_MS = 3_000;

interface Places {
  readonly all: number;
  /** Of them for callers without a credential: three quarters. */
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
  /** Bytes that node holds: whole answers, until their last byte has gone. */
  readonly held: number;
  /** Bytes of the present write that the system has not taken yet. */
  readonly queued: number;
}

/** null: nothing waits. */
function unreadOf(socket: Socket): Unread | null {
  const held = socket.writableLength;
  if (held === 0) return null;
  const handle: unknown = Reflect.get(socket, '_handle');
  const queued = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0;
  return { held, queued: typeof queued === 'number' ? queued : 0 };
}

interface ConnectionPlaces {
  enter(socket: Socket): void;
  /** The connection is a WebSocket now: with a credential it has rules of its own (`realtime/`). */
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
  /** In the order of their coming; those that have shown a credential meanwhile are taken out when a place is needed. */
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
    // One place is kept free for whoever comes next.
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

  /** Sockets live in real time, whatever clock the gateway runs on. */
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
