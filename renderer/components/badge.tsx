/** A state in a word. Colour repeats what the word says. */
import type { ReactNode } from 'react';
import css from './badge.module.css';
import { classNames } from './class-names.ts';

export type BadgeTone = 'neutral' | 'accent' | 'warn' | 'danger' | 'quiet';

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: BadgeTone;
  readonly children: ReactNode;
}) {
  return <span className={classNames(css['badge'], css[tone])}>{children}</span>;
}

/** PAPER or LIVE, from the gateway's answer only. */
export function ModeBadge({ mode }: { readonly mode: 'PAPER' | 'LIVE' }) {
  return <span className={classNames(css['badge'], css[mode === 'LIVE' ? 'live' : 'paper'])}>{mode}</span>;
}
