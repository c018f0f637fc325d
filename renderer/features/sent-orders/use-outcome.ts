/** Outcome of an order that this page has sent, read until the order has ended. */
import { useEffect } from 'react';
import { useTicker } from '../../api/market.ts';
import { useGet } from '../../api/queries.ts';
import type { SentOrder } from './sent-orders.ts';
import { cardText, isEnded } from './submission.ts';

const POLL_MS = 1_000;

export function useOutcome({ executionId, state, resting }: SentOrder) {
  const tickerOf = useTicker();
  const { data, refetch } = useGet(
    'GET /executions/{id}',
    { params: { id: executionId ?? '' } },
    { enabled: executionId !== null, freshForMs: 0 },
  );
  const execution = executionId === null ? undefined : data?.execution;
  const isUnderWay = executionId !== null && !isEnded(execution);
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [refetch, isUnderWay]);
  return { execution, text: cardText(state, execution, resting?.kind ?? null, tickerOf) };
}
