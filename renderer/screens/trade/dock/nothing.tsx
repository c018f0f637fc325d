/** Empty table of the panel in one line. The full explanation is on the table's own page. */
import layout from '../../../components/layout.module.css';
import css from './dock.module.css';
import type { DockScope } from './use-dock.ts';

/** @param what `open positions` @param isAlone the view has no other table, so the panel may shrink to this line */
export function Nothing({
  scope,
  what,
  isAlone = true,
}: {
  readonly scope: DockScope;
  readonly what: string;
  readonly isAlone?: boolean;
}) {
  return (
    <p className={`${css['nothing']} ${layout['quiet']}`} data-nothing={isAlone ? '' : undefined}>
      No {what}
      {scope.basketKey === null ? '' : ' in this basket'}
    </p>
  );
}
