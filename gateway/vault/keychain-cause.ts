/** Turns error messages of keytar and the Secret Service into the true cause and its remedy. */
import { createRequire } from 'node:module';

const LIBSECRET =
  'libsecret is missing; install it with: sudo apt-get install libsecret-1-0 (Debian, Ubuntu), sudo dnf install libsecret (Fedora) or sudo pacman -S libsecret (Arch)';

/**
 * Why keytar does not load. keytar hides the error of its native part ("Failed to load keytar native addon"), so the
 * native part is loaded once more here to read its own error.
 */
export function explainLoadFailure(error: unknown): string {
  const detail = nativeLoadError() ?? messageOf(error);
  if (/libsecret/i.test(detail)) return LIBSECRET;
  if (/cannot find (module|package)/i.test(detail)) {
    return `the keychain module is not installed for ${process.platform}-${process.arch}; run: npm ci`;
  }
  return `the keychain module does not load: ${firstLine(detail)}`;
}

/** Pairs of an error message's pattern and its meaning. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /autolaunch D-Bus|DBUS_SESSION_BUS_ADDRESS|Could not connect: No such file|Connection refused|Could not connect:/i,
    'there is no D-Bus session bus; sign in to a desktop session, or run Tandem inside: dbus-run-session -- <command>',
  ],
  [
    /org\.freedesktop\.secrets was not provided|ServiceUnknown|NameHasNoOwner|Spawn\./i,
    'no secret service answers on the session bus; install and start one, e.g. sudo apt-get install gnome-keyring, or use KWallet or KeePassXC',
  ],
  [
    /locked|prompt was dismissed|cancel(l)?ed|Object does not exist at path|no such object/i,
    'the keyring is locked or was never created; unlock it by signing in to the desktop, or with: gnome-keyring-daemon --unlock',
  ],
  [
    /not permitted|access denied|denied/i,
    'the keychain refused access; allow Tandem in the keychain settings',
  ],
  [
    /timed? ?out|NoReply/i,
    'the keychain did not answer in time; it may be locked and waiting for its password',
  ],
];

export function explainCallFailure(error: unknown): string {
  const detail = firstLine(messageOf(error));
  const meaning = meaningOf(detail);
  return meaning === undefined ? `the keychain failed: ${detail}` : `${meaning} [${detail}]`;
}

/** The same without the keychain's own words, which may quote a secret. */
export function remedyForCallFailure(error: unknown): string {
  return meaningOf(firstLine(messageOf(error))) ?? 'the keychain failed; see: tandem doctor';
}

function meaningOf(detail: string): string | undefined {
  return MEANINGS.find(([said]) => said.test(detail))?.[1];
}

function nativeLoadError(): string | null {
  const require = createRequire(import.meta.url);
  try {
    require(`keytar/prebuilds/${process.platform}-${process.arch}/keytar.node`);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? text;
}
