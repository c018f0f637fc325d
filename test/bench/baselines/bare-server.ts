/**
 * The least a Node server can do for the same traffic: `node:http`, the body read and parsed as JSON, a fixed answer. The
 * answer (status, flat header list, body) comes in BARE_ANSWER, so that it is byte for byte what the gateway said.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface BareAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

const answer: BareAnswer = JSON.parse(
  process.env['BARE_ANSWER'] ?? '{"status":200,"headers":[],"body":"{}"}',
);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const first = chunks[0];
    const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    if (bytes.length > 0) JSON.parse(bytes.toString());
    response.writeHead(answer.status, [...answer.headers]);
    response.end(answer.body);
  });
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ port });
});
process.on('disconnect', () => process.exit(0));
