/** How every page of the app runs. Written out, also where it is Electron's default: a default may change. */
import type { WebPreferences } from '../electron-parts.ts';

/** On disk, and apart from anything else that Electron keeps. */
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
    // A hidden dashboard still tells of fills.
    backgroundThrottling: false,
    devTools: !isPackaged,
  };
}
