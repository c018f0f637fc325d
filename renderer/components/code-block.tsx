/**
 * Text for machines, for reading and copying: a key, a program, a frame. Focusable by keyboard, because the text may
 * scroll.
 */
import type { Ref } from 'react';
import css from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

const MOST_LINES = 24;

export function CodeBlock({
  text,
  label,
  copyLabel,
  ref,
}: {
  readonly text: string;
  /** Name of the text for screen readers. */
  readonly label: string;
  /** Label of the copy button; left out: no button. */
  readonly copyLabel?: string;
  readonly ref?: Ref<HTMLTextAreaElement>;
}) {
  const shown = text.trimEnd();
  return (
    <div className={css['block']}>
      <textarea
        {...(ref === undefined ? {} : { ref })}
        className={css['text']}
        readOnly
        value={shown}
        rows={Math.min(MOST_LINES, shown.split('\n').length)}
        aria-label={label}
        spellCheck={false}
      />
      {copyLabel !== undefined && (
        <div className={css['copy']}>
          <CopyButton text={text} label={copyLabel} />
        </div>
      )}
    </div>
  );
}
