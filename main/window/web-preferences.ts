/**
 * Preferences of every page of the app. Electron's defaults are written out too, because a default may change.
 */
import type { WebPreferences } from '../electron-parts.ts';

/** Partition of the app's pages: on disk, apart from all other data that Electron keeps. */
export const PARTITION = 'persist:tandem';

/** @param preload null: a page that has nothing to ask of the app (consent) */
export function webPreferences(preload: string | null, isPackaged: boolean): WebPreferences {
  return {
    ...(preload === null ? {} : { preload }),
    partition: PARTITION,
    contextIsolation: true,
    sandbox: true,
    webSecurity: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    // Not throttled in the background, because a hidden dashboard still notifies of fills.
    backgroundThrottling: false,
    devTools: !isPackaged,
  };
}
