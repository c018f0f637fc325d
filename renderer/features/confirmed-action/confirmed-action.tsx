/** Something that cannot be taken back, done once it is confirmed: the question stays with the error when it went wrong. */
import type { ComponentProps } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { say } from '../../components/toast.tsx';
import { useAction } from '../one-at-a-time/use-action.ts';

type Question = Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'confirm' | 'children' | 'onClose'>;

export function ConfirmedAction({
  work,
  done,
  onClose,
  ...question
}: Question & {
  readonly work: () => Promise<void>;
  /** Said when it went well. */
  readonly done: string;
}) {
  const action = useAction(work);
  const confirm = async () => {
    if (!(await action.run())) return;
    say(done, { kind: 'success' });
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
