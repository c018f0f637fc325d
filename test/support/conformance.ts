/** Runs the official conformance suite of MCP against the gateway. Its packages lie in test/clients. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { listenLocally } from './local-port.ts';

const FOLDER = resolve(import.meta.dirname, '../clients');
const SUITE = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Explains how to install the suite; null: it is installed. */
export function missingSuite(): string | null {
  return existsSync(SUITE)
    ? null
    : 'the conformance suite is not installed (npm ci --prefix test/clients --ignore-scripts)';
}

/** The suite shows no credential, so this adds one. What it sends as Host and Origin stays foreign where it was. */
export async function credentialProxy(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((req, res) => {
    const mine = `:${(server.address() as AddressInfo).port}`;
    const host = req.headers.host?.endsWith(mine)
      ? `${req.headers.host.slice(0, -mine.length)}:${port}`
      : req.headers.host;
    const origin = req.headers.origin?.endsWith(mine)
      ? `${req.headers.origin.slice(0, -mine.length)}:${port}`
      : req.headers.origin;
    const passed = request(
      {
        ...{ host: '127.0.0.1', port, method: req.method, path: req.url },
        headers: {
          ...req.headers,
          ...headers,
          host,
          ...(origin === undefined ? {} : { origin }),
        },
      },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    passed.on('error', () => res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  });
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** @returns the checks of every scenario that `revision` requires, by scenario */
export async function runSuite(
  url: string,
  revision: string,
  folder: string,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const child = spawn(
    process.execPath,
    [
      ...['--import', join(FOLDER, 'old-node.mjs'), SUITE, 'server'],
      ...['--url', url, '--requirements', revision, '--output-dir', folder, '--timeout', '20000'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await once(child, 'close');
  const found = await readChecks(folder);
  if (found.size === 0) throw new Error(`the suite ran no scenario: ${said.slice(-2_000)}`);
  return found;
}

/**
 * Runs the suite's scenarios for an authorization server: it discovers it, sends its user to the consent page, and redeems
 * the code.
 * @param visit opens an address of `/authorize`, allows it, and returns the callback
 */
export async function runAuthorization(
  asked: {
    readonly issuer: string;
    readonly clientId: string;
    readonly resource: string;
    readonly port: number;
    readonly folder: string;
  },
  visit: (url: string) => Promise<URL>,
): Promise<ReadonlyMap<string, readonly Check[]>> {
  const child = spawn(
    process.execPath,
    [
      ...['--import', join(FOLDER, 'old-node.mjs'), SUITE, 'authorization', '--url', asked.issuer],
      ...['--client-id', asked.clientId, '--resource', asked.resource, '--port', String(asked.port)],
      ...['--output-dir', asked.folder],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  let visited = false;
  const hear = (data: Buffer) => {
    said += String(data);
    const [url] = /https?:\/\/\S+\/authorize\?[^\s"']+(?=[\s"'])/.exec(said) ?? [];
    if (url === undefined || visited) return;
    visited = true;
    void visit(url)
      .then((callback) => fetch(callback))
      .catch((error: unknown) => {
        said += String(error);
        child.kill();
      });
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  await once(child, 'close');
  const found = await readChecks(asked.folder);
  if (found.size === 0) throw new Error(`the suite ran no scenario: ${said.slice(-2_000)}`);
  return found;
}

/** Folders are called server-<scenario>-<time> and authorization-server-<scenario>-<time>. */
async function readChecks(folder: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const found = new Map<string, readonly Check[]>();
  for (const name of await readdir(folder)) {
    const file = join(folder, name, 'checks.json');
    if (!existsSync(file)) continue;
    const scenario = name.replace(/^(authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    found.set(scenario, JSON.parse(await readFile(file, 'utf8')));
  }
  return found;
}
