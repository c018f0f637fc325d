/**
 * Sends every form: the contract's schema checks the body first, then the gateway. A refusal by either is shown beside
 * its field; the typed text stays. A change of a busy resource is retried until it settles.
 */
import { useState } from 'react';
import type { z } from 'zod';
import { useMaybeAccount } from '../../api/session.ts';
import { say } from '../../components/toast.tsx';
import {
  errorsOf,
  type FieldErrors,
  type FieldIssue,
  refusedFields,
  schemaIssues,
  unplaced,
} from '../field-errors/field-errors.ts';
import { plainIssues } from '../field-errors/plain-issues.ts';
import { useAction } from '../one-at-a-time/use-action.ts';
import { settle } from '../resting-action/settle.ts';

export interface FormSend {
  readonly errors: FieldErrors;
  /** Error of the whole form, or of a value without a field; null: none. */
  readonly error: unknown;
  /** Messages about paths for which the form has no field. */
  readonly elsewhere: readonly string[];
  readonly step: 'idle' | 'sending' | 'settling';
  /** Resolves with true when the gateway accepted the form, or there was nothing to do. */
  readonly send: <Body>(
    schema: z.ZodType,
    body: Body,
    work: (body: Body) => Promise<unknown>,
  ) => Promise<boolean>;
  /** Refuses the form before sending, for issues that the form itself found. Always returns false: nothing was sent. */
  readonly refuse: (issues: readonly FieldIssue[]) => false;
  /** Clears the errors, because the typed values have changed. */
  readonly forget: () => void;
  /** Clears the error of the field with this name, because its value has changed; without a name, all errors. */
  readonly correct: (name: string) => void;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * @param fields the contract's paths that have a field in this form
 * @param settles false: a "busy" error is shown at once instead of being retried
 */
export function useFormSend(fields: Pick<RegExp, 'test'>, { settles = true } = {}): FormSend {
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  /** Names of the fields that were changed since the errors came. */
  const [corrected, setCorrected] = useState<readonly string[]>([]);
  const [isSettling, setSettling] = useState(false);
  const account = useMaybeAccount() ?? undefined;
  const action = useAction(async (work: () => Promise<unknown>) => {
    setSettling(false);
    if (!settles) return void (await work());
    const outcome = await settle(work, wait, () => setSettling(true));
    if (outcome.kind === 'nothing') say('Nothing to do', { detail: outcome.message, account });
  });
  const hasField = (path: string) => fields.test(path);
  const refused = plainIssues(refusedFields(action.error), null);
  // A refusal whose issues are all shown beside fields is not repeated for the whole form.
  const isPlaced = refused.length > 0 && unplaced(refused, hasField).length === 0;
  const refuse = (found: readonly FieldIssue[]): false => {
    setIssues(found);
    setCorrected([]);
    action.forget();
    return false;
  };
  return {
    errors: errorsOf([...issues, ...refused].filter(({ path }) => !isCorrected(corrected, path))),
    error: isPlaced ? null : action.error,
    elsewhere: unplaced(issues, hasField).map(({ message }) => message),
    step: !action.busy ? 'idle' : isSettling ? 'settling' : 'sending',
    async send(schema, body, work) {
      const checked = schema.safeParse(body);
      setIssues([]);
      setCorrected([]);
      if (checked.success) return action.run(() => work(body));
      return refuse(plainIssues(schemaIssues(checked.error.issues), body));
    },
    refuse,
    correct: (name) => setCorrected((before) => (before.includes(name) ? before : [...before, name])),
    forget: () => {
      if (!action.busy) refuse([]);
    },
  };
}

/** Names of fields are the contract's paths, or their ends inside a part of the form; empty: every field. */
function isCorrected(names: readonly string[], path: string): boolean {
  return names.some((name) => name === '' || path === name || path.endsWith(`.${name}`));
}
