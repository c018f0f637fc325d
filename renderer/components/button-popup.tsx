/** Popup beside the button that opens it. The button also closes it, and gets the focus back afterwards. */
import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import { classNames } from './class-names.ts';
import css from './popup.module.css';

export interface ButtonPopupProps {
  /** The button that opened it. */
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

export function ButtonPopup({
  anchor,
  title,
  className,
  align = 'center',
  keepsFocus = () => false,
  onClose,
  children,
}: ButtonPopupProps & {
  readonly title: string;
  /** Class that sets the width. */
  readonly className: string | undefined;
  readonly align?: 'center' | 'end';
  /** Called on close; true: something else has the focus then and keeps it. */
  readonly keepsFocus?: () => boolean;
  readonly children: ReactNode;
}) {
  return (
    <Popover.Root
      open
      onOpenChange={(_, { event }) => {
        // The button itself closes it.
        const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target) === true;
        if (!isOnButton || event.type === 'keydown') onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          className={classNames(css['positioner'], css['overDialog'])}
          positionMethod="fixed"
          sideOffset={4}
          align={align}
          collisionPadding={4}
        >
          <Popover.Popup
            className={classNames(css['popup'], css['buttonPopup'], className)}
            finalFocus={() => (keepsFocus() ? false : anchor.current)}
          >
            <Popover.Title className={css['title']}>{title}</Popover.Title>
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
