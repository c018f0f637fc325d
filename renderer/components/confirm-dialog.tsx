/** "Really?": the consequences in plain words, Cancel focused. After a failure the dialog stays open with the error. */
import { type ReactNode, useRef } from 'react';
import type { NamedAccount } from './badge.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { HoldToConfirm } from './hold-to-confirm.tsx';
import { ErrorState } from './states.tsx';

export function ConfirmDialog({
  open,
  onClose,
  onConfirm,
  title,
  account,
  children,
  confirm,
  danger = false,
  hold = false,
  busy = false,
  error = null,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly title: ReactNode;
  readonly account?: NamedAccount | undefined;
  readonly children?: ReactNode;
  /** Verb on the button: "Cancel order". */
  readonly confirm: string;
  readonly danger?: boolean;
  /** The button must be held to confirm. */
  readonly hold?: boolean;
  readonly busy?: boolean;
  readonly error?: unknown;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      account={account}
      size="small"
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={onClose}>
            Back
          </Button>
          {hold ? (
            <HoldToConfirm onConfirm={onConfirm} busy={busy}>
              {confirm}
            </HoldToConfirm>
          ) : (
            <Button kind={danger ? 'danger' : 'primary'} onClick={onConfirm} busy={busy}>
              {confirm}
            </Button>
          )}
        </>
      }
    >
      {children}
      {error !== null && error !== undefined && <ErrorState compact error={error} />}
    </Dialog>
  );
}
