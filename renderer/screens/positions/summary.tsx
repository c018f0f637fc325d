/** Summary above the rows: risk of the account in one line of figures, and its other sums on request. */
import { useId } from 'react';
import { z } from 'zod';
import { keptChoice, lenient, readKept } from '../../api/kept-choice.ts';
import { Button } from '../../components/button.tsx';
import type { Risk } from '../../features/position-columns/use-risk.ts';
import css from './positions.module.css';
import { hasRisk, RiskStrip } from './risk-strip.tsx';
import { Totals } from './totals.tsx';
import { type Position, useUnassigned } from './use-position-data.ts';

const kept = lenient({ isMore: z.boolean().catch(false) });

const [useKept, changeKept] = keptChoice<z.infer<typeof kept>>('tandem.positions', (text) =>
  readKept(kept, text),
);

export function Summary({
  positions,
  risk,
}: {
  /** undefined: not read. */
  readonly positions: readonly Position[] | undefined;
  readonly risk: Risk | undefined;
}) {
  const id = useId();
  const isMore = useKept((choice) => choice.isMore);
  const past = useUnassigned().data;
  // Without holdings there is no risk, and there is space for the other sums.
  if (!hasRisk(positions, past)) return <Totals />;
  return (
    <>
      <div className={css['summary']}>
        <RiskStrip positions={positions} risk={risk} />
        <Button
          kind="ghost"
          aria-expanded={isMore}
          {...(isMore && { 'aria-controls': id })}
          onClick={() => changeKept({ isMore: !isMore })}
        >
          {isMore ? 'Less' : 'More'}
        </Button>
      </div>
      {isMore && (
        <div id={id}>
          <Totals leverage={risk?.leverage} />
        </div>
      )}
    </>
  );
}
