/** Meaning of a typed take-profit or stop-loss: where it fires, in dollars and as a level of the chart. */
import { Percent, Pnl } from '../../components/amount.tsx';
import layout from '../../components/layout.module.css';
import { Firing, type Protection } from '../protection/protection.tsx';
import { figureText } from '../ratio-chart/figure.ts';
import type { EntryFacts } from '../ratio-chart/levels.ts';
import type { BracketDraft } from './bracket-draft.ts';
import { bracketOutcome } from './bracket-outcome.ts';
import type { BracketSide, BracketType } from './bracket-text.ts';

const NAMES = { PRICE_RATIO: 'price ratio', WEIGHTED_RATIO: 'weighted ratio', PRICE: 'price' } as const;

const NOTHING = { share: null, usd: null, level: null };

export function BracketNote({
  side,
  draft,
  facts: factsOf,
  isHeld,
  lead,
  protection,
  ...rest
}: {
  readonly side: BracketSide;
  readonly draft: Pick<BracketDraft, 'isOn' | 'type' | 'value' | 'transformed'>;
  readonly facts: (type: BracketType) => EntryFacts;
  /** True: the order adds to a position, and the bracket covers all of it. */
  readonly isHeld: boolean;
  /** Names the level that the note is about, where there are two; also shown without a note. */
  readonly lead?: string | undefined;
  /** Protection as the gateway computed it; left out: the page estimates. */
  readonly protection?: Protection | undefined;
  readonly 'data-note'?: string;
}) {
  const facts = factsOf(draft.type);
  const { share, usd, level } = bracketOutcome(side, draft, facts) ?? NOTHING;
  const other = level === draft.value.trim() ? null : level;
  const isKnown = usd !== null || other !== null || protection !== undefined;
  if (!isKnown) return lead === undefined ? null : <p className={layout['quiet']}>{lead}</p>;
  return (
    <p className={layout['quiet']} data-note={side} {...rest}>
      {lead !== undefined && `${lead}: `}
      {protection === undefined ? (
        <>
          ≈ {usd !== null && <Pnl value={usd} />}
          {share !== null && draft.type !== 'PERCENTAGE' && (
            <>
              {' '}
              (<Percent value={share.toFixed(6)} pnl />)
            </>
          )}
        </>
      ) : (
        <Firing of={protection} />
      )}
      {(usd !== null || protection !== undefined) && isHeld && ', whole position'}
      {other !== null && (
        <>
          {usd === null && protection === undefined ? '' : ' · '}
          {NAMES[facts.subject.metric]} {figureText(Number(other))}
        </>
      )}
    </p>
  );
}
