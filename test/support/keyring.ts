/** A real keyring of its own on a private bus, for as long as a test needs it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const WITH_KEYRING = fileURLToPath(new URL('./with-keyring.sh', import.meta.url));

/** Programs that a keyring needs and that are not installed. */
export const missingForKeyring = ['dbus-run-session', 'dbus-send', 'gnome-keyring-daemon'].filter(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
);

/** For a `before` hook: skips loudly without the system packages, and fails in CI. */
export function needsKeyring(context: Mocha.Context): void {
  if (process.platform === 'linux' && missingForKeyring.length === 0) return;
  const what = `the keychain is NOT tested: missing ${missingForKeyring.join(', ')} (build/setup-system.sh installs them)`;
  if (process.env['CI'] === 'true') throw new Error(what);
  console.warn(`    ⚠ ${what}`);
  context.skip();
}

export interface Keyring {
  /** For programs that are to use it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Unlocked and empty. */
export async function openKeyring(): Promise<Keyring> {
  const child = spawn(WITH_KEYRING, ['sh', '-c', 'echo "$DBUS_SESSION_BUS_ADDRESS"; cat >/dev/null'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    async close() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
