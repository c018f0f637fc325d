/**
 * Reads the open positions and the account's figures together, every second, and shows both at once: read one after the
 * other, the market moves in between, and the sum of the rows contradicts the figures above them.
 */
import { hashKey } from '@tanstack/react-query';
import Big from 'big.js';
import { useEffect } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { accountNowRequest, useToday } from '../../api/account-now.ts';
import { queries } from '../../api/client.ts';
import { queryKey } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { sumOf } from './position-sums.ts';
import { OPEN_POSITIONS, type Position } from './use-position-data.ts';

const EVERY_MS = 1_000;
const TRIES = 3;
const HALF_A_CENT = 0.005;

/** Whether the rows add up to the account's figure, as it is shown. */
function agree(rows: readonly Position[], { unrealizedPnl }: Answer<'GET /portfolio'>): boolean {
  return new Big(sumOf(rows, (row) => row.unrealizedPnl)).minus(unrealizedPnl).abs().lt(HALF_A_CENT);
}

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
        const both = () => Promise.all([positions(), client.call('GET /portfolio', { ...request, signal })]);
        let [rows, now] = await both();
        // Two answers are of two moments where a price has moved in between.
        const past = queries.getQueryData<Answer<'GET /positions/unassigned'>>(
          queryKey(id, 'GET /positions/unassigned', {}),
        );
        // What is in no basket is in the account's figure only: then the two cannot be compared.
        const most = past === undefined || past.items.length > 0 ? 1 : TRIES;
        for (let tries = 1; tries < most && !agree(rows, now); tries += 1) [rows, now] = await both();
        queries.setQueryData([...queryKey(id, 'GET /positions', OPEN_POSITIONS), 'all'], rows);
        queries.setQueryData(queryKey(id, 'GET /portfolio', request), now);
      } catch {
        // The reads of their own, which go on, say what is wrong.
      } finally {
        isReading = false;
      }
    };
    const timer = setInterval(() => void read(), EVERY_MS);
    // An event or its own timer has renewed one of the two alone: it stands beside the other's older moment.
    const pair = [
      [...queryKey(id, 'GET /positions', OPEN_POSITIONS), 'all'],
      queryKey(id, 'GET /portfolio', accountNowRequest(today)),
    ];
    const hashes = pair.map((key) => hashKey(key));
    const unsubscribe = queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual === true) return;
      if (hashes.includes(event.query.queryHash)) void read();
    });
    return () => {
      clearInterval(timer);
      unsubscribe();
      stop.abort();
    };
  }, [client, id, today]);
}
