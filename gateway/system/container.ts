/** Whether this process runs in a container, as container runtimes tell: a file of theirs, or the variable `container`. */
import { existsSync } from 'node:fs';

const MARKS = ['/.dockerenv', '/run/.containerenv'];

export function isInContainer(env: Readonly<Record<string, string | undefined>> = process.env): boolean {
  return Boolean(env['container']) || MARKS.some((path) => existsSync(path));
}
