/** Installation method of this app, which decides how its next version is installed. */
import { chmod, copyFile, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release, ReleaseFile } from './release.ts';

export type InstallationKind = 'appimage' | 'deb' | 'dmg' | 'nsis';

export interface Installation {
  readonly kind: InstallationKind;
  /** Path of the AppImage; not needed for the other kinds. */
  readonly program: string;
}

export interface InstallationFacts {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly program: string;
  /** Electron's `process.resourcesPath`. */
  readonly resources: string;
}

/** null: a tar.gz or the sources, which only the person who unpacked them replaces. */
export async function installationOf(facts: InstallationFacts): Promise<Installation | null> {
  const { platform, isPackaged, env, program, resources } = facts;
  if (!isPackaged) return null;
  if (platform === 'win32') return { kind: 'nsis', program };
  if (platform === 'darwin') return { kind: 'dmg', program };
  if (platform !== 'linux') return null;
  if (env['APPIMAGE'] !== undefined) return { kind: 'appimage', program: env['APPIMAGE'] };
  // electron-builder writes this file into the packages of a package manager.
  const type = await readFile(join(resources, 'package-type'), 'utf8').catch(() => '');
  return type.trim() === 'deb' ? { kind: 'deb', program } : null;
}

const ENDING: Readonly<Record<InstallationKind, string>> = {
  appimage: '.AppImage',
  deb: '.deb',
  dmg: '.dmg',
  nsis: '.exe',
};
/** Spellings of the processor in the names of packages. */
const PROCESSOR: Readonly<Record<string, RegExp>> = {
  x64: /-(x64|x86_64|amd64)\./,
  arm64: /-(arm64|aarch64)\./,
};

/** null: the release has no file for this installation. */
export function fileFor(release: Release, kind: InstallationKind, arch: string): ReleaseFile | null {
  const candidates = release.files.filter(({ name }) => name.endsWith(ENDING[kind]));
  const pattern = PROCESSOR[arch] ?? /^$/;
  return candidates.find(({ name }) => pattern.test(name) || name.includes('-universal.')) ?? null;
}

/** The AppImage of the next version takes the place of this one: whole, or not at all. */
export async function replaceAppImage(program: string, downloaded: string): Promise<void> {
  const draft = `${program}.new`;
  await copyFile(downloaded, draft);
  await chmod(draft, 0o755);
  await rename(draft, program);
}
