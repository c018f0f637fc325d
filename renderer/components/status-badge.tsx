/** How something does, in a word. The mark repeats the colour for those who do not see it. */
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
