/** What a typed take-profit or stop-loss means: in dollars and as a level of the chart. */
import { Percent, Pnl } from '../../components/amount.tsx';
import layout from '../../components/layout.module.css';
import { figureText } from '../ratio-chart/figure.ts';
import type { EntryFacts } from '../ratio-chart/levels.ts';
import type { BracketDraft } from './bracket-draft.ts';
import { bracketOutcome } from './bracket-outcome.ts';
import type { BracketSide, BracketType } from './bracket-text.ts';

const NAMES = { PRICE_RATIO: 'price ratio', WEIGHTED_RATIO: 'weighted ratio', PRICE: 'price' } as const;

export function BracketNote({
  side,
  draft,
  facts: factsOf,
  isHeld,
}: {
  readonly side: BracketSide;
  readonly draft: Pick<BracketDraft, 'isOn' | 'type' | 'value'>;
  readonly facts: (type: BracketType) => EntryFacts;
  /** The order adds to a position: a bracket is of all of it. */
  readonly isHeld: boolean;
}) {
  const facts = factsOf(draft.type);
  const outcome = bracketOutcome(side, draft, facts);
  if (outcome === null || (outcome.usd === null && outcome.level === null)) return null;
  const { share, usd, level } = outcome;
  return (
    <p className={layout['quiet']} data-note={side}>
      ≈ {usd !== null && <Pnl value={usd} />}
      {share !== null && draft.type !== 'PERCENTAGE' && (
        <>
          {' '}
          (<Percent value={share.toFixed(6)} pnl />)
        </>
      )}
      {usd !== null && isHeld && ' of the whole position'}
      {level !== null && level !== draft.value.trim() && (
        <>
          {usd === null ? '' : ' · '}
          {NAMES[facts.subject.metric]} {figureText(Number(level))}
        </>
      )}
    </p>
  );
}
