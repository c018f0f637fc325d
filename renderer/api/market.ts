/** The venue of the chosen account: its instruments and rules. */
import { useCallback, useMemo } from 'react';
import type { Answer } from '../../gateway/client/client.ts';
import { useGet } from './queries.ts';
import { useAccount, useMaybeAccount } from './session.ts';

export type Instrument = Answer<'GET /instruments'>['instruments'][number];
export type Connector = Answer<'GET /connectors'>['connectors'][number];

const HALF_A_MINUTE = 30_000;
const FIVE_MINUTES = 300_000;
const NONE: readonly Instrument[] = [];

export function useConnector(): Connector | undefined {
  const { connector } = useAccount();
  const { data } = useGet('GET /connectors', {}, { shared: true, freshForMs: FIVE_MINUTES });
  return data?.connectors.find(({ id }) => id === connector);
}

/** The instruments of the account's venue; empty until they came, and without an account. */
export function useInstruments(): readonly Instrument[] {
  const account = useMaybeAccount();
  const { data } = useGet(
    'GET /instruments',
    { query: { connector: account?.connector ?? '' } },
    { shared: true, enabled: account !== null, freshForMs: FIVE_MINUTES },
  );
  return data?.instruments ?? NONE;
}

/** Funding rates and settlement times of all instruments of the account's venue. All views share one read. */
export function useFunding() {
  const { connector } = useAccount();
  return useGet(
    'GET /funding',
    { query: { connector } },
    { shared: true, refetchEvery: HALF_A_MINUTE, freshForMs: HALF_A_MINUTE },
  );
}

/** Instrument id → ticker; the id itself until the instruments are read. */
export function useTicker(): (id: string) => string {
  const instruments = useInstruments();
  const tickers = useMemo(() => new Map(instruments.map(({ id, symbol }) => [id, symbol])), [instruments]);
  return useCallback((id) => tickers.get(id) ?? id, [tickers]);
}
