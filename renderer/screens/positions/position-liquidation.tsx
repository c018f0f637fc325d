/** Distance of a position to liquidation, and the instrument that is closed first. */
import { LiquidationMove } from '../../features/liquidation/liquidation.tsx';
import { useDistances, useRisk } from '../../features/position-columns/use-risk.ts';
import { FirstToGo } from './first-to-go.tsx';
import type { Position } from './use-position-data.ts';

export function PositionLiquidation({ position: { id, legs } }: { readonly position: Position }) {
  const risk = useDistances(useRisk().data)?.get(id);
  return (
    <>
      <LiquidationMove risk={risk} /> <FirstToGo risk={risk} legs={legs} />
    </>
  );
}
