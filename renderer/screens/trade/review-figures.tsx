/** Figures of the review about the basket as a whole: its ratio, and the meaning of its take-profit and stop-loss. */
import { useMemo } from 'react';
import { COUNTED_AT } from '../../../gateway/contract/mandate-words.ts';
import { useInstruments } from '../../api/market.ts';
import { Amount } from '../../components/amount.tsx';
import layout from '../../components/layout.module.css';
import type { Basket } from '../../features/basket/basket.ts';
import { bracketDraftOf } from '../../features/brackets-form/bracket-draft.ts';
import { BracketNote } from '../../features/brackets-form/bracket-note.tsx';
import { bracketText } from '../../features/brackets-form/bracket-text.ts';
import type { Protection } from '../../features/protection/protection.tsx';
import { figureText } from '../../features/ratio-chart/figure.ts';
import type { EntryFacts } from '../../features/ratio-chart/levels.ts';
import { subjectValue, usualSubject } from '../../features/ratio-chart/subject.ts';
import type { Plan } from './chart-lines.ts';
import css from './review-sheet.module.css';
import { freeAtWorst } from './size-after.ts';

type PlanLeg = Plan['legs'][number];

/** Name of the figure that a basket is traded by; null: a single leg has its price in the table. */
export function ratioName(basket: Basket): string | null {
  const { metric } = usualSubject(basket);
  return metric === 'PRICE' ? null : metric === 'PRICE_RATIO' ? 'Price ratio' : 'Weighted ratio';
}

/** The basket's ratio at the marks, and at the prices expected from the books. */
export function PlanRatio({ plan, basket }: { readonly plan: Plan; readonly basket: Basket }) {
  const at = (priceOf: (leg: PlanLeg) => string | null | undefined) => {
    const prices = new Map(plan.legs.map((leg) => [leg.symbol, priceOf(leg)]));
    const value = subjectValue(
      usualSubject(basket),
      basket.legs,
      (id) => Number(prices.get(id) ?? 0) || null,
    );
    return value === null ? null : figureText(value);
  };
  const [now, expected] = [at(({ price }) => price), at((leg) => leg.expected?.averagePrice)];
  return (
    <span className={css['ratios']}>
      <Valued value={now ?? '–'} of="now" />
      {expected !== null && (
        <>
          {' · '}
          <Valued value={expected} of="expected" />
        </>
      )}
    </span>
  );
}

function Valued({ value, of }: { readonly value: string; readonly of: string }) {
  return (
    <span className={layout['whole']}>
      {value} <span className={layout['quiet']}>{of}</span>
    </span>
  );
}

/**
 * Free margin now, and the rest of it at the worst prices: less margin and fee of the table, and the immediate loss of
 * such prices against the mark.
 */
export function FreeMargin({ plan }: { readonly plan: Plan }) {
  return (
    <span title={`Less margin, fee, and the loss against the mark: ${COUNTED_AT}`}>
      <Amount value={plan.freeMargin} /> → <Amount value={freeAtWorst(plan)} />{' '}
      <span className={layout['quiet']}>at worst</span>
    </span>
  );
}

/** A bracket of the order: its terms, then where it fires and the result there. */
export function BracketTerms({
  side,
  bracket,
  facts,
  isHeld,
  protection,
}: {
  readonly side: Parameters<typeof bracketText>[0];
  readonly bracket: Parameters<typeof bracketText>[1];
  readonly facts: (type: (typeof bracket)['type']) => EntryFacts;
  readonly isHeld: boolean;
  /** Left out: the gateway gives no figures for it. */
  readonly protection: Protection | undefined;
}) {
  return (
    <>
      {bracketText(side, bracket)}
      <BracketNote
        side={side}
        draft={bracketDraftOf(bracket)}
        facts={facts}
        isHeld={isHeld}
        protection={protection}
      />
    </>
  );
}

/** Smallest change of an instrument's price, by its id; undefined: the instruments are not read. */
export function useTicks(): (id: string) => string | undefined {
  const instruments = useInstruments();
  return useMemo(() => {
    const ticks = new Map(instruments.map(({ id, tickSize }) => [id, tickSize]));
    return (id) => ticks.get(id);
  }, [instruments]);
}
