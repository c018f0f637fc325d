/** Chooses the vault of a gateway and warns the user of the choice's consequences. */
import type { Logger } from '../engine/ports/system.ts';
import type { Vault } from '../engine/ports/vault.ts';
import { openFileVault } from './file-vault.ts';
import { openKeychainVault } from './keychain-vault.ts';
import { createMemoryVault } from './memory-vault.ts';
import { VaultError } from './vault-error.ts';
import { readVaultFile, vaultPaths } from './vault-file.ts';

export interface VaultOptions {
  readonly kind: 'auto' | 'keychain' | 'file' | 'memory';
  readonly dataDir: string;
  /** Derives the file vault's key; never logged. */
  readonly passphrase?: string | null;
  /** The user accepts live venue credentials in a file vault whose key lies beside it. */
  readonly allowFileVault?: boolean;
  readonly logger: Logger;
  /** Opens the keychain; tests replace the function. */
  readonly openKeychain?: () => Promise<Vault>;
}

export interface OpenedVault extends Vault {
  /** Warning for the user about the place of the secrets; null when there is none. */
  readonly warning: string | null;
  /** False: live venue credentials must be refused: the vault's key lies beside the vault, and nobody allowed that. */
  readonly liveCredentialsAllowed: boolean;
}

/**
 * `auto`: the keychain where it works, else the file. `keychain`: the keychain or VaultError with the true cause.
 * Rejects with VaultError when the vault asked for cannot be opened.
 */
export async function openVault(options: VaultOptions): Promise<OpenedVault> {
  const openKeychain = options.openKeychain ?? openKeychainVault;
  switch (options.kind) {
    case 'memory':
      return opened(createMemoryVault(), null, true);
    case 'keychain':
      return opened(await openKeychain(), null, true);
    case 'file':
      return openFile(options, null);
    case 'auto':
      break;
  }
  let keychain: Vault;
  try {
    keychain = await openKeychain();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return openFile(options, error.message);
  }
  return opened(keychain, await leftInFile(options.dataDir), true);
}

async function openFile(options: VaultOptions, keychainProblem: string | null): Promise<OpenedVault> {
  const passphrase = options.passphrase ?? null;
  const vault = await openFileVault({ dataDir: options.dataDir, passphrase });
  const allowed = passphrase !== null || options.allowFileVault === true;
  const why = keychainProblem === null ? '' : `The OS keychain is not usable: ${causeOf(keychainProblem)}. `;
  const safety =
    passphrase !== null
      ? ''
      : `Secrets are in ${vaultPaths(options.dataDir).vault} and their key lies beside it; set TANDEM_PASSPHRASE to encrypt them, or see: tandem doctor`;
  const warning = `${why}${safety}`.trim();
  const result = opened(vault, warning === '' ? null : warning, allowed);
  if (result.warning !== null) options.logger.warn({ vault: 'file' }, result.warning);
  return result;
}

/** First clause of a problem's text; the rest (remedies, the system's own words) is for `tandem doctor`. */
export function causeOf(problem: string): string {
  return problem.split(/[;[]/)[0]?.trim() ?? problem;
}

/** Warning that secrets of an earlier start without keychain lie unused in the file vault; null when there are none. */
async function leftInFile(dataDir: string): Promise<string | null> {
  const path = vaultPaths(dataDir).vault;
  const file = await readVaultFile(path).catch(() => null);
  const count = file === null ? 0 : Object.keys(file.entries).length;
  if (count === 0) return null;
  return `secrets are now kept in the OS keychain; ${count} from an earlier start without it are still in ${path} (start with --vault file to use them)`;
}

function opened(vault: Vault, warning: string | null, liveCredentialsAllowed: boolean): OpenedVault {
  return { ...vault, warning, liveCredentialsAllowed };
}
