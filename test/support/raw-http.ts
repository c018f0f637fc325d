/** Bytes over a socket: requests that no well-behaved client sends. */
import net from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; the last of several. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything after the headers, as it came. */
  readonly text: string;
}

/** Header lines and body joined as HTTP/1.1 wants them. */
export function rawText(lines: readonly string[], body = ''): string {
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

export function parseRaw(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.slice(0, end < 0 ? undefined : end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? Number.NaN),
    headers,
    text: end < 0 ? '' : answer.slice(end + 4),
  };
}

/** Writes the bytes and waits until an answer's headers and the body that they announce are there, or the connection ends. */
export function sendRaw(port: number, bytes: string | Buffer, host = '127.0.0.1'): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host, () => socket.write(bytes));
    let received = '';
    const finish = () => {
      socket.destroy();
      resolve(parseRaw(received));
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (!received.includes('\r\n\r\n')) return;
      const { headers, text } = parseRaw(received);
      if (text.length >= Number(headers['content-length'] ?? 0)) finish();
    });
    socket.on('end', finish);
    // A server that has answered may close on what it did not read; the answer counts.
    socket.on('error', (error) => (received.includes('\r\n\r\n') ? finish() : reject(error)));
  });
}
