/**
 * Key to which this browser's sessions are bound. The key is in IndexedDB, which belongs to the origin, port
 * included; scripts can use the key but not read it; all tabs share it. Where the browser keeps no data (a private
 * window of some browsers, storage that is switched off) each tab has a key of its own, and a reload signs out.
 */
import { createPageKey, type PageKey } from '../../gateway/client/client.ts';

const DATABASE = 'tandem';
const KEYS = 'keys';
const NAME = 'session';

let found: Promise<PageKey> | null = null;

export function pageKey(): Promise<PageKey> {
  found ??= keptKey().catch(() => createPageKey());
  return found;
}

async function keptKey(): Promise<PageKey> {
  const database = await open();
  try {
    const kept = await read(database);
    if (kept !== null) return kept;
    const made = await createPageKey();
    // The first tab wins: a key that another tab has added meanwhile is the one to use.
    if (await add(database, made)) return made;
    return (await read(database)) ?? made;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(KEYS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('The database is held by another tab'));
  });
}

function read(database: IDBDatabase): Promise<PageKey | null> {
  return new Promise((resolve, reject) => {
    const request = database.transaction(KEYS).objectStore(KEYS).get(NAME);
    request.onsuccess = () => resolve(isKey(request.result) ? request.result : null);
    request.onerror = () => reject(request.error);
  });
}

/** False: another tab has stored a key already. */
function add(database: IDBDatabase, key: PageKey): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(KEYS, 'readwrite');
    const request = transaction.objectStore(KEYS).add(key, NAME);
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () =>
      request.error?.name === 'ConstraintError' ? resolve(false) : reject(transaction.error);
  });
}

function isKey(value: unknown): value is PageKey {
  return (
    typeof value === 'object' &&
    value !== null &&
    'privateKey' in value &&
    value.privateKey instanceof CryptoKey &&
    'publicKey' in value &&
    value.publicKey instanceof CryptoKey
  );
}
