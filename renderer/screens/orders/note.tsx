/** A line of text that may be longer than its column; nothing for an empty text. */
import css from './orders.module.css';

export function Note({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return null;
  return (
    <span className={css['note']} title={text}>
      {text}
    </span>
  );
}
