/**
 * Secrets in `vault.json`, each entry sealed on its own. The key is derived from a passphrase or kept in `vault.key`
 * beside the vault. A key file protects against a stray copy of the vault, not against a reader of the folder.
 */
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Vault } from '../engine/ports/vault.ts';
import { syncFolder, writeFileAtomically } from '../system/atomic-file.ts';
import { type SealedEntry, seal, unseal } from './entry-cipher.ts';
import { VaultError } from './vault-error.ts';
import {
  deriveKey,
  type KeySource,
  keyOf,
  newKey,
  newScryptSource,
  readKeyFile,
  readVaultFile,
  vaultPaths,
} from './vault-file.ts';

const CHECK_NAME = 'tandem vault check';
const CHECK_TEXT = 'this key opens this vault';

export interface FileVaultOptions {
  readonly dataDir: string;
  /** null: the key file is used. */
  readonly passphrase: string | null;
}

interface OpenVaultState {
  readonly key: Buffer;
  readonly source: KeySource;
  readonly entries: Map<string, SealedEntry>;
}

/**
 * Opens the vault of a data folder, or makes an empty one. If a vault with a key file is opened with a passphrase,
 * it is sealed again under the passphrase and its key file removed. Rejects with VaultError.
 */
export async function openFileVault(options: FileVaultOptions): Promise<Vault> {
  const paths = vaultPaths(options.dataDir);
  const state = await openState(paths, options.passphrase);
  let tail: Promise<unknown> = Promise.resolve();

  /** Runs one write at a time, each from the state that the previous write left on disk. */
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work);
    tail = result.catch(() => undefined);
    return result;
  };
  const write = (entries: ReadonlyMap<string, SealedEntry>) =>
    writeVault(paths.vault, state.key, state.source, entries);

  return {
    kind: 'file',
    async get(name) {
      const entry = state.entries.get(name);
      if (entry === undefined) return null;
      const value = unseal(state.key, name, entry);
      if (value !== null) return value;
      throw new VaultError(
        'corrupted',
        `the entry '${name}' of the vault file ${paths.vault} is damaged; enter that secret again`,
      );
    },
    set: (name, value) =>
      queued(async () => {
        const entry = seal(state.key, name, value);
        await write(new Map(state.entries).set(name, entry));
        state.entries.set(name, entry);
      }),
    delete: (name) =>
      queued(async () => {
        if (!state.entries.has(name)) return false;
        const rest = new Map(state.entries);
        rest.delete(name);
        await write(rest);
        state.entries.delete(name);
        return true;
      }),
  };
}

/**
 * Checks the vault of a data folder without making or changing any file: null when the vault is absent or opens, else
 * the error with which opening fails.
 */
export async function inspectFileVault(options: FileVaultOptions): Promise<VaultError | null> {
  const paths = vaultPaths(options.dataDir);
  try {
    const file = await readVaultFile(paths.vault);
    if (file === null) return null;
    const key = await keyOf(file.key, paths, options.passphrase);
    assertOpens(key, file.check, file.key, paths.vault);
    const damaged = Object.entries(file.entries).find(([name, entry]) => unseal(key, name, entry) === null);
    return damaged === undefined
      ? null
      : new VaultError('corrupted', `the entry '${damaged[0]}' of the vault file ${paths.vault} is damaged`);
  } catch (error) {
    if (error instanceof VaultError) return error;
    throw error;
  }
}

async function openState(
  paths: { readonly vault: string; readonly key: string },
  passphrase: string | null,
): Promise<OpenVaultState> {
  const file = await readVaultFile(paths.vault);
  if (file === null) return createState(paths, passphrase);
  const key = await keyOf(file.key, paths, passphrase);
  assertOpens(key, file.check, file.key, paths.vault);
  const entries = new Map(Object.entries(file.entries));
  if (file.key.kind === 'key-file' && passphrase !== null) return sealAnew(paths, key, entries, passphrase);
  return { key, source: file.key, entries };
}

async function createState(
  paths: { readonly vault: string; readonly key: string },
  passphrase: string | null,
): Promise<OpenVaultState> {
  const entries = new Map<string, SealedEntry>();
  if (passphrase !== null) {
    const { key, source } = await keyFromPassphrase(passphrase);
    await writeVault(paths.vault, key, source, entries);
    return { key, source, entries };
  }
  // A key file without a vault was left when the gateway stopped between the two writes; it is as good as a new key.
  let key = await readKeyFile(paths.key);
  if (key === null) {
    key = newKey();
    await writeFileAtomically(paths.key, `${key.toString('base64')}\n`);
  }
  const source: KeySource = { kind: 'key-file' };
  await writeVault(paths.vault, key, source, entries);
  return { key, source, entries };
}

/** Seals the vault under a passphrase. The key file is removed last: a stop before that leaves a vault that opens. */
async function sealAnew(
  paths: { readonly vault: string; readonly key: string },
  oldKey: Buffer,
  oldEntries: ReadonlyMap<string, SealedEntry>,
  passphrase: string,
): Promise<OpenVaultState> {
  const { key, source } = await keyFromPassphrase(passphrase);
  const entries = new Map<string, SealedEntry>();
  for (const [name, entry] of oldEntries) {
    const value = unseal(oldKey, name, entry);
    if (value === null) {
      throw new VaultError('corrupted', `the entry '${name}' of the vault file ${paths.vault} is damaged`);
    }
    entries.set(name, seal(key, name, value));
  }
  await writeVault(paths.vault, key, source, entries);
  await rm(paths.key, { force: true });
  await syncFolder(dirname(paths.key));
  return { key, source, entries };
}

async function keyFromPassphrase(passphrase: string): Promise<{ key: Buffer; source: KeySource }> {
  const source = newScryptSource();
  return { key: await deriveKey(passphrase, source), source };
}

function assertOpens(key: Buffer, check: SealedEntry, source: KeySource, path: string): void {
  if (unseal(key, CHECK_NAME, check) === CHECK_TEXT) return;
  throw source.kind === 'scrypt'
    ? new VaultError('passphrase_wrong', `TANDEM_PASSPHRASE does not open the vault file ${path}`)
    : new VaultError(
        'corrupted',
        `the key file beside ${path} does not belong to it; restore both from one backup`,
      );
}

function writeVault(
  path: string,
  key: Buffer,
  source: KeySource,
  entries: ReadonlyMap<string, SealedEntry>,
): Promise<void> {
  const file = {
    version: 1,
    key: source,
    check: seal(key, CHECK_NAME, CHECK_TEXT),
    entries: Object.fromEntries(entries),
  };
  return writeFileAtomically(path, `${JSON.stringify(file, null, 2)}\n`);
}
