/** Checks of the running parts for `/ready`, and their gauges for `/metrics`. */
import type { ReadinessCheck } from '../contract/system.ts';
import type { FillReviews } from '../engine/account/fill-reviews.ts';
import { type Difference, isUnexplained } from '../engine/account/reconcile.ts';
import type { Engine } from '../engine/engine.ts';
import { type ClockJump, type ClockWatch, jumpText } from '../engine/notices/clock-watch.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Vault } from '../engine/ports/vault.ts';
import type { Market } from '../market/market.ts';
import type { Realtime } from '../realtime/realtime.ts';
import type { Metrics } from '../system/metrics.ts';
import type { DiskWatch } from './disk-watch.ts';

/** Name of a secret that is never stored: reading it tests the vault. */
const PROBE = 'readiness-probe';

export async function readinessChecks(parts: {
  readonly store: Store;
  readonly disk: Pick<DiskWatch, 'problem'>;
  readonly vault: Vault;
  readonly market: Pick<Market, 'connectors' | 'distrusted'>;
  readonly engine: Engine;
  readonly clockWatch: Pick<ClockWatch, 'look' | 'last'>;
  readonly reviews: Pick<FillReviews, 'all' | 'problemOf'>;
}): Promise<readonly ReadinessCheck[]> {
  const { store, disk, vault, market, engine, clockWatch, reviews } = parts;
  clockWatch.look();
  const isWritable = await store.ping();
  const problem = await disk.problem();
  const storage = isWritable && problem?.isFull !== true;
  const secrets = await vault.get(PROBE).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : 'not usable'),
  );
  // The status is that of `/connectors`: a venue that is up but silent is not ready for trading.
  const inUse = market.connectors().filter((connector) => connector.inUse);
  const connectors = inUse.map(
    ({ id, status, reason, trading, until }): ReadinessCheck => ({
      name: `connector:${id}`,
      ok: status === 'UP' && trading === 'UP',
      detail: reason === null || until === null ? reason : `${reason}, until ${until}`,
    }),
  );
  const differing = [...engine.differences.values()].flat().filter(isUnexplained);
  return [
    {
      name: 'storage',
      ok: storage,
      detail: isWritable ? (problem?.detail ?? null) : 'the database does not answer or takes no writes',
    },
    { name: 'keychain', ok: secrets === null, detail: secrets ?? vault.kind },
    ...connectors,
    clockCheck(clockWatch.last, market.distrusted()),
    historyCheck(reviews),
    {
      name: 'reconciliation',
      ok: differing.length === 0,
      detail: differing.length === 0 ? null : differing.map(differenceText).join('; '),
    },
  ];
}

function differenceText({ symbol, baskets, unassigned, venue }: Difference): string {
  const loose = unassigned === '0' ? '' : `, in no basket ${unassigned}`;
  return `${symbol}: baskets ${baskets}${loose}, venue ${venue}`;
}

/** Not ready while fills wait for review because a venue reused another trade's id; a person has to resolve them. */
function historyCheck(reviews: Pick<FillReviews, 'all' | 'problemOf'>): ReadinessCheck {
  const accounts = new Map(reviews.all.map(({ tradeAccountId, connector }) => [tradeAccountId, connector]));
  const problems = [...accounts].map(([id, connector]) => `${connector}: ${reviews.problemOf(id)}`);
  return { name: 'history', ok: problems.length === 0, detail: problems.join('; ') || null };
}

/** Not ready after a clock jump until every connector has sent new prices; the jump is shown until the next start. */
function clockCheck(jump: ClockJump | null, waitingFor: readonly string[]): ReadinessCheck {
  if (jump === null) return { name: 'clock', ok: true, detail: null };
  const waits = waitingFor.length === 0 ? '' : `; no prices since from ${waitingFor.join(', ')}`;
  return { name: 'clock', ok: waitingFor.length === 0, detail: `${jumpText(jump)}${waits}` };
}

export function registerGauges(metrics: Metrics, engine: Engine, realtime: Realtime): void {
  metrics.gauge(
    'tandem_executions_running',
    'Executions that have not ended',
    () => engine.runningExecutions,
  );
  const { gauge } = metrics;
  gauge('tandem_ws_connections', 'Open WebSocket connections', () => realtime.stats().connections);
  gauge('tandem_ws_private_messages', 'Private events sent', () => realtime.stats().privateFrames);
  gauge(
    'tandem_ws_public_dropped',
    'Public updates left out for slow clients',
    () => realtime.stats().publicDropped,
  );
}
