/** Legs of a pending order, with the marks at the request and now. A table, or cards in a narrow window. */
import type { Ref } from 'react';
import { COUNTED_AT, legWord } from '../../../gateway/contract/mandate-words.ts';
import { Amount, Quantity } from '../../components/amount.tsx';
import { Price } from '../../features/instrument-figure/instrument-figure.tsx';
import { Ticker } from '../../features/ticker/ticker.tsx';
import type { Approval } from './approval-words.ts';
import css from './approvals.module.css';

type Leg = Approval['plan']['legs'][number];

export function LegFigures({
  legs,
  end,
}: {
  readonly legs: readonly Leg[];
  /** Element after the last leg. */
  readonly end: Ref<HTMLParagraphElement>;
}) {
  return (
    <>
      <ul className={css['legs']} aria-label="Legs">
        {[...legs.entries()].map(([place, leg]) => (
          // Levels of a ladder share instrument and side, and keep the order of the plan.
          <li key={`${place} ${leg.symbol} ${leg.side}`}>
            <strong>
              {legWord(leg)} <Ticker symbol={leg.symbol} />
            </strong>
            <dl>
              <div>
                <dt>Quantity</dt>
                <dd>
                  <Quantity value={leg.quantity} /> {leg.quantity !== null && <Ticker symbol={leg.symbol} />}
                </dd>
              </div>
              <div>
                <dt>Leverage</dt>
                <dd>{leg.leverage === null ? '–' : `${leg.leverage}× ${leg.marginMode ?? ''}`}</dd>
              </div>
              <div>
                <dt>Mark when asked</dt>
                <dd>
                  <Price symbol={leg.symbol} value={leg.mark} isRounded />
                </dd>
              </div>
              <div>
                <dt>Mark now</dt>
                <dd>
                  <Price symbol={leg.symbol} value={leg.markNow} isRounded />
                </dd>
              </div>
              <div>
                <dt>Worst price</dt>
                <dd>
                  <Price symbol={leg.symbol} value={leg.worstPrice} />
                </dd>
              </div>
              <div>
                <dt>Counts as</dt>
                <dd>
                  <Amount value={leg.worstUsd} />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
      <p ref={end} className={css['reckoned']}>
        Counts as, for its limits: what was asked for, {COUNTED_AT}, which may bring more. Quantities are
        rounded down to the venue's steps and worst prices to its ticks, so that they come to no more.
      </p>
    </>
  );
}
