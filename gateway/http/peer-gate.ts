/**
 * Between the listening socket and the HTTP parser: a connection is parsed once it is known whose it is. What it sends
 * meanwhile waits in its own small buffer.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type PeerStanding, rememberStanding } from './peer-standing.ts';
import { rawAnswer } from './raw-answer.ts';

/** Implemented in system/peer-check.ts. */
export interface PeerCheck {
  /** null: not to be served. Never rejects. */
  admit(socket: Socket): Promise<PeerStanding | null>;
  /** From now on the event loop has other work, and is not held for a look. */
  readAside(): void;
  close(): void;
}

const REFUSED = rawAnswer(
  403,
  'Connections of other users of this computer are refused (settings: allowUser, and peerCheck=off where a forward hides the user)',
);
/** For reading the refusal. */
const PARTING_MS = 1_000;

/**
 * Before any listener for connections of one's own is added: those on `server` now are its parser.
 * @param waiting who has not been let in or sent away yet
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

/** What was sent is taken and dropped: a connection that is cut with bytes unread loses the answer as well. */
function part(socket: Socket): void {
  const cut = setTimeout(() => socket.destroy(), PARTING_MS);
  socket.once('close', () => clearTimeout(cut));
  socket.once('end', () => socket.destroy());
  socket.resume();
  socket.end(REFUSED);
}
