/** A line of text that may be longer than its column; nothing for an empty text. */
import css from './orders.module.css';

export function Note({
  text,
  isWhole = false,
}: {
  readonly text: string | null;
  /** All of it, on as many lines as it takes: where a row was expanded to be read. */
  readonly isWhole?: boolean;
}) {
  if (text === null || text === '') return null;
  if (isWhole) return <span className={css['whole']}>{text}</span>;
  return (
    <span className={css['note']} title={text}>
      <span>{text}</span>
    </span>
  );
}
