/** What the forms of sign-in and registration share: fields that keep what was typed, the gateway's errors beside them. */
import { useState } from 'react';
import type { z } from 'zod';
import { Unauthorized, ValidationFailed } from '../../gateway/client/client.ts';

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
  /** The same for what has no fields. */
  run(send: () => Promise<void>): Promise<void>;
}

export function useEntryForm(): EntryForm {
  const [email, setEmail] = useState('');
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
        setErrors(Object.fromEntries(error.fields.map(({ path, message }) => [path, message])));
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
    run,
    async submit(schema, body, send) {
      const checked = schema.safeParse(body);
      if (checked.success) return run(send);
      setFailure(null);
      setErrors(
        Object.fromEntries(checked.error.issues.map(({ path, message }) => [path.join('.'), message])),
      );
    },
  };
}
