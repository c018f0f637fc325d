/** Refused options of a command, named as they were typed and not as the API names them. */
import { ValidationFailed } from '../client/errors.ts';
import { CliError } from './cli-error.ts';
import type { FlagSpec } from './parse-flags.ts';

type Fields = Pick<FlagSpec, 'name' | 'fields'>;

/** The error of a command with these flags; unchanged where the gateway refused nothing of the request. */
export function namingOptions(error: unknown, flags: readonly Fields[]): unknown {
  if (!(error instanceof CliError && error.cause instanceof ValidationFailed)) return error;
  let { message } = error;
  for (const { path } of error.cause.fields) {
    const name = path === '' ? '' : nameOf(path, flags);
    if (path !== '') message = message.replace(`${path}: `, `${name}: `);
  }
  return new CliError(inWords(message, flags), error.exitCode, error.cause);
}

/** Of the field itself, else of the nearest one that it is in: `condition.value` is what `--when` says. */
function nameOf(path: string, flags: readonly Fields[]): string {
  const [, place] = /^legs\.(\d+)/.exec(path) ?? [];
  if (place !== undefined) return `leg ${Number(place) + 1}`;
  for (let field = path; field !== ''; field = field.slice(0, Math.max(0, field.lastIndexOf('.')))) {
    const names = flags.filter(({ fields }) => fields?.includes(field)).map(({ name }) => name);
    if (names.length > 0) return names.join('/');
  }
  return path;
}

/** Fields that a reason names: words with a capital inside, which no sentence has. */
function inWords(message: string, flags: readonly Fields[]): string {
  return message.replace(/\b[a-z]+(?:[A-Z][a-z]*)+\b/g, (word) => nameOf(word, flags));
}
