/** List of names with their values. */
import type { ReactNode } from 'react';
import css from './facts.module.css';

export function Facts({
  of,
  label,
  className = css['facts'],
}: {
  readonly of: Readonly<Record<string, ReactNode>>;
  /** Name of the list for screen readers. */
  readonly label?: string;
  /** Class for the layout; left out: one pair below the other. */
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
