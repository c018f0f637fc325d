/**
 * One keep-alive connection that sends ready-made request bytes and waits for each answer before the next request. It
 * reads status and content-length and skips the rest: the load process must stay cheaper than the server it measures.
 */
import { connect, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

export type OnAnswer = (status: number, body: Buffer) => void;

export class HttpConnection {
  readonly #socket: Socket;
  #waiting: { readonly answered: OnAnswer; readonly failed: (error: Error) => void } | null = null;
  /** Bytes of the current answer received so far; null: none. */
  #partial: Buffer | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  /** Resolves when the connection is made. Loopback only. */
  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(socket));
      });
    });
  }

  /** One request at a time: `answered` or `failed` is called once before the next `send`. */
  send(request: Buffer, answered: OnAnswer, failed: (error: Error) => void): void {
    this.#waiting = { answered, failed };
    this.#socket.write(request);
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#partial === null ? chunk : Buffer.concat([this.#partial, chunk]);
    this.#partial = bytes;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = bytes.toString('latin1', 0, headEnd);
    const length = CONTENT_LENGTH.exec(head)?.[1];
    if (length === undefined) {
      this.#fail(new Error(`an answer without content-length: ${head.slice(0, 80)}`));
      return;
    }
    const bodyAt = headEnd + HEAD_END.length;
    const end = bodyAt + Number(length);
    if (bytes.length < end) return;
    const waiting = this.#waiting;
    this.#partial = null;
    this.#waiting = null;
    // 'HTTP/1.1 202 …': the status is at a fixed place.
    waiting?.answered(Number(head.slice(9, 12)), bytes.subarray(bodyAt, end));
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    this.#socket.destroy();
    waiting?.failed(error);
  }
}
