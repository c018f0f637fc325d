/** The file format of the encrypted vault, and the sources of its key. */
import { randomBytes, scrypt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { VaultError } from './vault-error.ts';

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);
const sealedEntry = z.strictObject({ nonce: base64, ciphertext: base64, tag: base64 });

const keySource = z.discriminatedUnion('kind', [
  /** 32 random bytes in `vault.key` beside the vault. */
  z.strictObject({ kind: z.literal('key-file') }),
  z.strictObject({
    kind: z.literal('scrypt'),
    salt: base64,
    n: z.int().min(16_384).max(1_048_576),
    r: z.int().min(1).max(32),
    p: z.int().min(1).max(16),
  }),
]);

const vaultFile = z.strictObject({
  version: z.literal(1),
  key: keySource,
  /** A known text sealed under the key, which tells a wrong key from a damaged entry. */
  check: sealedEntry,
  entries: z.record(z.string().min(1), sealedEntry),
});

export type KeySource = z.infer<typeof keySource>;
export type ScryptSource = Extract<KeySource, { kind: 'scrypt' }>;
type VaultFile = z.infer<typeof vaultFile>;

const KEY_BYTES = 32;
/** OWASP Password Storage Cheat Sheet: N = 2^16, r = 8, p = 2 (64 MiB, as strong as 2^17 with p = 1). */
const SCRYPT = { n: 65_536, r: 8, p: 2 };

export function vaultPaths(dataDir: string): { readonly vault: string; readonly key: string } {
  return { vault: join(dataDir, 'vault.json'), key: join(dataDir, 'vault.key') };
}

export function newScryptSource(): ScryptSource {
  return { kind: 'scrypt', salt: randomBytes(16).toString('base64'), ...SCRYPT };
}

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** null when there is no vault file yet. Rejects with VaultError `unreadable` or `corrupted`. */
export async function readVaultFile(path: string): Promise<VaultFile | null> {
  const raw = await readText(path);
  if (raw === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    throw new VaultError('corrupted', `the vault file ${path} is damaged (not valid JSON); ${RESTORE}`, {
      cause: error,
    });
  }
  if (hasNewerVersion(value)) {
    throw new VaultError(
      'corrupted',
      `the vault file ${path} was written by a newer Tandem; update this one`,
    );
  }
  const parsed = vaultFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new VaultError('corrupted', `the vault file ${path} is damaged (at '${at}'); ${RESTORE}`);
}

const RESTORE =
  'restore it from a backup, or move it away to start with an empty vault (sessions end and venue credentials must be entered again)';

function hasNewerVersion(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    typeof value.version === 'number' &&
    value.version > 1
  );
}

/** The key of an existing vault. Rejects with VaultError when the source does not give one. */
export async function keyOf(
  source: KeySource,
  paths: { readonly vault: string; readonly key: string },
  passphrase: string | null,
): Promise<Buffer> {
  if (source.kind === 'scrypt') {
    if (passphrase === null) {
      throw new VaultError(
        'passphrase_missing',
        `the vault file ${paths.vault} is locked with a passphrase; set TANDEM_PASSPHRASE`,
      );
    }
    return deriveKey(passphrase, source);
  }
  const key = await readKeyFile(paths.key);
  if (key === null) {
    throw new VaultError(
      'key_missing',
      `the vault file ${paths.vault} needs its key file ${paths.key}, which is gone; ${RESTORE}`,
    );
  }
  return key;
}

/** The key in the key file; null when there is no key file. */
export async function readKeyFile(path: string): Promise<Buffer | null> {
  const raw = await readText(path);
  if (raw === null) return null;
  const key = Buffer.from(raw.trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new VaultError(
    'corrupted',
    `the vault key ${path} is damaged (${key.length} bytes instead of ${KEY_BYTES})`,
  );
}

/** Derives the vault's key by scrypt: about 0.3 s and 64 MiB, on the thread pool. */
export function deriveKey(passphrase: string, source: ScryptSource): Promise<Buffer> {
  const { n, r, p } = source;
  const options = { N: n, r, p, maxmem: 256 * n * r };
  return new Promise((resolve, reject) => {
    scrypt(
      passphrase.normalize('NFKC'),
      Buffer.from(source.salt, 'base64'),
      KEY_BYTES,
      options,
      (error, key) => {
        if (error === null) resolve(key);
        else reject(error);
      },
    );
  });
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    const why = error instanceof Error ? error.message : String(error);
    throw new VaultError('unreadable', `the vault cannot be read: ${why}`, { cause: error });
  }
}
