/** Notice before the order: this basket is already open, so the order changes the position. */
import Big from 'big.js';
import { Link } from 'wouter';
import { Amount, Percent, Pnl, Ratio } from '../../components/amount.tsx';
import { Badge } from '../../components/badge.tsx';
import { waitingBracketText } from '../../features/brackets-form/bracket-standing.ts';
import { BRACKET_SIDES } from '../../features/brackets-form/bracket-text.ts';
import { offWeights } from '../../features/off-weights/off-weights.ts';
import { positionEntry } from '../../features/ratio-chart/levels.ts';
import type { HeldPosition } from './chart-lines.ts';
import { missingSymbols } from './held-legs.ts';
import { sizeAfter } from './size-after.ts';
import type { TicketDraft } from './ticket.ts';
import css from './ticket-panel.module.css';
import type { PlanRead } from './use-plan.ts';

export function HeldNotice({
  held,
  ticket,
  read,
}: {
  readonly held: HeldPosition | null;
  readonly ticket: TicketDraft;
  readonly read: PlanRead;
}) {
  if (held === null) return null;
  const entry = positionEntry(held, { metric: 'PRICE_RATIO' });
  const adds = ticket.kind !== 'TWAP' || !ticket.reduceOnly;
  const after = adds ? sizeAfter(held, ticket.notional, read.isOld ? null : read.plan) : null;
  return (
    <p className={css['held']} role="status">
      <strong>Adjusts your position</strong>
      <span>
        <Amount value={held.grossNotional} />
        {entry !== null && (
          <>
            {' '}
            entered at <Ratio value={entry} />
          </>
        )}
        , <Pnl value={held.unrealizedPnl} />
      </span>
      {after !== null && (
        <span>
          → <Amount value={after} /> with this order
        </span>
      )}
      <OffLegs held={held} />
      <HeldBrackets held={held} />
      <Link href={`/positions/${held.id}`}>Show it</Link>
    </p>
  );
}

/** Missing legs of the position, and legs that are off their requested weight: in words, a line each. */
function OffLegs({ held }: { readonly held: HeldPosition }) {
  const { legs, autoRebalance } = held;
  const missing = missingSymbols(held);
  // If one leg is missing, all weights are off, so listing them adds nothing.
  const off =
    missing.size > 0 ? [] : legs.filter((leg) => offWeights({ legs: [leg], autoRebalance }) !== null);
  if (missing.size === 0 && off.length === 0) return null;
  return (
    <span className={css['offLegs']}>
      {legs
        .filter(({ symbol }) => missing.has(symbol))
        .map(({ symbol, ticker }) => (
          <Badge key={symbol} tone="warn">
            {ticker} missing
          </Badge>
        ))}
      {off.slice(0, MOST_CHIPS).map((leg) => (
        <span key={leg.symbol}>
          <Badge tone="warn">
            {leg.ticker} off weights by <Percent value={drift(leg)} digits={0} />
          </Badge>{' '}
          <Percent value={leg.currentWeight} digits={1} />, asked{' '}
          <Percent value={leg.targetWeight} digits={1} />
        </span>
      ))}
      {off.length > MOST_CHIPS && `and ${off.length - MOST_CHIPS} more`}
    </span>
  );
}

const MOST_CHIPS = 3;

/** Distance of a leg from its target weight, a fraction of the basket without a sign. */
const drift = ({ currentWeight, targetWeight }: HeldPosition['legs'][number]) =>
  new Big(currentWeight).minus(targetWeight).abs().toFixed();

/** Existing brackets of the position. They cover all of it, added amounts included. */
function HeldBrackets({ held }: { readonly held: HeldPosition }) {
  const texts = BRACKET_SIDES.flatMap((side) => {
    const bracket = held[side];
    const name = side === 'takeProfit' ? 'TP' : 'SL';
    return bracket === null ? [] : [`${name} ${waitingBracketText(side, bracket, held.legs)}`];
  });
  // A sign alone on the next line cannot be read.
  const text = texts.join(' · ').replaceAll(' %', '\u00a0%');
  return texts.length === 0 ? null : <span>{text}, of the whole position</span>;
}
