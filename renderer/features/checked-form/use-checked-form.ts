/**
 * A form that the contract's own schema checks before it is sent; what the gateway then refuses stands beside the same
 * fields. What was typed is the caller's and stays whatever happens.
 */
import { useState } from 'react';
import type { z } from 'zod';
import { ValidationFailed } from '../../../gateway/client/client.ts';
import {
  errorsOf,
  type FieldErrors,
  type FieldIssue,
  schemaIssues,
  unplaced,
} from '../field-errors/field-errors.ts';
import { plainIssues } from '../field-errors/plain-issues.ts';
import { useAction } from '../one-at-a-time/use-action.ts';

export interface CheckedForm<Body> {
  readonly busy: boolean;
  /** Message beside a field, by the path of the contract. */
  readonly errorAt: FieldErrors;
  /** What no field shows: the error as a whole, or null. */
  readonly error: unknown;
  /** True: it was accepted. */
  readonly send: (body: Body) => Promise<boolean>;
  /** Forgets errors: another opening of the dialog. */
  readonly forget: () => void;
}

export function useCheckedForm<Schema extends z.ZodType>(
  schema: Schema,
  isShown: (path: string) => boolean,
  work: (body: z.input<Schema>) => Promise<void>,
): CheckedForm<z.input<Schema>> {
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const action = useAction(work);
  const refused = action.error instanceof ValidationFailed ? action.error.fields : [];
  const all = [...issues, ...plainIssues(refused, null)];
  const hidden = unplaced(all, isShown);
  const isShownBeside = all.length > 0 && hidden.length === 0;
  return {
    busy: action.busy,
    errorAt: errorsOf(all),
    error: isShownBeside
      ? null
      : (action.error ?? (hidden[0] === undefined ? null : new Error(hidden[0].message))),
    async send(body) {
      const checked = schema.safeParse(body);
      setIssues(checked.success ? [] : plainIssues(schemaIssues(checked.error.issues), body));
      if (!checked.success) {
        action.forget();
        return false;
      }
      return action.run(body);
    },
    forget() {
      setIssues([]);
      action.forget();
    },
  };
}
