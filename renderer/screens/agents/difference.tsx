/** Sentences that a change of limits removes, and sentences that it adds. */
import layout from '../../components/layout.module.css';
import { difference } from '../../features/mandate-form/mandate-form.ts';
import css from './agents.module.css';

export function Difference({
  before,
  after,
}: {
  readonly before: readonly string[];
  /** null: the typed values are incomplete. */
  readonly after: readonly string[] | null;
}) {
  if (after === null) return null;
  const { gone, added } = difference(before, after);
  if (gone.length + added.length === 0) return <p className={layout['quiet']}>Nothing is changed so far.</p>;
  return (
    <ul className={css['difference']} aria-label="What changes" aria-live="polite">
      {gone.map((sentence) => (
        <li key={sentence}>
          <span className={layout['quiet']}>Not any more: </span>
          <del>{sentence}</del>
        </li>
      ))}
      {added.map((sentence) => (
        <li key={sentence}>
          <span className={layout['quiet']}>Then: </span>
          <ins>{sentence}</ins>
        </li>
      ))}
    </ul>
  );
}
