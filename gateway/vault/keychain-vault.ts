/** Secrets in the operating system's keychain, through keytar. The native module is loaded on first use. */
import { randomUUID } from 'node:crypto';
import type { Vault } from '../engine/ports/vault.ts';
import { explainCallFailure, explainLoadFailure, remedyForCallFailure } from './keychain-cause.ts';
import { VaultError } from './vault-error.ts';

/** The functions of keytar that the vault uses. */
export interface Keychain {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

const SERVICE = 'tandem';
/** Time that the keychain has at start to answer, long enough for the user to answer its prompt on screen. */
const PROBE_TIMEOUT_MS = 20_000;

/** Loads the keychain's native module and reads no keychain. Rejects with VaultError where it does not load. */
export async function loadKeychain(): Promise<Keychain> {
  try {
    const module = await import('keytar');
    return module.default;
  } catch (error) {
    throw new VaultError('keychain_unusable', explainLoadFailure(error), { cause: error });
  }
}

/**
 * Opens the vault after a real round trip has proved that the keychain keeps secrets. Rejects with VaultError
 * `keychain_unusable`, whose message is the true cause.
 */
export async function openKeychainVault(
  options: { readonly load?: () => Promise<Keychain>; readonly timeoutMs?: number } = {},
): Promise<Vault> {
  const keychain = await (options.load ?? loadKeychain)();
  await probe(keychain, options.timeoutMs ?? PROBE_TIMEOUT_MS);
  return {
    kind: 'keychain',
    get: (name) => call(() => keychain.getPassword(SERVICE, name)),
    set: (name, value) => call(() => keychain.setPassword(SERVICE, name, value)),
    delete: (name) => call(() => keychain.deletePassword(SERVICE, name)),
  };
}

async function probe(keychain: Keychain, timeoutMs: number): Promise<void> {
  const account = `probe:${randomUUID()}`;
  const secret = randomUUID();
  const roundTrip = async () => {
    await call(() => keychain.setPassword(SERVICE, account, secret));
    const read = await call(() => keychain.getPassword(SERVICE, account));
    const removed = await call(() => keychain.deletePassword(SERVICE, account));
    if (read !== secret || !removed) {
      throw new VaultError('keychain_unusable', 'the keychain does not give back what was stored in it');
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(timeoutMs / 1000);
      const message = `the keychain did not answer within ${seconds} s: it is probably locked and waits for its password to be typed; unlock it and try again`;
      reject(new VaultError('keychain_unusable', message));
    }, timeoutMs);
  });
  try {
    await Promise.race([roundTrip(), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VaultError) throw error;
    throw new VaultError('keychain_unusable', explainCallFailure(error), {
      cause: error,
      remedy: remedyForCallFailure(error),
    });
  }
}
