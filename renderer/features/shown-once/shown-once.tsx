/** A secret that only this dialog holds, and only until it is closed. */
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import layout from '../../components/layout.module.css';

export function ShownOnce({
  secret,
  title,
  label,
  copy,
  onClose,
  children,
}: {
  readonly secret: string;
  readonly title: string;
  /** Label of the secret's field. */
  readonly label: string;
  /** Text of the button that copies the secret. */
  readonly copy: string;
  readonly onClose: () => void;
  /** Instructions for using the secret. */
  readonly children?: ReactNode;
}) {
  const shown = useRef<HTMLTextAreaElement>(null);
  const [isStored, setStored] = useState(false);
  const [isWarned, setWarned] = useState(false);
  return (
    <Dialog
      open
      // Escape does not close either: an unstored secret would be lost.
      onClose={() => {
        if (isStored) onClose();
        else setWarned(true);
      }}
      easyToClose={false}
      initialFocus={shown}
      title={title}
      description="It is shown here and never again. Store it now."
      actions={
        <>
          <CopyButton words text={secret} label={copy} kind={isStored ? 'secondary' : 'primary'} />
          <Button kind={isStored ? 'primary' : 'secondary'} disabled={!isStored} onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className={layout['stack']}>
        <CodeBlock ref={shown} label={label} text={secret} />
        <Checkbox checked={isStored} onChange={setStored}>
          I have stored it
        </Checkbox>
        {isWarned && !isStored && (
          <p role="alert" className={layout['problem']}>
            Store it first, and tick that you have: it cannot be shown again.
          </p>
        )}
        {children}
      </div>
    </Dialog>
  );
}
