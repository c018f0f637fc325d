/** Protection of a position (take-profit, stop-loss) and its automatic rebalance. */
import type { Row } from '../../../gateway/client/client.ts';
import { Badge } from '../../components/badge.tsx';
import { PERCENT_UNIT, shortLevel } from '../../components/format.ts';
import { standingText, waitingBracketText } from '../brackets-form/bracket-standing.ts';
import { type BracketSide, bracketState, bracketText, canWatch } from '../brackets-form/bracket-text.ts';
import css from './guards.module.css';

type Position = Row<'GET /positions'>;
type Guarded = Pick<Position, 'takeProfit' | 'stopLoss' | 'autoRebalance' | 'legs'>;

function isRebalanced({ autoRebalance }: Guarded): boolean {
  return autoRebalance !== null && autoRebalance.status !== 'ENDED';
}

export function hasGuards(position: Guarded): boolean {
  return position.takeProfit !== null || position.stopLoss !== null || isRebalanced(position);
}

export function Guards({ position }: { readonly position: Guarded }) {
  const { takeProfit, stopLoss, autoRebalance } = position;
  const isPaused = autoRebalance?.status === 'PAUSED';
  return (
    <span className={css['badges']}>
      {takeProfit !== null && <Guard name="TP" side="takeProfit" bracket={takeProfit} legs={position.legs} />}
      {stopLoss !== null && <Guard name="SL" side="stopLoss" bracket={stopLoss} legs={position.legs} />}
      {isRebalanced(position) && (
        <Badge tone={isPaused ? 'warn' : 'quiet'}>{isPaused ? 'Rebalance paused' : 'Rebalanced'}</Badge>
      )}
    </span>
  );
}

/** Short names: trailing means a trailing stop unless it says otherwise. */
const TRAILING: Readonly<Record<BracketSide, { readonly brief: string; readonly whole: string }>> = {
  takeProfit: { brief: 'TP trail', whole: 'Trailing take-profit' },
  stopLoss: { brief: 'trail', whole: 'Trailing stop' },
};

function Guard({
  name,
  side,
  bracket,
  legs,
}: {
  readonly name: string;
  readonly side: BracketSide;
  readonly bracket: NonNullable<Position['takeProfit']>;
  readonly legs: Position['legs'];
}) {
  // A bracket that has fired closes the rest, whatever it watched.
  const isWatched = bracket.status === 'TRIGGERED' || canWatch(bracket, legs);
  const state = isWatched ? bracketState(bracket) : 'not watched: a leg is missing';
  const now = standingText(side, bracket, legs);
  const whole = waitingBracketText(side, bracket, legs);
  const { trailing, transform } = bracket;
  const isBrief = trailing !== null || transform !== undefined;
  return (
    <span title={bracket.error === null ? whole : `${whole}. ${bracket.error}`}>
      <Badge tone={state === null ? 'neutral' : 'warn'}>
        <span className={isBrief ? css['terms'] : undefined}>
          {name} {whole}
        </span>
        {transform !== undefined && (
          <span className={css['brief']}>
            {name} {transform === 'SPREAD' ? 'spread' : 'z'} {shortLevel(bracket.value)}
            {transform === 'SPREAD' && PERCENT_UNIT}
          </span>
        )}
        {trailing !== null && (
          <span className={css['brief']}>
            <span className="visually-hidden">{TRAILING[side].whole}</span>
            <span aria-hidden="true">{TRAILING[side].brief}</span>{' '}
            {now === null ? bracketText(side, { ...bracket, trailing: null }) : now}
          </span>
        )}
        {state !== null && `, ${state}`}
      </Badge>
    </span>
  );
}
