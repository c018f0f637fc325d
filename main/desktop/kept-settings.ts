/**
 * Preferences and window place of the app, in one file of its data folder. Nothing secret, nothing of trading.
 */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { writeFileAtomically } from '../../gateway/system/atomic-file.ts';
import { type ShellPreferences, shellPreferences } from '../ipc/contract.ts';
import { type WindowPlace, windowPlace } from '../window/window-bounds.ts';

const keptSettings = z.strictObject({
  preferences: shellPreferences,
  window: z.nullable(windowPlace),
});
type Kept = z.infer<typeof keptSettings>;

const AT_FIRST: Kept = { preferences: { autostart: false, onClose: 'ask' }, window: null };

export interface KeptSettings {
  readonly preferences: ShellPreferences;
  readonly window: WindowPlace | null;
  change(patch: { preferences?: Partial<ShellPreferences>; window?: WindowPlace }): Promise<void>;
}

/** An unreadable file counts as none: the app must open in any case. */
export function openKeptSettings(file: string): KeptSettings {
  let kept = read(file);
  /** Writes run one after the other, so that the latest one wins. */
  let written: Promise<void> = Promise.resolve();
  return {
    get preferences() {
      return kept.preferences;
    },
    get window() {
      return kept.window;
    },
    change({ preferences, window }) {
      kept = {
        preferences: { ...kept.preferences, ...preferences },
        window: window ?? kept.window,
      };
      written = written
        .then(() => writeFileAtomically(file, `${JSON.stringify(kept)}\n`))
        // If the disk is full, the settings are valid only until the app ends.
        .catch(() => undefined);
      return written;
    },
  };
}

function read(file: string): Kept {
  try {
    const parsed = keptSettings.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : AT_FIRST;
  } catch {
    return AT_FIRST;
  }
}
