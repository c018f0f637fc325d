/** What the dialogs that set limits share: of one agent or key, and over all of them. */
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

const MONEY = {
  maxOrderUsd: 'One order',
  maxOpenedUsd24h: 'Opened in 24 hours',
  maxGrossUsd: 'Held and waiting',
};
const COUNTS = { maxPositions: 'Positions', maxResting: 'Waiting orders' };
type LimitName = keyof typeof MONEY | keyof typeof COUNTS;

/** Fields of the limits that one agent and all of them together can have. */
export function LimitFields({ field }: { readonly field: (name: LimitName) => FieldProps }) {
  const named = (labels: Partial<Record<LimitName, string>>, after?: string) =>
    (Object.keys(labels) as LimitName[]).map((name) => (
      <TextField
        key={name}
        label={`${labels[name]}, at most`}
        {...(after === undefined ? {} : { after })}
        {...field(name)}
        numeric
      />
    ));
  return (
    <>
      {named(MONEY, 'USD')}
      {named(COUNTS)}
    </>
  );
}

/** The dialog around the fields: what changes in sentences, and the password where more is allowed than before. */
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
  /** null: what is typed is not complete. */
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
