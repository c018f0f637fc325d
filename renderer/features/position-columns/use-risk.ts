/** Exposure of the account and each basket's distance from liquidation, read at about the same time as the rows. */
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { useHoldings } from '../../api/account-now.ts';
import { useGet } from '../../api/queries.ts';
import type { BasketRisk } from '../liquidation/liquidation.tsx';

export type Risk = Answer<'GET /positions/risk'>;
/** Position id → distance from liquidation; null: not read yet. */
export type Distances = ReadonlyMap<string, BasketRisk> | null;

/** Read again whenever the rows beside it are, and never more often. */
export function useRisk() {
  const { readAt } = useHoldings();
  const risk = useGet('GET /positions/risk', {});
  const renew = useEffectEvent(() => void risk.refetch({ cancelRefetch: false }));
  useEffect(() => {
    if (readAt > 0) renew();
  }, [readAt]);
  return risk;
}

export function useDistances(risk: Risk | undefined): Distances {
  return useMemo(
    () => (risk === undefined ? null : new Map(risk.baskets.map((one) => [one.positionId, one]))),
    [risk],
  );
}
