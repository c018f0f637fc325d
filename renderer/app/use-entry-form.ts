/** What the forms of sign-in and registration share: fields that keep what was typed, the gateway's errors beside them. */
import { useState } from 'react';
import type { z } from 'zod';
import { Unauthorized, ValidationFailed } from '../../gateway/client/client.ts';
import { type FieldIssue, schemaIssues } from '../features/field-errors/field-errors.ts';
import { plainIssues } from '../features/field-errors/plain-issues.ts';

export interface EntryForm {
  readonly email: string;
  readonly password: string;
  readonly setEmail: (value: string) => void;
  readonly setPassword: (value: string) => void;
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
  /** What belongs to no field. */
  readonly failure: unknown;
  readonly busy: boolean;
  /** Checks with the schema of the contract, sends, and takes what comes back. */
  submit(schema: z.ZodType, body: object, send: () => Promise<void>): Promise<void>;
}

/** @param known e-mail of who was signed in */
export function useEntryForm(known = ''): EntryForm {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  async function run(send: () => Promise<void>): Promise<void> {
    setErrors({});
    setFailure(null);
    setBusy(true);
    try {
      await send();
    } catch (error) {
      if (error instanceof ValidationFailed && error.fields.length > 0)
        setErrors(byPath(plainIssues(error.fields, null)));
      else if (error instanceof Unauthorized) setErrors({ password: 'E-mail or password is wrong' });
      else setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    email,
    password,
    setEmail,
    setPassword,
    errors,
    failure,
    busy,
    async submit(schema, body, send) {
      const checked = schema.safeParse(body);
      if (checked.success) return run(send);
      setFailure(null);
      setErrors(byPath(plainIssues(schemaIssues(checked.error.issues), body)));
    },
  };
}

function byPath(issues: readonly FieldIssue[]): Readonly<Record<string, string>> {
  return Object.fromEntries(issues.map(({ path, message }) => [path, message]));
}
