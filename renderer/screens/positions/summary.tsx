/** Above the rows: what the account risks in one line of figures, and its other sums where they are asked for. */
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
  // Where nothing is held nothing is risked, and there is room for the rest.
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
