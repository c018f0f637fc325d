/** Puts one entry into a settings file of another program and leaves the rest of it as it is. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '../system/atomic-file.ts';
import type { ClientFile } from './agent-clients.ts';
import { CliError } from './cli-error.ts';

const NAME = 'tandem';

export interface FileChange {
  /** null: there is no such entry yet. */
  readonly before: unknown;
  readonly isSame: boolean;
  /** Writes it. Rejects with CliError, and the file is as it was. */
  write(): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws CliError when the file cannot be read, or could not be written back as it is */
export function fileChange({ path, installed, section, entry }: ClientFile): FileChange {
  const text = textOf(path);
  const whole = contentOf(path, text);
  const entries = whole[section] ?? {};
  if (!isFields(entries)) throw notOurs(path, `"${section}" is not an object`);
  const before = entries[NAME] ?? null;
  return {
    before,
    isSame: JSON.stringify(before) === JSON.stringify(entry),
    async write() {
      if (installed !== null && !existsSync(installed))
        throw new CliError(`${installed} is not there: start the program once, or write the file by hand`);
      const next = { ...whole, [section]: { ...entries, [NAME]: entry } };
      const end = text === null || text.endsWith('\n') ? '\n' : '';
      await mkdir(dirname(path), { recursive: true });
      // The program may be running, and writes its settings too.
      if (textOf(path) !== text) throw new CliError(`${path} was changed meanwhile; try again`);
      // A link that leads to the file stays one, and who may read the file stays too.
      const target = text === null ? path : realpathSync(path);
      const mode = text === null ? 0o600 : statSync(target).mode & 0o777;
      await writeFileAtomically(target, `${JSON.stringify(next, null, indentOf(text))}${end}`, mode);
    },
  };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new CliError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contentOf(path: string, text: string | null): Fields {
  if (text === null || text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notOurs(path, 'it is not plain JSON (comments, perhaps)');
  }
  if (!isFields(value)) throw notOurs(path, 'it is not a JSON object');
  return value;
}

const notOurs = (path: string, why: string) =>
  new CliError(`${path} is left as it is, because ${why}: put the entry in by hand`);

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Indentation of the file, as its first indented line has it. */
function indentOf(text: string | null): string {
  return /\n([ \t]+)\S/.exec(text ?? '')?.[1] ?? '  ';
}
