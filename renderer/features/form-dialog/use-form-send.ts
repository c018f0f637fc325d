/**
 * The course of a form that is sent: the contract's schema looks at it first, then the gateway. What either refuses stands
 * beside its field; what was typed stays. Something that is busy is asked again until it has settled.
 */
import { useState } from 'react';
import type { z } from 'zod';
import { ValidationFailed } from '../../../gateway/client/client.ts';
import { say } from '../../components/toast.tsx';
import {
  errorsOf,
  type FieldErrors,
  type FieldIssue,
  NO_ERRORS,
  schemaIssues,
} from '../field-errors/field-errors.ts';
import { plainIssues } from '../field-errors/plain-issues.ts';
import { settle } from '../resting-action/settle.ts';

export type FormStep = 'idle' | 'sending' | 'settling';

export interface FormSend {
  readonly errors: FieldErrors;
  /** What was wrong as a whole, or with what no field shows; null: nothing. */
  readonly error: unknown;
  /** Messages of fields that the form does not have. */
  readonly elsewhere: readonly string[];
  readonly step: FormStep;
  /** Resolves with true when it went through, or there was nothing to do. */
  readonly send: <Body>(
    schema: z.ZodType,
    body: Body,
    action: (body: Body) => Promise<unknown>,
  ) => Promise<boolean>;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** @param hasField whether the form shows a path of the contract */
export function useFormSend(hasField: (path: string) => boolean): FormSend {
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [step, setStep] = useState<FormStep>('idle');

  const send: FormSend['send'] = async (schema, body, action) => {
    const checked = schema.safeParse(body);
    setError(null);
    setIssues(checked.success ? [] : plainIssues(schemaIssues(checked.error.issues), body));
    if (!checked.success) return false;
    setStep('sending');
    try {
      const outcome = await settle(
        () => action(body),
        wait,
        () => setStep('settling'),
      );
      if (outcome.kind === 'nothing') say('Nothing to do', { detail: outcome.message });
      return true;
    } catch (refusal) {
      const fields = refusal instanceof ValidationFailed ? refusal.fields : [];
      setIssues(fields);
      // A refusal whose every part stands beside a field needs no second place.
      if (fields.length === 0 || !fields.every(({ path }) => hasField(path))) setError(refusal);
      return false;
    } finally {
      setStep('idle');
    }
  };
  return {
    errors: issues.length === 0 ? NO_ERRORS : errorsOf(issues),
    error,
    elsewhere:
      error !== null ? [] : issues.filter(({ path }) => !hasField(path)).map(({ message }) => message),
    step,
    send,
  };
}
