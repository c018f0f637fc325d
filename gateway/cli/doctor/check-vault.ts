import type { Settings } from '../../config.ts';
import { inspectFileVault } from '../../vault/file-vault.ts';
import { loadKeychain, openKeychainVault } from '../../vault/keychain-vault.ts';
import { causeOf } from '../../vault/open-vault.ts';
import { problemOf, type VaultError } from '../../vault/vault-error.ts';
import { type Finding, findingsOf } from './finding.ts';

const { bad, fine, warn } = findingsOf('vault');
const PROBE_TIMEOUT_MS = 5_000;

export type VaultSettings = Pick<Settings, 'vault' | 'dataDir' | 'passphrase' | 'allowFileVault'>;

/** Uses the keychain for real: stores, reads and removes a probe. A file vault is only looked at. */
export async function checkVault(settings: VaultSettings): Promise<Finding> {
  if (settings.vault === 'memory')
    return warn('memory: every secret is lost when the gateway stops', 'tandem start --vault auto');
  if (settings.vault === 'file') return checkFile(settings, null);
  const problem = await problemOf(openKeychainVault({ timeoutMs: PROBE_TIMEOUT_MS }));
  if (problem === null) return fine('the OS keychain stores and gives back');
  if (settings.vault === 'keychain')
    return bad(`the OS keychain is not usable: ${problem}`, mendKeychain(problem));
  return checkFile(settings, problem);
}

async function checkFile(settings: VaultSettings, keychain: string | null): Promise<Finding> {
  const { dataDir, passphrase } = settings;
  const problem = await inspectFileVault({ dataDir, passphrase });
  if (problem !== null) return bad(problem.message, mendFile(problem));
  const cause = keychain === null ? '' : `the OS keychain is not usable (${causeOf(keychain)}), so `;
  if (passphrase !== null) return fine(`${cause}secrets are kept in an encrypted file under your passphrase`);
  const live = settings.allowFileVault ? '' : '; live venue credentials are refused there';
  const mend =
    keychain === null
      ? 'set TANDEM_PASSPHRASE, or use --vault keychain'
      : `${mendKeychain(keychain)}; or set TANDEM_PASSPHRASE`;
  return warn(`${cause}secrets are kept in an encrypted file with its key beside it${live}`, mend);
}

function mendKeychain(problem: string): string {
  if (/libsecret/.test(problem)) return 'sudo apt-get install libsecret-1-0 gnome-keyring';
  if (/secret service/.test(problem)) return 'sudo apt-get install gnome-keyring';
  if (/session bus/.test(problem)) return 'dbus-run-session -- tandem start, or sign in to a desktop session';
  if (/locked/.test(problem)) return 'unlock the keyring: gnome-keyring-daemon --unlock';
  return 'tandem start --vault file';
}

function mendFile(problem: VaultError): string {
  switch (problem.reason) {
    case 'passphrase_missing':
    case 'passphrase_wrong':
      return 'export TANDEM_PASSPHRASE=<the passphrase of this vault>';
    case 'unreadable':
      return 'give the file back to your user: chmod 600 <file>';
    default:
      return 'restore vault.json and vault.key from one backup, or move both away and enter the secrets again';
  }
}

const keyring = findingsOf('keyring packages');

/** Linux only: elsewhere the keychain is part of the system. */
export async function checkKeyringPackages(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  if (platform !== 'linux') return keyring.fine('none needed on this system');
  const problem = await problemOf(loadKeychain());
  if (problem !== null) return keyring.warn(problem, 'sudo apt-get install libsecret-1-0 gnome-keyring');
  if (!env['DBUS_SESSION_BUS_ADDRESS'] && !env['XDG_RUNTIME_DIR']) {
    return keyring.warn(
      'libsecret is there, but there is no session bus to reach a keyring',
      'dbus-run-session -- tandem start',
    );
  }
  return keyring.fine('libsecret loads');
}
