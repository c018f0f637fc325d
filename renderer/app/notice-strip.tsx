/** One-line notice over the screen. */
import type { ReactNode } from 'react';
import { classNames } from '../components/class-names.ts';
import css from './notice-strip.module.css';

export function NoticeStrip({
  icon,
  action,
  quiet = false,
  children,
}: {
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
  readonly quiet?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={classNames(css['strip'], quiet && css['quiet'])} role="status">
      {icon}
      <p>{children}</p>
      {action}
    </div>
  );
}
