/** Dialog that sets limits, for one agent or key and for all of them together. */
import type { ReactNode } from 'react';
import { TextField } from '../../components/text-field.tsx';
import { FormDialog } from '../../features/form-dialog/form-dialog.tsx';
import type { FormSend } from '../../features/form-dialog/use-form-send.ts';
import { Difference } from './difference.tsx';

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (typed: string) => void;
}

/** Dialog around the limit fields: lists the changes as sentences, and asks for the password to loosen limits. */
export function LimitsDialog({
  sending,
  before,
  after,
  password,
  children,
  ...dialog
}: {
  readonly title: ReactNode;
  readonly description: string;
  readonly size?: 'medium' | 'large';
  readonly sending: FormSend;
  readonly before: readonly string[];
  /** null: the typed values are incomplete. */
  readonly after: readonly string[] | null;
  readonly password: FieldProps;
  readonly onSubmit: () => Promise<boolean>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <FormDialog {...dialog} sending={sending} confirm="Set limits">
      {children}
      <Difference before={before} after={after} />
      {(password.error !== undefined || password.value !== '') && (
        <TextField
          label="Your password"
          help="This allows more than before."
          type="password"
          autoComplete="current-password"
          {...password}
        />
      )}
    </FormDialog>
  );
}
