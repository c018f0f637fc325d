/** What a button over a chart opens: beside the button, which has the focus again afterwards. */
import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import popup from '../../components/popup.module.css';
import css from './chart-popup.module.css';

export interface ChartPopupProps {
  /** The button that opened it. */
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

export function ChartPopup({
  anchor,
  title,
  keepsFocus = () => false,
  onClose,
  children,
}: ChartPopupProps & {
  readonly title: string;
  /** Asked when it closes: something else has the focus then. */
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
          className={`${popup['positioner']} ${popup['overDialog']}`}
          positionMethod="fixed"
          sideOffset={4}
          align="end"
          collisionPadding={4}
        >
          <Popover.Popup
            className={`${popup['popup']} ${css['popup']}`}
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
