/** A line of text that may be longer than its column; nothing for an empty text. */
import css from './order-tables.module.css';

export function Note({
  text,
  isWhole = false,
}: {
  readonly text: string | null;
  /** True: the full text on as many lines as it needs, for an expanded row. */
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
