/** A question or a form over the page. Escape closes the dialog; its caller keeps the typed text. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { AccountMark, markOf, type NamedAccount } from './badge.tsx';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import css from './dialog.module.css';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** Account that the dialog acts on, shown by mark and name under the title. */
  readonly account?: NamedAccount | undefined;
  readonly children?: ReactNode;
  /** Buttons at the end of the dialog; the confirming one comes last. */
  readonly actions?: ReactNode;
  readonly size?: 'small' | 'medium' | 'large';
  /** False: a click outside does not close the dialog. Escape and the close button do. */
  readonly easyToClose?: boolean;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** The dialog has to be answered: there is no button that closes it. */
  readonly mustAnswer?: boolean;
}

export function Dialog(props: DialogProps) {
  return <Modal {...props} place="dialog" />;
}

/** A dialog at the right edge, as high as the page: details of a row. */
export function Drawer(props: Omit<DialogProps, 'size'> & { readonly size?: 'medium' | 'large' }) {
  return <Modal {...props} place="drawer" />;
}

function Modal({
  open,
  onClose,
  title,
  description,
  account,
  children,
  actions,
  size = 'medium',
  easyToClose = true,
  initialFocus,
  mustAnswer = false,
  place,
}: DialogProps & { readonly place: 'dialog' | 'drawer' }) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      disablePointerDismissal={!easyToClose}
    >
      <Base.Portal>
        <Base.Backdrop className={css['backdrop']} />
        <Base.Popup
          className={classNames(css['popup'], css[place], css[size])}
          {...(initialFocus === undefined ? {} : { initialFocus })}
        >
          <header className={css['header']}>
            <div>
              <Base.Title className={css['title']}>{title}</Base.Title>
              {(description !== undefined || account !== undefined) && (
                <Base.Description className={css['description']}>
                  {account !== undefined && <AccountMark {...markOf(account)} />}
                  {description !== undefined && <span>{description}</span>}
                </Base.Description>
              )}
            </div>
            {!mustAnswer && <Base.Close render={<IconButton label="Close" icon={<X />} />} />}
          </header>
          {children !== undefined && <div className={css['body']}>{children}</div>}
          {actions !== undefined && <footer className={css['actions']}>{actions}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
