/**
 * Short news at the corner, read out by screen readers: `say('Basket saved')`, `sayError(error)`. Errors stay longer.
 */
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { create } from 'zustand';
import { AccountMark, markOf, type NamedAccount } from './badge.tsx';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { describeError } from './describe-error.ts';
import css from './toast.module.css';

type Kind = 'info' | 'success' | 'error';

interface News {
  readonly id: number;
  readonly title: string;
  readonly detail: string | undefined;
  readonly kind: Kind;
  readonly account: NamedAccount | undefined;
}

/** Maximum number of toasts at a time, because more would cover the page; the oldest is dropped. */
const MOST = 4;
const SHOWN_MS = 5_000;
const ERROR_SHOWN_MS = 12_000;

const useNews = create<readonly News[]>()(() => []);
let made = 0;

export interface NewsOptions {
  readonly detail?: string;
  readonly kind?: Kind;
  /** Account that the news is about, shown by mark and name over the title. */
  readonly account?: NamedAccount | undefined;
}

export function say(title: string, options: NewsOptions = {}): void {
  const { detail, kind = 'info', account } = options;
  made += 1;
  useNews.setState((news) => [...news, { id: made, title, detail, kind, account }].slice(-MOST), true);
}

function dismiss(gone: number): void {
  useNews.setState((news) => news.filter(({ id }) => id !== gone), true);
}

/** The failed action and its error: `sayError('The basket was not saved', error)`. */
export function sayError(title: string, error: unknown, account?: NamedAccount | undefined): void {
  const { text, requestId } = describeError(error);
  const detail = requestId === null ? text : `${text} · request ${requestId}`;
  say(title, { kind: 'error', detail, account });
}

/** F6 moves the focus to the toasts. They stay while the pointer or the focus is on them. */
export function Toasts() {
  const news = useNews();
  const [isHeld, setHeld] = useState(false);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'F6') region.current?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <section
      ref={region}
      className={css['viewport']}
      aria-label="News"
      aria-live="polite"
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {news.map((one) => (
        <Toast key={one.id} news={one} isHeld={isHeld} />
      ))}
    </section>
  );
}

function Toast({ news, isHeld }: { readonly news: News; readonly isHeld: boolean }) {
  const { id, title, detail, kind, account } = news;
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(id), kind === 'error' ? ERROR_SHOWN_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, kind, isHeld]);
  return (
    <div role={kind === 'error' ? 'alert' : 'status'} className={classNames(css['toast'], css[kind])}>
      <div className={css['content']}>
        <div className={css['words']}>
          {account !== undefined && <AccountMark {...markOf(account)} />}
          <div className={css['title']}>{title}</div>
          {detail !== undefined && <div className={css['detail']}>{detail}</div>}
        </div>
        <IconButton label="Dismiss" icon={<X />} onClick={() => dismiss(id)} />
      </div>
    </div>
  );
}
