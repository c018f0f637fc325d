/**
 * The session of the app: the cookie that the gateway gave out, held by the main process for its pages, which never see
 * it. Between runs it is kept only where the system seals it; elsewhere a person signs in again.
 */
import { readFileSync, rmSync } from 'node:fs';
import { writeFileAtomically } from '../../gateway/system/atomic-file.ts';
import type { ElectronParts } from '../electron-parts.ts';

const NAME = 'tandem_session';

export interface SessionKeeper {
  /** `tandem_session=…`; null: nobody is signed in. */
  cookie(): string | null;
  /** Takes the session out of the `set-cookie` lines of an answer: a new one, or its end. */
  take(setCookies: readonly string[]): Promise<void>;
}

/** @param seal null: the session lives as long as the app */
export function createSessionKeeper(file: string, seal: Seal | null): SessionKeeper {
  let value = seal === null ? null : kept(file, seal);
  return {
    cookie: () => (value === null ? null : `${NAME}=${value}`),
    async take(setCookies) {
      const line = setCookies.find((one) => one.startsWith(`${NAME}=`));
      if (line === undefined) return;
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const given = pair.slice(NAME.length + 1);
      const isEnd = given === '' || attributes.some((one) => /^max-age=0$/i.test(one));
      value = isEnd ? null : given;
      if (seal === null) return;
      if (value === null) rmSync(file, { force: true });
      // A full disk: it holds until the app ends.
      else await writeFileAtomically(file, seal.seal(value)).catch(() => undefined);
    },
  };
}

export interface Seal {
  seal(text: string): Uint8Array;
  /** @throws when it was sealed by another user or system */
  open(sealed: Buffer): string;
}

/** The system's own encryption; null where Electron would only pretend (Linux without a keyring: `basic_text`). */
export function systemSeal(safeStorage: ElectronParts['safeStorage']): Seal | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  if (safeStorage.getSelectedStorageBackend?.() === 'basic_text') return null;
  return {
    seal: (text) => safeStorage.encryptString(text),
    open: (sealed) => safeStorage.decryptString(sealed),
  };
}

function kept(file: string, seal: Seal): string | null {
  try {
    const value = seal.open(readFileSync(file));
    return /^[\w.~+/=-]{1,512}$/.test(value) ? value : null;
  } catch {
    // None yet, or one that another keyring sealed: a person signs in.
    return null;
  }
}
