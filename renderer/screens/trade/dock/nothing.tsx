/** An empty table of the panel, in a line: its page has the words. */
import layout from '../../../components/layout.module.css';
import css from './dock.module.css';
import type { DockScope } from './use-dock.ts';

/** @param what `open positions` */
export function Nothing({ scope, what }: { readonly scope: DockScope; readonly what: string }) {
  return (
    <p className={`${css['nothing']} ${layout['quiet']}`} data-nothing>
      No {what}
      {scope.basketKey === null ? '' : ' in this basket'}
    </p>
  );
}
