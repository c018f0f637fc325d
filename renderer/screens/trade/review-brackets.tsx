/** Rows of the review about take-profit and stop-loss: those that come with the order, and those of the position. */
import type { ReactNode } from 'react';
import { Amount } from '../../components/amount.tsx';
import { bracketInputOf } from '../../features/brackets-form/bracket-draft.ts';
import {
  BRACKET_SIDES,
  type BracketSide,
  type BracketType,
  bracketText,
} from '../../features/brackets-form/bracket-text.ts';
import { Firing, type Protection, protectionOn } from '../../features/protection/protection.tsx';
import type { EntryFacts } from '../../features/ratio-chart/levels.ts';
import type { HeldPosition } from './chart-lines.ts';
import { BracketTerms } from './review-figures.tsx';
import css from './review-sheet.module.css';
import type { Order, TicketDraft } from './ticket.ts';

/** Take-profit and stop-loss of the order: terms, dollars, level. */
export function sentBrackets(
  body: Order['body'],
  held: HeldPosition | null,
  facts: (type: BracketType) => EntryFacts,
  protection: readonly Protection[],
): Readonly<Record<string, ReactNode>> {
  const rows = BRACKET_SIDES.flatMap((side): [string, ReactNode][] => {
    const sent = bracketOf(body, side);
    if (sent === undefined) return [];
    // The position's row shows a bracket that is not set because the position has its own.
    if (held !== null && held[side] !== null && !isReplaced(body, held[side])) return [];
    const name = side === 'takeProfit' ? 'Take-profit' : 'Stop-loss';
    return [
      [
        name,
        <BracketTerms
          key={side}
          side={side}
          bracket={shown(sent)}
          facts={facts}
          isHeld={held !== null}
          protection={protectionOn(side, protection)}
        />,
      ],
    ];
  });
  return Object.fromEntries(rows);
}

/** Effect on the position's own brackets, which cover the whole position, with the amounts that this order adds. */
export function presentBrackets(
  body: Order['body'],
  held: HeldPosition | null,
  protection: readonly Protection[],
): Readonly<Record<string, ReactNode>> {
  if (held === null) return {};
  const rows = BRACKET_SIDES.flatMap((side): [string, ReactNode][] => {
    const present = held[side];
    if (present === null) return [];
    const brought = bracketOf(body, side);
    const replaced = brought !== undefined && isReplaced(body, present);
    const name = side === 'takeProfit' ? "The position's take-profit" : "The position's stop-loss";
    const becomes = replaced ? ' is replaced' : ' stays, and covers what is added';
    const figures = protectionOn(side, protection);
    const text = (
      <>
        {bracketText(side, present)} of <Amount value={held.grossNotional} />
        {becomes}
        {!replaced && figures !== undefined && (
          <>
            , <Firing of={figures} />
          </>
        )}
      </>
    );
    return [[name, text]];
  });
  return Object.fromEntries(rows);
}

/**
 * Typed brackets that will not be set, because the position has its own or the kind of order takes none. Shown above
 * all else: nobody looks for them among the ones that will.
 */
export function NotSet({
  order: { route, body },
  ticket,
  held,
}: {
  readonly order: Order;
  readonly ticket: TicketDraft;
  readonly held: HeldPosition | null;
}) {
  const texts = BRACKET_SIDES.flatMap((side): string[] => {
    const name = side === 'takeProfit' ? 'take-profit' : 'stop-loss';
    if (route === 'POST /ladders') {
      const typed = bracketInputOf(ticket[side]);
      if (typed === undefined || typed.value === '') return [];
      return [`The ${name} ${bracketText(side, shown(typed))} is not set: a ladder takes none.`];
    }
    const [present, brought] = [held?.[side] ?? null, bracketOf(body, side)];
    if (present === null || brought === undefined || isReplaced(body, present)) return [];
    const why =
      present.status === 'TRIGGERED'
        ? 'the one that the position has is closing it'
        : `the position keeps its own, ${bracketText(side, present)}`;
    return [`The ${name} ${bracketText(side, shown(brought))} is not set: ${why}.`];
  });
  if (texts.length === 0) return null;
  return (
    <div className={css['refusal']} role="status">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

/** Bracket of the order on one side; undefined: none. */
function bracketOf(body: Order['body'], side: BracketSide): SentBracket | undefined {
  return 'takeProfit' in body || 'stopLoss' in body ? body[side] : undefined;
}

/** True: the order's bracket replaces the position's own. */
function isReplaced(body: Order['body'], present: NonNullable<HeldPosition['stopLoss']>): boolean {
  return 'brackets' in body && body.brackets === 'REPLACE' && present.status !== 'TRIGGERED';
}

type SentBracket = NonNullable<Extract<Order, { readonly route: 'POST /trade/open' }>['body']['takeProfit']>;

/** The bracket as the gateway would show it: all that its words and dollars need, also what it is compared with. */
function shown({
  type,
  value,
  transform,
  lookback,
  trailing,
}: SentBracket): Parameters<typeof bracketText>[1] {
  return {
    type,
    value,
    transform,
    lookback,
    trailing:
      trailing === undefined ? null : { delta: trailing.delta, activation: trailing.activation ?? null },
  };
}
