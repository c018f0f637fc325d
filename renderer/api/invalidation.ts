/**
 * Event of the trade account → the reads that become stale. Events come in bursts; each read is renewed once per
 * burst.
 */
import { type ReadRoute, readAnew } from './queries.ts';

const HELD: readonly ReadRoute[] = [
  'GET /positions',
  'GET /positions/{id}',
  'GET /positions/lite',
  'GET /positions/unassigned',
  'GET /sync/differences',
  'GET /fills/provisionals-lite',
  'GET /portfolio',
  'GET /portfolio/analytics',
];
const TRADED: readonly ReadRoute[] = [
  'GET /executions',
  'GET /executions/{id}',
  'GET /orders',
  'GET /fills',
  'GET /fills/{positionId}',
];

/** Stale reads by the first word of the event's name. */
const CHANGED: Readonly<Record<string, readonly ReadRoute[]>> = {
  execution: [...TRADED, ...HELD],
  position: [
    ...HELD,
    'GET /positions/closed',
    'GET /fills',
    'GET /fills/{positionId}',
    'GET /funding/payments',
  ],
  order: TRADED,
  trigger: ['GET /triggers', 'GET /triggers/{id}', 'GET /positions', 'GET /positions/{id}'],
  alert: ['GET /alerts', 'GET /alerts/{id}'],
  schedule: ['GET /schedules', 'GET /schedules/{id}', 'GET /ladders', 'GET /ladders/{ladderId}'],
  ladder: ['GET /ladders', 'GET /ladders/{ladderId}', 'GET /triggers', 'GET /schedules'],
  // Notifications also report new or revoked agents and trades made outside Tandem.
  notification: [
    'GET /notifications',
    'GET /approvals',
    'GET /oauth2/grants',
    'GET /agents',
    'GET /audit-log',
    'GET /positions/unassigned',
    'GET /sync/differences',
    'GET /fills/provisionals-lite',
  ],
  approval: ['GET /approvals', 'GET /approvals/{id}'],
  agent: ['GET /agents', 'GET /audit-log'],
  panic: ['GET /safety', 'GET /positions/unassigned'],
};

const BURST_MS = 250;
const waiting = new Set<ReadRoute>();
let timer: ReturnType<typeof setTimeout> | null = null;

/** @param event e.g. `position.updated` */
export function invalidateFor(event: string): void {
  for (const route of CHANGED[event.split('.')[0] ?? ''] ?? []) waiting.add(route);
  if (waiting.size === 0 || timer !== null) return;
  timer = setTimeout(() => {
    timer = null;
    const routes = [...waiting];
    waiting.clear();
    void readAnew(...routes);
  }, BURST_MS);
}
