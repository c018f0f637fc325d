/** A dialog with a form: Enter sends the form, errors are shown inside, the button shows the progress. */
import { type FormEvent, type ReactNode, useId, useRef } from 'react';
import type { NamedAccount } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import layout from '../../components/layout.module.css';
import { FormProblems } from './form-problems.tsx';
import type { FormSend } from './use-form-send.ts';

/** Name of a control; empty: it has none, like the control that chooses the kind of form. */
function nameOf(target: EventTarget): string {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.name : '';
}

/** First field for typing or switching. Radio buttons that choose the kind of form are skipped. */
const FIRST_FIELD = '[role="switch"], input:not([type="radio"], [type="checkbox"], [aria-hidden="true"])';

export function FormDialog({
  title,
  description,
  account,
  onClose,
  sending,
  confirm,
  back = <Button onClick={onClose}>Back</Button>,
  danger = false,
  canSend = true,
  size = 'medium',
  easyToClose = false,
  onSubmit,
  children,
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly account?: NamedAccount | undefined;
  readonly sending: FormSend;
  /** Verb on the confirming button. */
  readonly confirm: string;
  /** Text of the button that leaves the form. */
  readonly back?: ReactNode;
  readonly danger?: boolean;
  readonly canSend?: boolean;
  /** A click outside closes the dialog too. */
  readonly easyToClose?: boolean;
  readonly size?: 'small' | 'medium' | 'large';
  /** Resolves with true on success, which closes the dialog. */
  readonly onSubmit: () => Promise<boolean>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) {
  const id = useId();
  const first = useRef<HTMLElement | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (canSend && sending.step === 'idle' && (await onSubmit())) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      account={account}
      size={size}
      easyToClose={easyToClose}
      initialFocus={first}
      actions={
        <>
          {back}
          <Button
            kind={danger ? 'danger' : 'primary'}
            type="submit"
            form={id}
            busy={sending.step !== 'idle'}
            disabled={!canSend}
          >
            {sending.step === 'settling' ? 'Settling…' : confirm}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={(node) => {
          first.current = node?.querySelector<HTMLElement>(FIRST_FIELD) ?? node;
        }}
        tabIndex={-1}
        className={layout['stack']}
        onSubmit={(event) => void submit(event)}
        onInput={({ target }) => sending.correct(nameOf(target))}
        noValidate
      >
        {children}
        <FormProblems sending={sending} />
      </form>
    </Dialog>
  );
}
