/** Messages of the contract's schemas in the words of a form's user. */
import type { FieldIssue } from './field-errors.ts';

/** @param body the checked body; it shows whether a refused field is empty or wrong */
export function plainIssues(issues: readonly FieldIssue[], body: unknown): readonly FieldIssue[] {
  return issues.map((issue) => plainer(issue, valueAt(body, issue.path)));
}

/** Pattern of zod's message: "Too small: expected string to have >=10 characters". */
const LENGTH = /^Too (?:small|big): expected \w+ to have ([<>])=(\d+) (characters|items)$/;

function plainer({ path, message }: FieldIssue, value: unknown): FieldIssue {
  if (value === '') return { path, message: 'Needed' };
  // Text in a field that is sent as a JSON number, itself or as NaN.
  if (
    Number.isNaN(value) ||
    (typeof value === 'string' && message.startsWith('Invalid input: expected number'))
  )
    return { path, message: 'Expected a whole number' };
  if (message.startsWith('Expected a decimal string'))
    return { path, message: 'Expected a number such as 12.5' };
  const length = LENGTH.exec(message);
  if (length !== null)
    return { path, message: `${length[1] === '>' ? 'At least' : 'At most'} ${length[2]} ${length[3]}` };
  return { path, message: message.replace('PRICE_RATIO', 'The price ratio') };
}

function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, name) => (typeof part === 'object' && part !== null ? Reflect.get(part, name) : undefined),
      body,
    );
}
