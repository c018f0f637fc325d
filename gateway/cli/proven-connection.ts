/**
 * Connections on which a key or a password may be sent: to the Unix socket of the gateway, which only its user can
 * open, or to its port after the program there has proved, on that very connection, to know the token in the lock of
 * the data folder, and is of this user. A port alone proves nothing: while no gateway runs, any program of any
 * user can have it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Agent, type AgentOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { CHALLENGE_HEADER, PROOF_HEADER, provenText } from '../contract/shell-identity.ts';
import type { Clock } from '../engine/ports/system.ts';
import { openPeerTable } from '../system/peer-table.ts';
import { CliError } from './cli-error.ts';

export interface ProvenPlace {
  readonly host: string;
  readonly port: number;
  /** Token in the gateway's lock; null: there is no gateway that could prove itself. */
  readonly nonce: string | null;
  /** null: the gateway has no Unix socket. */
  readonly socketPath: string | null;
  /** Message for a program that has not proved itself: one sentence. */
  readonly refusal: string;
}

/** `silent`: nothing answers, or nothing has come in time. `refuted`: another program answers. */
export type Proof = 'proven' | 'refuted' | 'silent';

const PATIENCE_MS = 5_000;
const MAX_HEAD_BYTES = 16 * 1024;

/** Agent whose connections are proven before their first request. */
export function provenAgent(place: ProvenPlace, maxSockets = 8): Agent {
  return new ProvenAgent(place, { keepAlive: true, maxSockets });
}

class ProvenAgent extends Agent {
  readonly #place: ProvenPlace;
  constructor(place: ProvenPlace, options: AgentOptions) {
    super(options);
    this.#place = place;
  }
  // Nothing is returned, so Node takes the connection from the callback.
  override createConnection(
    _options: unknown,
    done?: (error: Error | null, socket: Socket) => void,
  ): undefined {
    connectProven(this.#place).then(
      (socket) => done?.(null, socket),
      (error: Error) => done?.(error, undefined as unknown as Socket),
    );
    return undefined;
  }
}

async function connectProven(place: ProvenPlace): Promise<Socket> {
  const { socketPath, host, port, nonce, refusal } = place;
  if (socketPath !== null && isOwnFolder(dirname(socketPath))) {
    const local = await opened({ path: socketPath }).catch(() => null);
    if (local !== null) return local;
  }
  const socket = await opened({ host, port });
  if (nonce !== null && (await proofOn(socket, place, nonce)) === 'proven') {
    // Once it has answered, because a connection that nobody has accepted yet belongs to no user.
    if (await isOfThisUser(socket)) return socket;
    socket.destroy();
    throw new CliError(
      `the program at ${host}:${port} belongs to another user of this machine, so nothing was sent: the lock of the data folder is not your gateway's`,
    );
  }
  socket.destroy();
  throw new CliError(refusal);
}

/** Asks the program at a gateway's port to prove the token of the gateway's lock, over a connection that is then closed. */
export async function askForProof(
  place: Pick<ProvenPlace, 'host' | 'port'>,
  nonce: string,
  clock: Clock,
): Promise<Proof> {
  const { host, port } = place;
  const socket = connect({ host, port, noDelay: true });
  socket.on('error', () => undefined);
  // A frozen program's connections are taken by the system, or by nobody once its queue is full.
  const cancel = clock.after(PATIENCE_MS, () => socket.destroy(new Error('no answer')));
  try {
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    const proof = isConnected ? await proofOn(socket, place, nonce) : 'silent';
    return proof === 'proven' && !(await isOfThisUser(socket)) ? 'refuted' : proof;
  } finally {
    cancel();
    socket.destroy();
  }
}

/** True too where the system does not tell users of connections. A token alone can have been written into the lock by somebody else. */
async function isOfThisUser(socket: Socket): Promise<boolean> {
  const uid = process.getuid?.();
  const table = uid === undefined ? null : openPeerTable();
  if (table === null) return true;
  try {
    const owner = await table.ownerOf(socket);
    return owner.kind === 'untold' || (owner.kind === 'user' && owner.uid === uid);
  } finally {
    table.close();
  }
}

function opened(place: { readonly path: string } | { readonly host: string; readonly port: number }) {
  return new Promise<Socket>((resolve, reject) => {
    const socket = connect({ ...place, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** True: only this user can have created a socket in the folder. */
function isOwnFolder(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

/** Asks for the proof on the connection itself, which stays usable: the answer is read to its end. */
async function proofOn(
  socket: Socket,
  { host, port }: Pick<ProvenPlace, 'host' | 'port'>,
  nonce: string,
): Promise<Proof> {
  const challenge = randomBytes(32).toString('hex');
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  socket.write(`GET /health HTTP/1.1\r\nhost: ${authority}\r\n${CHALLENGE_HEADER}: ${challenge}\r\n\r\n`);
  const head = await answerHead(socket);
  if (head === null) return 'silent';
  const proof = Buffer.from(new RegExp(`^${PROOF_HEADER}: ([0-9a-f]{64})\r?$`, 'im').exec(head)?.[1] ?? '');
  const expected = Buffer.from(createHmac('sha256', nonce).update(provenText(challenge, port)).digest('hex'));
  return proof.length === expected.length && timingSafeEqual(proof, expected) ? 'proven' : 'refuted';
}

/** Head of the answer; empty: no whole answer came in time; null: not a byte of one. */
function answerHead(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (head: string | null) => {
      clearTimeout(patience);
      socket.off('data', take);
      socket.off('error', fail);
      socket.off('close', fail);
      resolve(head);
    };
    const fail = () => finish(text === '' ? null : '');
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) {
        if (text.length > MAX_HEAD_BYTES) fail();
        return;
      }
      const head = text.slice(0, end);
      const length = Number(/^content-length: (\d{1,6})\r?$/im.exec(head)?.[1] ?? Number.NaN);
      const received = text.length - end - 4;
      if (received === length) finish(head);
      // An answer without a length, or longer than announced, is not from the gateway.
      else if (!(received < length) || length > MAX_HEAD_BYTES) fail();
    };
    const patience = setTimeout(fail, PATIENCE_MS);
    socket.on('data', take);
    socket.on('error', fail);
    socket.on('close', fail);
  });
}
