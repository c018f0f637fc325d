/** An irreversible action that needs a confirmation; after a failure the question stays, with the error. */
import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { say } from '../../components/toast.tsx';
import { useAction } from '../one-at-a-time/use-action.ts';

type Question = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'account' | 'confirm' | 'children' | 'onClose'
>;

export function ConfirmedAction({
  work,
  done,
  onClose,
  ...question
}: Question & {
  readonly work: () => Promise<void>;
  /** Toast after a success. */
  readonly done: string;
}) {
  const action = useAction(work);
  const confirm = async () => {
    if (!(await action.run())) return;
    say(done, { kind: 'success', account: question.account });
    onClose();
  };
  return (
    <ConfirmDialog
      {...question}
      open
      onClose={onClose}
      onConfirm={() => void confirm()}
      danger
      busy={action.busy}
      error={action.error}
    />
  );
}
