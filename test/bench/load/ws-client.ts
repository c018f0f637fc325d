/**
 * A WebSocket client that does as little as can be: it finds the frames in what arrives and hands over the payload bytes.
 * Five hundred of them have to cost less than the server that feeds them.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export interface WsHandlers {
  /** A whole text message. The bytes are valid until the function returns. */
  readonly message: (payload: Buffer) => void;
  readonly closed: () => void;
}

export class WsClient {
  readonly #socket: Socket;
  readonly #handlers: WsHandlers;
  #partial: Buffer | null = null;

  private constructor(socket: Socket, handlers: WsHandlers, first: Buffer) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => handlers.closed());
    if (first.length > 0) this.#receive(first);
  }

  /** Resolves when the server has agreed to the upgrade; rejects with its status line otherwise. */
  static open(port: number, path: string, handlers: WsHandlers): Promise<WsClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      let head = Buffer.alloc(0);
      const onHead = (chunk: Buffer): void => {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf(HEAD_END);
        if (end === -1) return;
        socket.off('data', onHead);
        socket.off('error', reject);
        if (head.toString('latin1', 9, 12) === '101') {
          resolve(new WsClient(socket, handlers, head.subarray(end + HEAD_END.length)));
          return;
        }
        socket.destroy();
        reject(new Error(`no upgrade: ${head.toString('latin1', 0, head.indexOf('\r\n'))}`));
      };
      socket.once('error', reject);
      socket.on('data', onHead);
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      );
    });
  }

  send(message: object): void {
    this.#socket.write(clientFrame(TEXT, Buffer.from(JSON.stringify(message))));
  }

  /** Stops reading: what the server sends piles up on its side once the kernel's buffers are full. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#partial === null ? chunk : Buffer.concat([this.#partial, chunk]);
    let at = 0;
    for (;;) {
      const frame = frameAt(bytes, at);
      if (frame === null) break;
      at = frame.end;
      if (frame.opcode === TEXT) this.#handlers.message(bytes.subarray(frame.start, frame.end));
      else if (frame.opcode === PING)
        this.#socket.write(clientFrame(PONG, bytes.subarray(frame.start, frame.end)));
      else if (frame.opcode === CLOSE) this.#socket.end();
    }
    this.#partial = at === bytes.length ? null : bytes.subarray(at);
  }
}

/** The frame that begins at `at`, or null while it is not all there. Servers neither mask nor, here, fragment. */
function frameAt(bytes: Buffer, at: number): { opcode: number; start: number; end: number } | null {
  const first = bytes[at];
  const second = bytes[at + 1];
  if (first === undefined || second === undefined) return null;
  let start = at + 2;
  let length = second & 0x7f;
  if (length === 126) {
    if (bytes.length < at + 4) return null;
    length = bytes.readUInt16BE(at + 2);
    start = at + 4;
  } else if (length === 127) {
    if (bytes.length < at + 10) return null;
    length = Number(bytes.readBigUInt64BE(at + 2));
    start = at + 10;
  }
  const end = start + length;
  return bytes.length < end ? null : { opcode: first & 0x0f, start, end };
}

function clientFrame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | payload.length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, mask, masked]);
}
