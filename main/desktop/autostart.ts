/** Starts the app with the user's session, hidden in the tray. Off until the user switches it on. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronParts } from '../electron-parts.ts';

export const HIDDEN = '--hidden';

export interface AutostartPlace {
  readonly platform: NodeJS.Platform;
  /** The program to start. */
  readonly program: string;
  /** `~/.config` */
  readonly configFolder: string;
}

export function setAutostart(app: ElectronParts['app'], place: AutostartPlace, isOn: boolean): void {
  if (place.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isOn, args: [HIDDEN] });
    return;
  }
  // Electron has no login items on Linux; this is the desktop's own way (Desktop Application Autostart Specification).
  const folder = join(place.configFolder, 'autostart');
  const file = join(folder, 'tandem.desktop');
  if (!isOn) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, desktopEntry(place.program));
}

/** Quotes characters that the specification reserves in `Exec`. */
function desktopEntry(program: string): string {
  const quoted = program.replace(/["`$\\]/g, (character) => `\\${character}`);
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Tandem',
    `Exec="${quoted}" ${HIDDEN}`,
    'Terminal=false',
    '',
  ].join('\n');
}
