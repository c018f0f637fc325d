/** A screen's frame: its title and actions, then its content over the whole height that is left. */
import type { ReactNode } from 'react';
import { AccountMark, markOf, type NamedAccount } from './badge.tsx';
import { classNames } from './class-names.ts';
import css from './page.module.css';
import { Fresh, StaleNotice } from './states.tsx';

export function Page({
  title,
  account,
  actions,
  slim = false,
  long = false,
  children,
}: {
  readonly title: string;
  /** Account whose data the screen shows, by mark and name beside the title. */
  readonly account?: NamedAccount | undefined;
  readonly actions?: ReactNode;
  /** The title takes no space in wide windows: the top bar shows stale data there. */
  readonly slim?: boolean;
  /** The page is longer than most windows and has few focusable parts: the keyboard scrolls it. */
  readonly long?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={css['page']}>
      <header className={classNames(css['header'], slim && css['slim'])}>
        <div className={css['title']}>
          <h1>{title}</h1>
          {account !== undefined && <AccountMark {...markOf(account)} />}
          <StaleNotice />
        </div>
        {actions !== undefined && <div className={css['actions']}>{actions}</div>}
      </header>
      {long ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <section className={css['content']} aria-label={title} tabIndex={0}>
          {children}
        </section>
      ) : (
        <div className={css['content']}>{children}</div>
      )}
    </div>
  );
}

/** A surface with a heading, for a part of a page. */
export function Panel({
  title,
  actions,
  children,
  flush = false,
  live = false,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** The content reaches the edges: tables and charts. */
  readonly flush?: boolean;
  /** The panel shows the gateway's data, which are dimmed when stale. */
  readonly live?: boolean;
}) {
  const place = flush ? css['flush'] : css['inside'];
  return (
    <section className={css['panel']}>
      {(title !== undefined || actions !== undefined) && (
        <header className={css['panelHeader']}>
          <h2>{title}</h2>
          {actions !== undefined && <div className={css['actions']}>{actions}</div>}
        </header>
      )}
      {live ? <Fresh className={place ?? ''}>{children}</Fresh> : <div className={place}>{children}</div>}
    </section>
  );
}
