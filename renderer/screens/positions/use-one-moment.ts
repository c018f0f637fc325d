/**
 * Reads the open positions and the account's figures together, every second, and shows both at once: read one after the
 * other, the market moves in between, and the sum of the rows contradicts the figures above them.
 */
import { useEffect } from 'react';
import { accountNowRequest, useToday } from '../../api/account-now.ts';
import { queries } from '../../api/client.ts';
import { queryKey } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { OPEN_POSITIONS, type Position } from './use-position-data.ts';

const EVERY_MS = 1_000;

export function useOneMoment(): void {
  const client = useClient();
  const { id } = useAccount();
  const today = useToday();
  useEffect(() => {
    let isReading = false;
    const stop = new AbortController();
    const read = async () => {
      if (isReading || document.hidden) return;
      isReading = true;
      const { signal } = stop;
      const request = accountNowRequest(today);
      const positions = async () => {
        const rows: Position[] = [];
        for await (const row of client.rows('GET /positions', { ...OPEN_POSITIONS, signal })) rows.push(row);
        return rows;
      };
      try {
        const [rows, now] = await Promise.all([
          positions(),
          client.call('GET /portfolio', { ...request, signal }),
        ]);
        queries.setQueryData([...queryKey(id, 'GET /positions', OPEN_POSITIONS), 'all'], rows);
        queries.setQueryData(queryKey(id, 'GET /portfolio', request), now);
      } catch {
        // The reads of their own, which go on, say what is wrong.
      } finally {
        isReading = false;
      }
    };
    const timer = setInterval(() => void read(), EVERY_MS);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [client, id, today]);
}
