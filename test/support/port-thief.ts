/**
 * Another user of the machine with a server on another port: it keeps whatever browsers send to it, and serves a page that
 * looks around in what its origin can reach.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Json } from './json.ts';

const NOBODY = 65_534;

const PROGRAM = `
const http = require('node:http');
http.createServer((req, res) => {
  console.log(JSON.stringify({ path: req.url, headers: req.headers }));
  res.writeHead(200, { 'content-type': 'text/html', ...(req.url === '/toss' ? { 'set-cookie': JSON.parse(process.argv[1]) } : {}) });
  res.end('<!doctype html><title>nothing to see</title><link rel="icon" href="data:,">');
}).listen(0, '127.0.0.1', function () { console.log(JSON.stringify({ port: this.address().port, uid: process.getuid() })); });
`;

/** For a page of the gateway's own origin: whether its key may be taken out, and what comes of trying. */
export const LOOK_AT_OWN_KEY = `(async () => {
  const database = await new Promise((resolve) => {
    const request = indexedDB.open('tandem');
    request.onsuccess = () => resolve(request.result);
  });
  const key = await new Promise((resolve) => {
    const request = database.transaction('keys').objectStore('keys').get('session');
    request.onsuccess = () => resolve(request.result);
  });
  database.close();
  const read = await crypto.subtle.exportKey('jwk', key.privateKey).then(() => 'read', (error) => error.name);
  return { extractable: key.privateKey.extractable, read };
})()`;

export interface Theft {
  readonly path: string;
  readonly headers: Json;
}

export interface PortThief {
  readonly port: number;
  /** User id that the thief runs as: not ours, where the tests may change it. */
  readonly uid: number;
  /** Requests that browsers have sent to it. */
  readonly received: readonly Theft[];
  close(): void;
}

/** @param tossed values of `Set-Cookie` that its page `/toss` answers with */
export async function startPortThief(...tossed: readonly string[]): Promise<PortThief> {
  const asRoot = process.getuid?.() === 0;
  const child = spawn(process.execPath, ['-e', PROGRAM, '--', JSON.stringify(tossed)], {
    ...(asRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const received: Theft[] = [];
  const { port, uid } = await new Promise<{ port: number; uid: number }>((resolve, reject) => {
    child.once('error', reject);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line);
      if ('port' in said) resolve(said);
      else received.push(said);
    });
  });
  return { port, uid, received, close: () => void child.kill() };
}
