/** Pages before the dashboard and beside it: a card in the middle of the page, with the name of the program. */
import type { ReactNode } from 'react';
import css from './card-page.module.css';

export function CardPage({
  children,
  notice,
  wide = false,
  isWaiting = false,
}: {
  readonly children: ReactNode;
  /** Shown over the card. */
  readonly notice?: ReactNode;
  readonly wide?: boolean;
  /** The card's content has no heading yet, so the program's name is the heading. */
  readonly isWaiting?: boolean;
}) {
  const Name = isWaiting ? 'h1' : 'span';
  return (
    <main className={css['page']}>
      {notice}
      <div className={wide ? css['wideCard'] : css['card']}>
        <div className={css['brand']}>
          <Mark />
          <Name>Tandem</Name>
        </div>
        {children}
      </div>
    </main>
  );
}

/** The program's logo: one arrow up, one down. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" className={css['mark']}>
      <path
        d="M11 25V9m0 0-4 4m4-4 4 4M21 7v16m0 0-4-4m4 4 4-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
