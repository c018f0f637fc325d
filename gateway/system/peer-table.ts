/**
 * User at the other end of a loopback connection: on Linux `/proc/net/tcp` and `tcp6` have a row with the user for
 * each end of a connection. The files are read outside the event loop, one reading for all waiting look-ups. Only
 * while the gateway starts are they read on the event loop itself: starting a thread would take five times as long,
 * and the loop has nothing else to do.
 */
import { closeSync, openSync, read, readSync } from 'node:fs';
import { endianness } from 'node:os';

/** Addresses of both ends of a connection, as the accepted socket gives them. */
export interface LoopbackConnection {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
}

export type PeerOwner =
  | { readonly kind: 'user'; readonly uid: number }
  /** The peer's end is not on this machine, or was closed before the table was read. */
  | { readonly kind: 'nobody' }
  /** The system's table of connections does not even list the gateway's own port, so it cannot identify the peer. */
  | { readonly kind: 'untold' };

export interface PeerTable {
  /** User at the peer's end. Call once the connection is accepted: its row exists by then. Never rejects. */
  ownerOf(connection: LoopbackConnection): Promise<PeerOwner>;
  /** From this call on, reading the table no longer blocks the event loop. */
  readAside(): void;
  close(): void;
}

const NOBODY: PeerOwner = { kind: 'nobody' };
const UNTOLD: PeerOwner = { kind: 'untold' };
/** Size of a read; the kernel hands out the table a page at a time, in whole rows. */
const CHUNK_BYTES = 64 * 1024;
/**
 * Number of readings of the table before a row counts as missing: it can slip between two pages while earlier rows
 * disappear.
 */
const READINGS = 2;
const NO_PEER = { v4: '00000000:0000', v6: `${'0'.repeat(32)}:0000` };
const LISTENING = '0A';

interface Ends {
  /**
   * The peer's end of the connection as the table writes it. In the peer's own row it is the local end, and `own` is
   * the remote end.
   */
  readonly peer: string;
  readonly own: string;
}

interface Question {
  /** Both ends as `/proc/net/tcp` writes them; null: not an IPv4 connection. */
  readonly v4: Ends | null;
  /** Both ends as `/proc/net/tcp6` writes them, which also lists IPv4 connections of dual-stack sockets. */
  readonly v6: Ends;
  readonly answer: (owner: PeerOwner) => void;
  readings: number;
}

/** null: the system is not Linux, or does not let the table be read. */
export function openPeerTable(): PeerTable | null {
  if (process.platform !== 'linux') return null;
  // The files stay open, because they could not be reopened if the process had run out of file descriptors.
  const v4 = openTable('/proc/net/tcp');
  if (v4 === null) return null;
  const v6 = openTable('/proc/net/tcp6');
  let waiting: Question[] = [];
  let isReading = false;
  let isClosed = false;
  let isAside = false;
  /**
   * The gateway's own addresses that the table lists as listening: it can then be trusted about their connections.
   */
  const told = new Set<string>();

  async function readings(): Promise<void> {
    isReading = true;
    while (waiting.length > 0 && !isClosed) {
      const batch = waiting;
      waiting = [];
      await answerAll(batch);
    }
    isReading = false;
    if (isClosed) closeFiles();
  }

  function closeFiles(): void {
    for (const { answer } of waiting.splice(0)) answer(NOBODY);
    for (const fd of [v4, v6]) if (fd !== null) closeSync(fd);
  }

  async function answerAll(batch: readonly Question[]): Promise<void> {
    let open = await lookUp(v4, batch, (question) => question.v4, NO_PEER.v4);
    if (v6 !== null) open = await lookUp(v6, open, (question) => question.v6, NO_PEER.v6);
    for (const question of open) {
      question.readings += 1;
      if (question.readings < READINGS) waiting.push(question);
      else question.answer(told.has(question.v4?.own ?? question.v6.own) ? NOBODY : UNTOLD);
    }
  }

  /** Answers look-ups from one table. Returns those for which the table has no row. */
  async function lookUp(
    fd: number | null,
    questions: readonly Question[],
    endsOf: (question: Question) => Ends | null,
    noPeer: string,
  ): Promise<readonly Question[]> {
    const open = new Map<string, Question>();
    const owns = new Set<string>();
    for (const question of questions) {
      const ends = endsOf(question);
      if (ends === null) continue;
      open.set(`${ends.peer} ${ends.own}`, question);
      owns.add(ends.own);
    }
    if (fd === null || open.size === 0) return questions;
    const answered = new Set<Question>();
    await eachChunk(fd, isAside ? readAt : readNow, (text) => {
      for (const own of owns) {
        if (!told.has(own) && text.includes(` ${own} ${noPeer} ${LISTENING} `)) told.add(own);
        for (let at = text.indexOf(` ${own} `); at >= 0; at = text.indexOf(` ${own} `, at + 1)) {
          const key = `${text.slice(at - own.length, at)} ${own}`;
          const question = open.get(key);
          if (question === undefined) continue;
          open.delete(key);
          answered.add(question);
          question.answer(ownerIn(text, at + own.length + 2));
        }
      }
      return open.size > 0;
    });
    return questions.filter((question) => !answered.has(question));
  }

  return {
    ownerOf: (connection) =>
      new Promise((answer) => {
        const question = questionOf(connection, answer);
        if (question === null || isClosed) return answer(NOBODY);
        waiting.push(question);
        if (!isReading) void readings();
      }),
    readAside() {
      isAside = true;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      // The files are not closed during a reading, because the descriptor of a closed file may soon belong to another
      // file.
      if (!isReading) closeFiles();
    },
  };
}

function openTable(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch {
    return null;
  }
}

/** Passes whole rows to `use`, which returns whether it wants more. A read error counts as the end of the table. */
async function eachChunk(
  fd: number,
  readInto: (fd: number, chunk: Buffer, position: number) => Promise<number> | number,
  use: (text: string) => boolean,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest = '';
  for (let position = 0; ; ) {
    const size = await readInto(fd, chunk, position);
    if (size === 0) return;
    position += size;
    const text = rest + chunk.toString('latin1', 0, size);
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (!use(text.slice(0, end))) return;
  }
}

function readAt(fd: number, chunk: Buffer, position: number): Promise<number> {
  return new Promise((resolve) => {
    read(fd, chunk, 0, chunk.byteLength, position, (error, size) => resolve(error === null ? size : 0));
  });
}

function readNow(fd: number, chunk: Buffer, position: number): number {
  try {
    return readSync(fd, chunk, 0, chunk.byteLength, position);
  } catch {
    return 0;
  }
}

/** @param at where the row goes on after its two ends: `st tx:rx tr:when retrnsmt uid timeout inode` */
function ownerIn(text: string, at: number): PeerOwner {
  const [, , , , uid, , inode] = text
    .slice(at - 1, text.indexOf('\n', at))
    .trim()
    .split(/\s+/);
  // A closed end belongs to nobody: its row says user 0 or, from Linux 6.17 on, its former user.
  if (uid === undefined || inode === undefined || (uid === '0' && inode === '0')) return NOBODY;
  return { kind: 'user', uid: Number(uid) };
}

function questionOf(connection: LoopbackConnection, answer: Question['answer']): Question | null {
  const { remoteAddress, remotePort, localAddress, localPort } = connection;
  // Addresses are undefined when the connection has ended already.
  if (!remoteAddress || !localAddress || remotePort === undefined || localPort === undefined) return null;
  const peer = addressWords(remoteAddress);
  const own = addressWords(localAddress);
  if (peer === null || own === null || peer.length !== own.length) return null;
  const ends = (prefix: string): Ends => ({
    peer: `${prefix}${peer}:${portDigits(remotePort)}`,
    own: `${prefix}${own}:${portDigits(localPort)}`,
  });
  const isV4 = peer.length === 8;
  return { v4: isV4 ? ends('') : null, v6: ends(isV4 ? mappedPrefix() : ''), answer, readings: 0 };
}

/** An address in words of the machine's byte order (`127.0.0.1` is `0100007F` on most). null: an unknown format. */
function addressWords(address: string): string | null {
  if (address === '::1') return `${'0'.repeat(24)}${word([0, 0, 0, 1])}`;
  const parts = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number);
  return parts.length === 4 && parts.every((part) => part >= 0 && part <= 255) ? word(parts) : null;
}

/** The prefix `::ffff:`, which marks an IPv4 address in an IPv6 socket, as the table writes it. */
function mappedPrefix(): string {
  return `${'0'.repeat(16)}${word([0, 0, 255, 255])}`;
}

function word(bytes: readonly number[]): string {
  const ordered = endianness() === 'LE' ? bytes.toReversed() : bytes;
  return ordered
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

function portDigits(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
