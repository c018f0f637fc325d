/** A few words about the thing under the pointer or the focus. Never the only place where something is said. */
import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import css from './popup.module.css';

export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  readonly text: ReactNode;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  readonly children: ReactElement<Record<string, unknown>>;
}) {
  // It stands over its neighbours while the focus stays, and must not keep a click from them.
  return (
    <Base.Root disableHoverablePopup>
      <Base.Trigger render={children} />
      <Base.Portal render={<section aria-label="Hint" />}>
        <Base.Positioner sideOffset={6} side={side} className={css['positioner']}>
          <Base.Popup className={css['tooltip']}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Around everything: the second tooltip of a row of buttons opens at once. */
export function TooltipGroup({ children }: { readonly children: ReactNode }) {
  return <Base.Provider delay={400}>{children}</Base.Provider>;
}
