/**
 * Work of this process that goes on outside its event loop: statements of SQLite, files, and requests over HTTP. Time on a
 * clock of a test moves only when the disk is idle, so that nothing expires because a machine is slow.
 */
import { subscribe } from 'node:diagnostics_channel';
import { access } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import sqlite3 from 'sqlite3';

type Callback = (this: unknown, ...values: unknown[]) => unknown;
type Method = (this: unknown, ...values: unknown[]) => unknown;

let statements = 0;
let whenIdle: (() => void)[] = [];

function ended(): void {
  statements -= 1;
  if (statements > 0) return;
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
    statements += 1;
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

for (const name of ['run', 'get', 'all']) countCalls(sqlite3.Statement.prototype, name);
for (const name of ['run', 'get', 'all', 'prepare', 'exec', 'close'])
  countCalls(sqlite3.Database.prototype, name);

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

/** Resolves when no statement is under way. */
export async function diskIdle(): Promise<void> {
  while (statements > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
}

/** Names that Node gives to work on files which is under way. */
const FILE_WORK = new Set(['FSReqCallback', 'FSReqPromise', 'CloseReq']);
const filesAreBusy = (): boolean => process.getActiveResourcesInfo().some((name) => FILE_WORK.has(name));

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Turns of the event loop without any work until nothing is expected to come by itself. */
const QUIET_TURNS = 4;
/** Turns that an unanswered request is waited for: some are answered only when time goes on. */
const PATIENT_TURNS = 200;

/** Resolves when the disk is idle, requests are answered, and what follows from both has run. */
export async function settled(): Promise<void> {
  let quiet = 0;
  for (let turn = 0; quiet < QUIET_TURNS; turn += 1) {
    await nextTurn();
    if (statements > 0) {
      await diskIdle();
      quiet = 0;
    } else quiet = requests.size > 0 && turn < PATIENT_TURNS ? 0 : quiet + 1;
    if (quiet === QUIET_TURNS && filesAreBusy()) {
      // Takes its turn behind the work that is under way.
      await access('.');
      quiet = 0;
    }
  }
}
