/** `tandem mcp` as a host runs it: a process of its own, a stand-in for the browser opener, and lines in and out. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type ConsentVisitor, consentVisitor } from '../../support/consent-visitor.ts';
import type { Json } from '../../support/json.ts';
import { READ_WRITE } from '../../support/oauth-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from './until.ts';

export const TANDEM = fileURLToPath(new URL('../../../build/tandem.cjs', import.meta.url));

export interface BridgeHost {
  readonly command: string;
  args(...more: readonly string[]): string[];
  readonly env: Record<string, string>;
  /** Links of the pages that a browser was asked to open. */
  opened(): Promise<readonly string[]>;
}

/** Everything that a host needs to start the bridge of the gateway on a data folder. */
export async function bridgeHost(dataDir: string): Promise<BridgeHost> {
  const folder = await temporaryFolder();
  const log = join(folder, 'opened');
  const opener = join(folder, 'xdg-open');
  // Keeps what the page says, because the bridge removes the page.
  await writeFile(opener, `#!/bin/sh\nprintf '%s\\n' "$*" >> ${log}.argv\ncat "$1" >> ${log}\n`);
  await chmod(opener, 0o700);
  return {
    command: process.execPath,
    args: (...more) => [TANDEM, 'mcp', '--data-dir', dataDir, ...more],
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, TANDEM_VAULT: 'file' },
    async opened() {
      const text = await readFile(log, 'utf8').catch(() => '');
      return [...text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
    },
  };
}

export interface BridgeLines {
  readonly pid: number;
  /** Everything on standard output, and on standard error. */
  readonly out: readonly string[];
  readonly err: () => string;
  /** Sends a message as it is. */
  send(message: unknown): void;
  /** Sends a request; the answer, result or error. */
  ask(method: string, params?: object): Promise<Json>;
  /** Asks, and gives the id at once. */
  begin(method: string, params?: object): { readonly id: number; readonly answer: Promise<Json> };
  /** The next line, or one that has come already, for which `wanted` holds. */
  heard(wanted: (message: Json) => boolean): Promise<Json>;
  initialize(): Promise<Json>;
  call(tool: string, args?: object): Promise<Json>;
  end(): Promise<number | null>;
}

const running = new Set<ChildProcessWithoutNullStreams>();

export function killBridges(): void {
  for (const child of running) child.kill('SIGKILL');
}

export function startBridge(host: BridgeHost, ...more: readonly string[]): BridgeLines {
  const child = spawn(host.command, host.args(...more), { env: host.env });
  running.add(child);
  const out: string[] = [];
  const messages: Json[] = [];
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  // A bridge that was killed takes no more lines.
  child.stdin.on('error', () => undefined);
  createInterface({ input: child.stdout }).on('line', (line) => {
    out.push(line);
    messages.push(JSON.parse(line));
  });
  const ended = once(child, 'close').then(([code]): number | null => {
    running.delete(child);
    return code ?? null;
  });
  let ids = 0;
  const send = (message: unknown) =>
    void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const heard = async (wanted: (message: Json) => boolean): Promise<Json> => {
    return until('the line of the bridge', () => messages.find(wanted), 20_000);
  };
  const begin = (method: string, params: object = {}) => {
    ids += 1;
    const id = ids;
    send({ jsonrpc: '2.0', id, method, params });
    const answer = heard((message) => message.id === id && message.method === undefined);
    // A call that is cancelled has none, and nobody waits for it.
    answer.catch(() => undefined);
    return { id, answer };
  };
  const ask = (method: string, params?: object) => begin(method, params).answer;
  return {
    pid: child.pid ?? 0,
    out,
    err: () => err,
    ...{ send, begin, ask, heard },
    async initialize() {
      const answer = await ask('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'host', version: '1' },
      });
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      return answer;
    },
    call: (name, args = {}) => ask('tools/call', { name, arguments: args }),
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

/** The link that `connect_tandem` shows. */
export function linkIn(answer: Json): string {
  const [, link] = /(http:\/\/\S+\/authorize\?\S+)/.exec(answer.result.content[0].text) ?? [];
  if (link === undefined) throw new Error(`no link in ${JSON.stringify(answer)}`);
  return link;
}

/** The user opens the link, allows it, and the browser goes to the bridge. @returns what the bridge's page says */
export async function allowBridge(
  gateway: { readonly port: number },
  link: string,
  scopes: readonly string[] = READ_WRITE,
  consent: object = {},
  visitor: ConsentVisitor = consentVisitor(gateway),
): Promise<string> {
  const callback = await visitor.allow(link, scopes, consent);
  const said = await (await fetch(callback)).text();
  if (!said.includes('Connected.')) throw new Error(`the page of the bridge says ${said}`);
  return said;
}
