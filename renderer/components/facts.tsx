/** Names and what they stand for. */
import type { ReactNode } from 'react';
import css from './facts.module.css';

export function Facts({
  of,
  label,
  className = css['facts'],
}: {
  readonly of: Readonly<Record<string, ReactNode>>;
  /** Of all of them, for screen readers. */
  readonly label?: string;
  /** How they stand; left out: one below the other. */
  readonly className?: string | undefined;
}) {
  return (
    <dl className={className} aria-label={label}>
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
