/** The description of a release, as electron-builder writes it beside the packages: `latest-linux.yml` and its like. */

export interface ReleaseFile {
  readonly name: string;
  /** SHA-512 of the file, base64. */
  readonly sha512: string;
  readonly bytes: number;
}

export interface Release {
  readonly version: string;
  readonly files: readonly ReleaseFile[];
}

/** More than the size of any package; a description with a larger file is refused. */
const MAX_BYTES = 500_000_000;
/** Name of a file in the feed's own folder, without any path that leads elsewhere. */
const FILE_NAME = /^[\w][\w.-]{0,127}$/;
const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}$/;
const SHA512 = /^[A-Za-z0-9+/]{86}==$/;

/** null: the text is not a description, or its version or a file is malformed. */
export function readRelease(text: string): Release | null {
  let version: string | null = null;
  const files: { name?: string; sha512?: string; bytes?: number }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, lead = '', key = '', quoted = ''] = /^( {0,4}| {2}- )(\w+): ?(.*)$/.exec(line) ?? [];
    const value = quoted.replace(/^(['"])(.*)\1$/, '$2').trim();
    const file = files.at(-1);
    if (lead === '' && key === 'version') version = value;
    else if (lead === '  - ' && key === 'url') files.push({ name: value });
    else if (lead === '    ' && key === 'sha512' && file !== undefined) file.sha512 = value;
    else if (lead === '    ' && key === 'size' && file !== undefined) file.bytes = Number(value);
  }
  if (version === null || !VERSION.test(version)) return null;
  const whole: ReleaseFile[] = [];
  for (const { name = '', sha512 = '', bytes = 0 } of files) {
    const isSound = Number.isSafeInteger(bytes) && bytes > 0 && bytes <= MAX_BYTES;
    if (!FILE_NAME.test(name) || !SHA512.test(sha512) || !isSound) return null;
    whole.push({ name, sha512, bytes });
  }
  return { version, files: whole };
}

export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map(Number));
  for (let at = 0; at < 3; at += 1) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
