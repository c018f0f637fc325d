/**
 * Whether there is a newer version. Off until the packager sets a feed (`electron-builder.yml`): then the app reads the
 * feed's own description once a day and says so; it installs nothing by itself.
 */
export interface UpdateDeps {
  /** Folder of the releases, `https:`; null: off. */
  readonly feed: string | null;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly fetchText: (url: string) => Promise<string>;
  readonly after: (delayMs: number, run: () => void) => () => void;
  readonly found: (version: string) => void;
}

const FIRST_LOOK_MS = 60_000;
const LOOK_EVERY_MS = 24 * 60 * 60 * 1_000;
/** As electron-builder writes them beside the packages. */
const DESCRIPTION: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'latest-mac.yml',
  linux: 'latest-linux.yml',
  win32: 'latest.yml',
};

/** @returns false: it is off */
export function watchForUpdates(deps: UpdateDeps): boolean {
  const name = DESCRIPTION[deps.platform];
  if (deps.feed === null || name === undefined || !URL.canParse(deps.feed)) return false;
  const url = new URL(name, deps.feed.endsWith('/') ? deps.feed : `${deps.feed}/`);
  if (url.protocol !== 'https:') return false;
  let told = deps.version;
  const look = () => {
    deps
      .fetchText(url.href)
      .then((text) => {
        const version = /^version: '?(\d+\.\d+\.\d+)'?\s*$/m.exec(text)?.[1];
        if (version === undefined || !isNewer(version, told)) return;
        told = version;
        deps.found(version);
      })
      // Offline; the next look finds it.
      .catch(() => undefined)
      .finally(() => deps.after(LOOK_EVERY_MS, look));
  };
  deps.after(FIRST_LOOK_MS, look);
  return true;
}

export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
