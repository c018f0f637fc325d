/** Running and pending orders of a position, each with a link to its list on the Orders screen. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../components/badge.tsx';
import layout from '../../components/layout.module.css';
import type { NamedLeg } from '../basket-name/basket-name.ts';
import { useBasketText } from '../basket-name/use-basket-text.ts';
import css from './at-work.module.css';
import type { Work, WorkPlace } from './work.ts';

interface Worked {
  readonly work: readonly Work[];
  readonly legs: readonly NamedLeg[];
}

interface InRow extends Worked {
  /** Shows the order on the present screen. True: it did, so the link to the Orders screen is not followed. */
  readonly onShow?: ((where: WorkPlace) => boolean) | undefined;
}

export function AtWork({ work, legs }: Worked) {
  const name = useBasketText(legs);
  if (work.length === 0) return null;
  return (
    <span className={layout['line']}>
      {work.map(({ where, text }) => (
        <Link key={where} className={layout['whole']} href={hrefOf(where)} aria-label={`${text}, ${name}`}>
          {text}
        </Link>
      ))}
    </span>
  );
}

/** A position's name in a row with chips of its orders. Where space is short the name is cut, never the chips. */
export function WithWork({ children, ...of }: InRow & { readonly children: ReactNode }) {
  return (
    <span className={css['head']}>
      <span className={css['name']}>{children}</span>
      {of.work.length > 0 && <Chips {...of} />}
    </span>
  );
}

/** Short text of the first order and the number of the others; the tooltip names all of them in full. */
function Chips({ work, legs, onShow }: InRow) {
  const name = useBasketText(legs);
  const whole = work.map(({ text }) => text).join(' · ');
  const more = `+${work.slice(1).reduce((sum, { count }) => sum + count, 0)}`;
  return (
    <span className={css['chips']}>
      {work.slice(0, 2).map(({ where, text, brief }, index) => (
        <Link
          key={where}
          className={css['chip']}
          href={hrefOf(where)}
          title={whole}
          onClick={(event) => {
            if (onShow?.(where) === true) event.preventDefault();
          }}
        >
          <Badge tone="accent">
            <span aria-hidden="true">{index === 0 ? brief : more}</span>
            <span className="visually-hidden">
              {index > 0 && `${more}: `}
              {text}, {name}
            </span>
          </Badge>
        </Link>
      ))}
    </span>
  );
}

function hrefOf(where: WorkPlace): string {
  return where === 'executions' ? '/orders' : `/orders/${where}`;
}
