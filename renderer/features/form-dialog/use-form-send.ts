/**
 * The course of every form that is sent: the contract's schema looks at it first, then the gateway. What either refuses
 * stands beside its field; what was typed stays. Something that is busy is asked again until it has settled.
 */
import { useState } from 'react';
import type { z } from 'zod';
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
  /** What was wrong as a whole, or with what no field shows; null: nothing. */
  readonly error: unknown;
  /** Messages of fields that the form does not have. */
  readonly elsewhere: readonly string[];
  readonly step: 'idle' | 'sending' | 'settling';
  /** Resolves with true when it went through, or there was nothing to do. */
  readonly send: <Body>(
    schema: z.ZodType,
    body: Body,
    work: (body: Body) => Promise<unknown>,
  ) => Promise<boolean>;
  /** Not sent: the form itself has found something. Returns false, as what was not sent did not go through. */
  readonly refuse: (issues: readonly FieldIssue[]) => false;
  /** Something else is typed: what was wrong before is not said of it. */
  readonly forget: () => void;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * @param fields the paths of the contract that the form shows
 * @param settles false: what is busy is refused at once
 */
export function useFormSend(fields: Pick<RegExp, 'test'>, { settles = true } = {}): FormSend {
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const [isSettling, setSettling] = useState(false);
  const action = useAction(async (work: () => Promise<unknown>) => {
    setSettling(false);
    if (!settles) return void (await work());
    const outcome = await settle(work, wait, () => setSettling(true));
    if (outcome.kind === 'nothing') say('Nothing to do', { detail: outcome.message });
  });
  const hasField = (path: string) => fields.test(path);
  const refused = plainIssues(refusedFields(action.error), null);
  // A refusal whose every part stands beside a field needs no second place.
  const isPlaced = refused.length > 0 && unplaced(refused, hasField).length === 0;
  const refuse = (found: readonly FieldIssue[]): false => {
    setIssues(found);
    action.forget();
    return false;
  };
  return {
    errors: errorsOf([...issues, ...refused]),
    error: isPlaced ? null : action.error,
    elsewhere: unplaced(issues, hasField).map(({ message }) => message),
    step: !action.busy ? 'idle' : isSettling ? 'settling' : 'sending',
    async send(schema, body, work) {
      const checked = schema.safeParse(body);
      setIssues([]);
      if (checked.success) return action.run(() => work(body));
      return refuse(plainIssues(schemaIssues(checked.error.issues), body));
    },
    refuse,
    forget: () => {
      if (!action.busy) refuse([]);
    },
  };
}
