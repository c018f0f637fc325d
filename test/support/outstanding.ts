/**
 * Work of this process that goes on outside its event loop: statements of SQLite, files, derived keys, and requests over
 * HTTP. Time on a clock of a test moves only when none of the first three is under way, so that nothing expires because a
 * machine is slow.
 */
import crypto from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import type { ClientRequest } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import sqlite3 from 'sqlite3';

type Callback = (this: unknown, ...values: unknown[]) => unknown;
type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Pending statements of SQLite, operations on files, and derivations of keys. */
let diskWork = 0;
let whenIdle: (() => void)[] = [];

function ended(): void {
  diskWork -= 1;
  if (diskWork > 0) return;
  const waiting = whenIdle;
  whenIdle = [];
  for (const go of waiting) go();
}

/** Set while a method of a database calls one of a statement, whose callback never comes where its SQL cannot be prepared. */
let isInside = false;

/** Counts every call of a driver's method that says by a callback when it has ended. */
function countCalls(prototype: object, name: string): void {
  const method: Method = Reflect.get(prototype, name);
  Reflect.set(prototype, name, function (this: unknown, ...values: unknown[]) {
    const callback = values.at(-1);
    if (isInside || typeof callback !== 'function') return method.apply(this, values);
    diskWork += 1;
    const told: Callback = function (this: unknown, ...results) {
      ended();
      return callback.apply(this, results);
    };
    isInside = true;
    try {
      return method.apply(this, [...values.slice(0, -1), told]);
    } catch (error) {
      ended();
      throw error;
    } finally {
      isInside = false;
    }
  });
}

for (const name of ['run', 'get', 'all', 'finalize']) countCalls(sqlite3.Statement.prototype, name);
for (const name of ['run', 'get', 'all', 'prepare', 'exec', 'close'])
  countCalls(sqlite3.Database.prototype, name);

/** The same for one that returns a promise. */
function countPromises(owner: object, name: string): void {
  const method: Method = Reflect.get(owner, name);
  Reflect.set(owner, name, function (this: unknown, ...values: unknown[]) {
    diskWork += 1;
    return Promise.resolve(method.apply(this, values)).finally(ended);
  });
}

const file = await fs.promises.open(new URL(import.meta.url));
await file.close();
const ON_FILES = ['appendFile', 'close', 'datasync', 'read', 'stat', 'sync', 'truncate', 'write', 'writev'];
for (const name of ON_FILES) countPromises(Object.getPrototypeOf(file), name);
const ON_FOLDERS = ['copyFile', 'mkdir', 'open', 'readFile', 'readdir', 'rename', 'rm', 'stat', 'writeFile'];
for (const name of ON_FOLDERS) countPromises(fs.promises, name);
countCalls(crypto, 'scrypt');
syncBuiltinESMExports();
const argon2 = createRequire(import.meta.url)('@node-rs/argon2');
for (const name of ['hash', 'verify']) countPromises(argon2, name);

/** Node's words for what is done to files, whatever asked for it. */
const FILE_REQUESTS = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq']);
/** Also what is counted by no name above. */
const hasFileRequests = () => process.getActiveResourcesInfo().some((name) => FILE_REQUESTS.has(name));

const requests = new Set<unknown>();
/** Node's diagnostics channels; `request` is the same object in all messages of one request. */
function follow(begin: string, ends: readonly string[]): void {
  subscribe(begin, (message) => requests.add((message as { readonly request: unknown }).request));
  for (const end of ends)
    subscribe(end, (message) => requests.delete((message as { readonly request: unknown }).request));
}
follow('undici:request:create', ['undici:request:trailers', 'undici:request:error']);
subscribe('http.client.request.start', (message) => {
  const { request } = message as { readonly request: ClientRequest };
  requests.add(request);
  request.once('close', () => requests.delete(request));
});

/** Resolves when nothing of the disk is under way. */
export async function diskIdle(): Promise<void> {
  while (diskWork > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Turns of the event loop without any work until nothing is expected to come by itself. */
const QUIET_TURNS = 4;
/** Turns between two looks at the files, which cost as much as all the rest of a turn: at the first, and at the last. */
const LOOK_EVERY = QUIET_TURNS - 1;
/** Turns that an unanswered request is waited for: some are answered only when time goes on. */
const PATIENT_TURNS = 200;

/** Resolves when the disk is idle, requests are answered, and what follows from both has run. */
export async function settled(): Promise<void> {
  let quiet = 0;
  for (let turn = 0; quiet < QUIET_TURNS; turn += 1) {
    await nextTurn();
    if (diskWork > 0) {
      await diskIdle();
      quiet = 0;
    } else if (quiet % LOOK_EVERY === 0 && hasFileRequests()) quiet = 0;
    else quiet = requests.size > 0 && turn < PATIENT_TURNS ? 0 : quiet + 1;
  }
}
