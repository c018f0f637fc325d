/** The script over HTTP, on a port of its own: `POST /control {"call": "setMark", "with": ["BTC", "100000"]}`. */
import { createServer } from 'node:http';
import { listenLocally } from '../../local-port.ts';

export interface ControlCall {
  readonly call: string;
  readonly with?: readonly unknown[];
}

/** Names of the methods of a script, its class's and those that it inherits. */
function callsOf(script: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (let one = Object.getPrototypeOf(script); one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    for (const name of Object.getOwnPropertyNames(one)) if (name !== 'constructor') names.add(name);
  }
  return names;
}

export async function serveControl(script: object): Promise<{ readonly url: string; close(): void }> {
  const calls = callsOf(script);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (code: number, json: unknown) =>
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(json));
      try {
        if (request.url !== '/control' || request.method !== 'POST')
          return answer(404, { error: 'no such route' });
        const { call, with: given = [] }: ControlCall = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        if (!calls.has(call)) return answer(400, { error: `the script has no ${call}` });
        const method = Reflect.get(script, call) as (...values: unknown[]) => unknown;
        return answer(200, { answer: method.apply(script, [...given]) ?? null });
      } catch (error) {
        return answer(500, { error: error instanceof Error ? error.message : String(error) });
      }
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/control`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
