/** Modules of electron-builder, resolved as it does, where the desktop app's packages are installed. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findDesktopFile, HOW_TO_INSTALL } from '../../build/desktop-packages.mjs';

/** Electron's own declarations as text. Skips, loudly, where the packages of the desktop app are not installed. */
export function electronTypes(context: Mocha.Context): string {
  const file = findDesktopFile('electron/package.json');
  if (file === null) {
    console.warn(
      `    *** ELECTRON'S PERMISSIONS ARE NOT COMPARED: it is not installed (${HOW_TO_INSTALL}) ***`,
    );
    return context.skip();
  }
  return readFileSync(join(dirname(file), 'electron.d.ts'), 'utf8');
}

export interface BuilderParts {
  readonly builder: NodeJS.Require;
  readonly library: NodeJS.Require;
  readonly plist: NodeJS.Require;
}

/** Skips, loudly, where they are not. */
export function requireBuilder(context: Mocha.Context): BuilderParts {
  const file = findDesktopFile('electron-builder/package.json');
  if (file === null) {
    console.warn(
      `    *** WHAT GOES INTO THE PACKAGES IS NOT TESTED: electron-builder is not installed (${HOW_TO_INSTALL}) ***`,
    );
    return context.skip();
  }
  const builder = createRequire(file);
  const library = createRequire(builder.resolve('app-builder-lib/package.json'));
  return { builder, library, plist: createRequire(library.resolve('plist')) };
}
