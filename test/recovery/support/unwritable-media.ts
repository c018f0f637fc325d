/**
 * Ways in which a disk stops taking writes under a running gateway and takes them again: a file system that is really full,
 * a file size limit, and SQLite's own refusals. The gateway's files only: the venue has its own.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { openStore } from '../../../gateway/store/open-store.ts';
import { until } from '../../real-time/support/until.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { type GatewayClient, gatewayClient } from '../../support/gateway-client.ts';
import { launchGateway } from '../../support/gateway-process.ts';
import { freePort } from '../../support/local-port.ts';

/** Enough for the database and the other files, little enough to be filled at once. */
const FILE_SYSTEM_SIZE = '6m';
const LARGEST_STEP_BYTES = 1024 * 1024;

export interface UnwritableGateway extends GatewayClient {
  readonly port: number;
  refuseWrites(): Promise<void>;
  allowWrites(): Promise<void>;
  /** Kills it and starts it again on its port. Only where `Medium.isClosing`. */
  killAndStart?(): Promise<void>;
  close(): Promise<void>;
}

export interface Medium {
  readonly name: string;
  /** True: closing goes on meanwhile, in the space that was set aside. */
  readonly isClosing: boolean;
  /** False: this machine does not let us. */
  isPossible(folder: string): boolean;
  start(folder: string, simPort: number): Promise<UnwritableGateway>;
}

const fullFileSystem: Medium = {
  name: 'a full file system',
  isClosing: true,
  isPossible(folder) {
    const isMounted = mount(folder);
    if (isMounted) unmount(folder);
    return isMounted;
  },
  async start(folder, simPort) {
    if (!mount(folder)) throw new Error('the file system cannot be mounted');
    const dataDir = join(folder, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    let gateway = launchGateway({ dataDir, simPort, port: await freePort() });
    const { url, port } = await gateway.ready;
    const ballast = join(folder, 'ballast');
    await until('space is set aside', () => existsSync(join(dataDir, 'disk-reserve')), 20_000);
    return {
      ...gatewayClient(url),
      port,
      refuseWrites: () => fill(ballast),
      allowWrites: () => rm(ballast),
      async killAndStart() {
        await gateway.stop('SIGKILL');
        gateway = launchGateway({ dataDir, simPort, port });
        await gateway.ready;
      },
      async close() {
        await gateway.stop('SIGTERM');
        unmount(folder);
      },
    };
  },
};

const fileSizeLimit: Medium = {
  name: 'a file size limit (EFBIG)',
  isClosing: false,
  isPossible: () => spawnSync('prlimit', ['--version']).status === 0,
  async start(folder, simPort) {
    const gateway = launchGateway({ dataDir: folder, simPort });
    const { url, port } = await gateway.ready;
    return {
      ...gatewayClient(url),
      port,
      refuseWrites: async () => limitFileSize(gateway.pid, '0'),
      allowWrites: async () => limitFileSize(gateway.pid, 'unlimited'),
      async close() {
        await gateway.stop('SIGTERM');
      },
    };
  },
};

/** SQLITE_READONLY, as for a file that has lost its write permission: said by SQLite itself, on the gateway's connection. */
const readOnlyDatabase: Medium = {
  name: 'a read-only database',
  isClosing: false,
  isPossible: () => true,
  async start(folder, simPort) {
    const writers: sqlite3.Database[] = [];
    const gateway = await startTestGateway({
      clock: null,
      dataDir: folder,
      settings: { paperSim: { host: '127.0.0.1', port: simPort } },
      overrides: { openStore: (options) => collectWriters(writers, () => openStore(options)) },
    });
    const setQueryOnly = async (on: boolean) => {
      for (const writer of writers) await run(writer, `PRAGMA query_only = ${on}`);
    };
    return { ...gateway, refuseWrites: () => setQueryOnly(true), allowWrites: () => setQueryOnly(false) };
  },
};

export const MEDIA: readonly Medium[] = [fullFileSystem, fileSizeLimit, readOnlyDatabase];

/** Keeps hold of the connections that can write while `open` opens the store. */
async function collectWriters(writers: sqlite3.Database[], open: () => Promise<Store>): Promise<Store> {
  const { Database } = sqlite3;
  class Collected extends Database {
    constructor(...given: ConstructorParameters<typeof Database>) {
      super(...given);
      if (given[1] === sqlite3.OPEN_READWRITE) writers.push(this);
    }
  }
  Reflect.set(sqlite3, 'Database', Collected);
  try {
    return await open();
  } finally {
    Reflect.set(sqlite3, 'Database', Database);
  }
}

function run(database: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    database.exec(sql, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** The soft limit: it can be raised again. */
function limitFileSize(pid: number, bytes: '0' | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`prlimit: ${stderr}`);
}

/** False: this machine does not let us. Root can. */
function mount(folder: string): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${FILE_SYSTEM_SIZE},mode=0700`, 'tmpfs', folder];
  return spawnSync('mount', options).status === 0;
}

/** @throws Error while a file of it is open */
function unmount(folder: string): void {
  const { status, stderr } = spawnSync('umount', [folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`umount ${folder}: ${stderr}`);
}

/** Takes every free byte. @param ballast path of a file in the file system, to be removed afterwards */
async function fill(ballast: string): Promise<void> {
  for (let bytes = LARGEST_STEP_BYTES; bytes >= 1; ) {
    try {
      await appendFile(ballast, Buffer.alloc(bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      bytes = Math.floor(bytes / 2);
    }
  }
}
