/** Exposure of the account and how far each basket is from liquidation, of about the moment of the rows. */
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { useHoldings } from '../../api/account-now.ts';
import { useGet } from '../../api/queries.ts';
import type { BasketRisk } from '../liquidation/liquidation.tsx';

export type Risk = Answer<'GET /positions/risk'>;
/** Position id → its distance; null: not read. */
export type Distances = ReadonlyMap<string, BasketRisk> | null;

/** Renewed as soon as the rows that it stands beside are, and never more often. */
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
