/**
 * The session of the app, held by the main process for its pages, which never see a token: the refresh token, kept
 * between runs only where the system encrypts it (elsewhere a person signs in again), and the current access token, in
 * memory.
 */
import { readFileSync, rmSync } from 'node:fs';
import { writeFileAtomically } from '../../gateway/system/atomic-file.ts';
import type { ElectronParts } from '../electron-parts.ts';

/** A token is not used this long before its end, so that it does not expire during a request. */
const EARLY_MS = 30_000;

export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Life of the access token in seconds. */
  readonly expiresIn: number;
}

export interface SessionKeeper {
  /** null: there is no valid access token; a renewal may bring one. */
  accessToken(): string | null;
  /** null: nobody is signed in. */
  refreshToken(): string | null;
  /** Keeps the tokens of a sign-in or a renewal. Resolves once the refresh token is stored. */
  keep(tokens: SessionTokens): Promise<void>;
  end(): void;
}

/** @param seal null: the session lives as long as the app */
export function createSessionKeeper(file: string, seal: Seal | null): SessionKeeper {
  let refreshToken = seal === null ? null : kept(file, seal);
  let access: { readonly text: string; readonly staleAt: number } | null = null;
  return {
    accessToken: () => (access !== null && performance.now() < access.staleAt ? access.text : null),
    refreshToken: () => refreshToken,
    async keep(tokens) {
      refreshToken = tokens.refreshToken;
      access = {
        text: tokens.accessToken,
        staleAt: performance.now() + tokens.expiresIn * 1_000 - EARLY_MS,
      };
      // If the disk is full, the session lasts only until the app ends.
      if (seal !== null) await writeFileAtomically(file, seal.seal(refreshToken)).catch(() => undefined);
    },
    end() {
      refreshToken = null;
      access = null;
      if (seal !== null) rmSync(file, { force: true });
    },
  };
}

export interface Seal {
  seal(text: string): Uint8Array;
  /** @throws when it was sealed by another user or system */
  open(sealed: Buffer): string;
}

/**
 * Encryption by the operating system; null where Electron offers none that is real (on Linux without a keyring:
 * `basic_text`).
 */
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
    // There is no file yet, or it was sealed by another keyring: the person has to sign in.
    return null;
  }
}
