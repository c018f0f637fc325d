/** A status in a word. The shape of its mark repeats the colour for readers who cannot tell colours apart. */
import css from './status-badge.module.css';

export type Tone = 'good' | 'warn' | 'bad';

const MARKS = { good: '●', warn: '▲', bad: '■' } as const;

export function StatusBadge({ text, tone }: { readonly text: string; readonly tone: Tone }) {
  return (
    <span className={css['status']}>
      <span aria-hidden="true" className={css[tone]}>
        {MARKS[tone]}
      </span>
      {text}
    </span>
  );
}
