/** Messages beside fields, from the contract's schema or from the gateway: both name fields by the same paths. */
import { ValidationFailed } from '../../../gateway/client/errors.ts';

export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** The first message for a path; undefined where the field is valid. */
export type FieldErrors = (path: string) => string | undefined;

export const NO_ERRORS: FieldErrors = () => undefined;

/** Issues of a zod schema with the paths as the gateway writes them: `legs.0.amount`. */
export function schemaIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): readonly FieldIssue[] {
  return issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
}

/** Field issues of a gateway's refusal; empty when the refusal concerns the whole request. */
export function refusedFields(error: unknown): readonly FieldIssue[] {
  return error instanceof ValidationFailed ? error.fields : [];
}

export function errorsOf(issues: readonly FieldIssue[]): FieldErrors {
  return (path) => issues.find((issue) => issue.path === path)?.message;
}

/** Errors of a part of the form: `within(errors, 'takeProfit')('value')`. */
export function within(errors: FieldErrors, prefix: string): FieldErrors {
  return (path) => errors(path === '' ? prefix : `${prefix}.${path}`);
}

/** Issues without a field in the form: shown above the button instead of being lost. */
export function unplaced(
  issues: readonly FieldIssue[],
  isShown: (path: string) => boolean,
): readonly FieldIssue[] {
  return issues.filter(({ path }) => !isShown(path));
}

/** Bounds of a field that is typed in percent and sent as a fraction: "at most 0.1" → "at most 10 %". */
export function inPercent(message: string | undefined): string | undefined {
  return message?.replace(/(at least|at most) (\d+(?:\.\d+)?)$/, (_, bound: string, fraction: string) => {
    const [whole = '0', decimals = ''] = fraction.split('.');
    const digits = `${whole}${decimals.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
    const rest = decimals.slice(2);
    return `${bound} ${digits}${rest === '' ? '' : `.${rest}`} %`;
  });
}
