/**
 * Gate between the listening socket and the HTTP parser: a connection is parsed once its user is known. Bytes that
 * arrive before that wait in the connection's own small buffer.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type PeerStanding, rememberStanding } from '../call/peer-standing.ts';
import { rawAnswer } from './raw-answer.ts';

/** Check of the user behind a connection. Implemented in system/peer-check.ts. */
export interface PeerCheck {
  /** null: the connection must be refused. Never rejects. */
  admit(socket: Socket): Promise<PeerStanding | null>;
  /** From this call on, the peer table is read without blocking the event loop. */
  readAside(): void;
  close(): void;
}

const REFUSED = rawAnswer(
  403,
  'Connections of other users of this computer are refused (settings: allowUser, and peerCheck=off where a forward hides the user)',
);
/** Time for which a refused client's connection stays open, so that it can read the refusal. */
const PARTING_MS = 1_000;

/**
 * Call before other connection listeners are added: the listeners present at the call are taken for the HTTP parser.
 * @param waiting connections that are neither admitted nor refused yet
 */
export function gateConnections(server: Server, check: PeerCheck, waiting: Set<Promise<void>>): void {
  const parse = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const ignore = () => undefined;
    socket.on('error', ignore);
    const looked = check.admit(socket).then((standing) => {
      waiting.delete(looked);
      if (socket.destroyed) return;
      if (standing === null) return part(socket);
      rememberStanding(socket, standing);
      socket.off('error', ignore);
      for (const begin of parse) begin.call(server, socket);
    });
    waiting.add(looked);
  });
}

/**
 * Refuses a connection. Its bytes are read and dropped, because closing with unread bytes would reset the connection
 * before the refusal has arrived.
 */
function part(socket: Socket): void {
  const cut = setTimeout(() => socket.destroy(), PARTING_MS);
  socket.once('close', () => clearTimeout(cut));
  socket.once('end', () => socket.destroy());
  socket.resume();
  socket.end(REFUSED);
}
