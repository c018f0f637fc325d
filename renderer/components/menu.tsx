/** Actions under a button: `<Menu trigger={<IconButton …/>} items={[…]} />`. */
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './popup.module.css';

export type MenuItem =
  | {
      readonly id: string;
      readonly label: ReactNode;
      readonly icon?: ReactNode;
      readonly hint?: ReactNode;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      readonly onSelect: () => void;
    }
  | { readonly id: string; readonly separator: true }
  | { readonly id: string; readonly heading: string };

export function Menu({
  trigger,
  items,
  align = 'start',
}: {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly items: readonly MenuItem[];
  readonly align?: 'start' | 'end';
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal render={<section aria-label="Menu" />}>
        <Base.Positioner
          className={classNames(css['positioner'], css['overDialog'], css['list'])}
          positionMethod="fixed"
          sideOffset={4}
          align={align}
        >
          <Base.Popup className={css['popup']}>{items.map(drawItem)}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function drawItem(item: MenuItem) {
  if ('separator' in item) return <Base.Separator key={item.id} className={css['separator']} />;
  if ('heading' in item)
    return (
      <div key={item.id} className={css['groupLabel']} role="presentation">
        {item.heading}
      </div>
    );
  return (
    <Base.Item
      key={item.id}
      className={classNames(css['item'], item.danger === true && css['dangerItem'])}
      disabled={item.disabled ?? false}
      onClick={item.onSelect}
    >
      {item.icon}
      <span className={css['text']}>{item.label}</span>
      {item.hint !== undefined && <span className={css['hint']}>{item.hint}</span>}
    </Base.Item>
  );
}
