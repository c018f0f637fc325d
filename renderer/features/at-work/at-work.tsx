/** What works on a position, each leading to the list of Orders that has it. */
import { Link } from 'wouter';
import layout from '../../components/layout.module.css';
import type { NamedLeg } from '../basket-name/basket-name.ts';
import { useBasketText } from '../basket-name/use-basket-text.ts';
import type { Work, WorkPlace } from './work.ts';

export function AtWork({
  work,
  legs,
  isBrief = false,
  onShow,
}: {
  readonly work: readonly Work[];
  readonly legs: readonly NamedLeg[];
  /** In a row: the first in words, how many more, and all of them in their titles. */
  readonly isBrief?: boolean;
  /** Shows it where the row stands; true: it did, and the list of Orders is not asked for. */
  readonly onShow?: (where: WorkPlace) => boolean;
}) {
  const name = useBasketText(legs);
  return (
    <span className={layout['line']}>
      {(isBrief ? work.slice(0, 2) : work).map(({ where, text }, index) => {
        const more = isBrief && index > 0 ? `+${work.length - 1}` : null;
        return (
          <Link
            key={where}
            className={layout['whole']}
            href={where === 'executions' ? '/orders' : `/orders/${where}`}
            title={work.map((one) => one.text).join(' · ')}
            aria-label={`${more === null ? '' : `${more}: `}${text}, ${name}`}
            onClick={(event) => {
              if (onShow?.(where) === true) event.preventDefault();
            }}
          >
            {more ?? text}
          </Link>
        );
      })}
    </span>
  );
}
