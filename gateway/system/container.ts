/** Detects whether this process runs in a container, by a file of container runtimes or the variable `container`. */
import { existsSync } from 'node:fs';

const MARKS = ['/.dockerenv', '/run/.containerenv'];

export function isInContainer(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return Boolean(env['container']) || MARKS.some((path) => existsSync(path));
}
