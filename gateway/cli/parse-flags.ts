/** Command-line flags: `--name value`, `--name=value`, `--switch`, `--switch=false`; `--` ends the flags. */
import { fail, ok, type Result } from '../domain/result.ts';
import { suggestion } from './nearest.ts';

export interface FlagSpec {
  /** Name of the flag with its dashes: `--port`. */
  readonly name: string;
  /** `list`: the flag may be given several times. */
  readonly kind: 'text' | 'switch' | 'list';
  /** Name of the value in the help, e.g. `<port>`. */
  readonly value?: string;
  readonly help: string;
  /** Fields of the request that it fills: where the gateway refuses one, the flag is named (option-names.ts). */
  readonly fields?: readonly string[];
  /** Every value that the flag takes, for completion. */
  readonly values?: readonly string[];
  /** Short form of the flag, e.g. `-h`. */
  readonly short?: string;
  /** The flag works, but the help does not name it: test-only switches. */
  readonly hidden?: boolean;
}

export interface ParsedFlags {
  /** Flag name → text. */
  readonly texts: ReadonlyMap<string, string>;
  readonly switches: ReadonlyMap<string, boolean>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
}

/** Parses flags and positional arguments (`words`); fails with one line for each problem. */
export function parseFlags(
  argv: readonly string[],
  specs: readonly FlagSpec[],
): Result<ParsedFlags, readonly string[]> {
  const texts = new Map<string, string>();
  const switches = new Map<string, boolean>();
  const lists = new Map<string, string[]>();
  const words: string[] = [];
  const problems: string[] = [];

  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (argument === '--') {
      words.push(...argv.slice(index + 1));
      break;
    }
    if (!argument.startsWith('-') || argument === '-') {
      words.push(argument);
      continue;
    }
    const equals = argument.startsWith('--') ? argument.indexOf('=') : -1;
    const name = equals < 0 ? argument : argument.slice(0, equals);
    const inline = equals < 0 ? null : argument.slice(equals + 1);
    const spec = specs.find((known) => known.name === name || known.short === name);
    if (spec === undefined) {
      const known = specs.filter((one) => one.hidden !== true).map((one) => one.name);
      problems.push(`unknown flag ${name}${suggestion(name, known)}`);
      // The next word may be the value of the unknown flag, so it is skipped instead of being reported too.
      if (inline === null && argv[index + 1]?.startsWith('-') === false) index += 1;
      continue;
    }
    if (spec.kind === 'switch') {
      if (inline !== null && inline !== 'true' && inline !== 'false') {
        problems.push(`${spec.name} takes no value (or true, false), not '${inline}'`);
        continue;
      }
      switches.set(spec.name, inline !== 'false');
      continue;
    }
    let value = inline;
    if (value === null) {
      const next = argv[index + 1];
      if (next === undefined || next.startsWith('--')) {
        problems.push(`${spec.name} needs a value ${spec.value ?? ''}`.trimEnd());
        continue;
      }
      value = next;
      index += 1;
    }
    if (spec.kind === 'list') lists.set(spec.name, [...(lists.get(spec.name) ?? []), value]);
    else if (texts.has(spec.name)) problems.push(`${spec.name} is given twice`);
    else texts.set(spec.name, value);
  }
  return problems.length === 0 ? ok({ texts, switches, lists, words }) : fail(problems);
}
