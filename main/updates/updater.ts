/**
 * Newer versions of the app. Off until the packager sets a feed (`TANDEM_UPDATE_FEED`): then the feed's description is
 * read once a day, and the user is notified once of each version. Nothing is downloaded or installed without a yes, and
 * a download is used only when its SHA-512 is the published one.
 */
import type { ElectronParts } from '../electron-parts.ts';
import { downloadFile, type OpenUrl } from './download.ts';
import { fileFor, type Installation, replaceAppImage } from './installation.ts';
import { isNewer, type Release, readRelease } from './release.ts';

export interface UpdaterDeps {
  readonly electron: Pick<ElectronParts, 'Notification' | 'app' | 'dialog' | 'shell'>;
  /** Folder of the releases; null: off. */
  readonly feed: string | null;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly installation: () => Promise<Installation | null>;
  /** Folder of downloads. */
  readonly folder: string;
  readonly open: OpenUrl;
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Called when the menus have to be updated. */
  readonly changed: () => void;
  /**
   * Ends the app as its Quit does; `last` runs when the gateway has drained. False: the person keeps the app running.
   */
  readonly quit: (last: () => Promise<void>) => Promise<boolean>;
  /** Starts an installer, which outlives the app. */
  readonly launch: (program: string, args: readonly string[]) => void;
}

export interface Updater {
  /** Entry of the menus: `Update to 0.2.0…`; null: there is no newer version. */
  readonly offer: string | null;
  /** Asks the person, and updates on a yes. One at a time. */
  accept(): Promise<void>;
}

const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 24 * 60 * 60 * 1_000;
const MAX_DESCRIPTION_BYTES = 100_000;

export function createUpdater(deps: UpdaterDeps): Updater {
  const { electron } = deps;
  const feed = feedFolder(deps.feed);
  const description = descriptionName(deps.platform, deps.arch);
  let release: Release | null = null;
  let isBusy = false;

  if (feed !== null && description !== null) deps.after(FIRST_LOOK_MS, look);

  function look(): void {
    readText(deps.open, new URL(description ?? '', feed ?? '').href)
      .then((text) => {
        const found = readRelease(text);
        if (found === null || !isNewer(found.version, release?.version ?? deps.version)) return;
        release = found;
        deps.changed();
        tell(found.version);
      })
      // Offline, or the feed is just being written: the next check will find it.
      .catch(() => undefined)
      .finally(() => deps.after(LOOK_EVERY_MS, look));
  }

  function tell(version: string): void {
    if (!electron.Notification.isSupported()) return;
    const notice = new electron.Notification({
      title: `Tandem ${version} is available`,
      body: `You have ${deps.version}. Click to see what happens next; nothing is downloaded before.`,
    });
    notice.on('click', () => void accept());
    notice.show();
  }

  async function accept(): Promise<void> {
    if (release === null || feed === null || isBusy) return;
    isBusy = true;
    try {
      await install(release, feed);
    } catch (error) {
      await say(
        'The update was not installed',
        `${error instanceof Error ? error.message : String(error)}. Tandem ${deps.version} goes on as it was.`,
      );
    } finally {
      isBusy = false;
    }
  }

  async function install({ version, files }: Release, from: string): Promise<void> {
    const installation = await deps.installation();
    const file = installation === null ? null : fileFor({ version, files }, installation.kind, deps.arch);
    if (installation === null || file === null) {
      const isYes = await ask(
        `Tandem ${version} is available`,
        `This installation is not replaced by the app. The new version is at ${from}`,
        'Open the address',
      );
      if (isYes) await electron.shell.openExternal(from);
      return;
    }
    const isYes = await ask(
      `Update Tandem ${deps.version} to ${version}?`,
      `${(file.bytes / 1e6).toFixed(0)} MB from ${new URL(from).host}, compared with the published SHA-512. ${WHAT_FOLLOWS[installation.kind]}`,
      'Download and install',
    );
    if (!isYes) return;
    const downloaded = await downloadFile(deps.open, from, file, deps.folder);
    if (installation.kind === 'deb' || installation.kind === 'dmg') {
      const problem = await electron.shell.openPath(downloaded);
      if (problem !== '') throw new Error(`${downloaded} could not be opened: ${problem}`);
      return;
    }
    await deps.quit(async () => {
      if (installation.kind === 'appimage') {
        await replaceAppImage(installation.program, downloaded);
        electron.app.relaunch({ execPath: installation.program, args: [] });
      } else deps.launch(downloaded, ['--updated', '--force-run']);
    });
  }

  async function ask(message: string, detail: string, yes: string): Promise<boolean> {
    const { response } = await electron.dialog.showMessageBox({
      type: 'question',
      message,
      detail,
      buttons: [yes, 'Not now'],
      defaultId: 0,
      cancelId: 1,
    });
    return response === 0;
  }

  async function say(message: string, detail: string): Promise<void> {
    await electron.dialog.showMessageBox({
      type: 'error',
      message,
      detail,
      buttons: ['OK'],
      defaultId: 0,
      cancelId: 0,
    });
  }

  return {
    get offer() {
      return release === null ? null : `Update to ${release.version}…`;
    },
    accept,
  };
}

const WHAT_FOLLOWS = {
  appimage: 'Tandem then ends as when you quit it, and starts again as the new version.',
  nsis: 'Tandem then ends as when you quit it, and the installer opens.',
  deb: 'Your system then opens the package; Tandem goes on until you quit it.',
  dmg: 'Your system then opens the disk image; Tandem goes on until you quit it.',
} as const;

/** Address of the feed with a slash at its end; null: updates are off, or the address may not be asked. */
function feedFolder(feed: string | null): string | null {
  if (feed === null || !URL.canParse(feed)) return null;
  const url = new URL(feed.endsWith('/') ? feed : `${feed}/`);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}

/**
 * Name of a release's description, as electron-builder gives it; null: there are no packages for this system.
 */
function descriptionName(platform: NodeJS.Platform, arch: string): string | null {
  if (platform === 'darwin') return 'latest-mac.yml';
  if (platform === 'win32') return 'latest.yml';
  if (platform !== 'linux') return null;
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
}

async function readText(open: OpenUrl, url: string): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of await open(url)) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_DESCRIPTION_BYTES) throw new Error('not a description of a release');
  }
  return text;
}
