/** Words for refused attempts of an agent, and for the limit that refused each. */
import type { Answer } from '../../../gateway/client/client.ts';
import { usd } from '../../../gateway/contract/mandate-words.ts';
import { cents } from './agent-words.ts';

type BrokenLimit = Answer<'GET /agents/{id}/refused'>['refused'][number]['limits'][number];

const ATTEMPTS: Readonly<Record<string, string>> = {
  'POST /trade/open': 'Open',
  'POST /triggers/open': 'Place a trigger on',
  'POST /schedules': 'Start a TWAP of',
  'POST /ladders': 'Place a ladder of',
  'POST /positions/:id/close': 'Close a position',
  'POST /positions/:id/adjust': 'Adjust a position',
  'POST /positions/:id/reverse': 'Reverse a position',
  'POST /positions/:id/rebalance': 'Rebalance a position',
  'POST /positions/:id/margin': 'Change the margin of a position',
  'PUT /positions/:id/brackets': 'Set take-profit or stop-loss',
  'PUT /positions/:id/auto-rebalance': 'Set automatic rebalancing',
  'PATCH /triggers/:id': 'Change a trigger',
  'POST /triggers/:id/resume': 'Resume a trigger',
  'POST /schedules/:id/resume': 'Resume a TWAP',
  'POST /positions/close-all': 'Close all positions',
  'POST /triggers/cancel-all': 'Cancel all triggers',
  'POST /orders/cancel-all': 'Cancel all orders',
  'POST /safety/panic': 'Close everything',
  'POST /safety/resume': 'Resume trading',
  'PUT /leverage': 'Change leverage',
  'POST /trade-accounts/:id/credentials': 'Read venue credentials',
};

/** Verb of the attempt, or its route if there is no verb for it. */
export function attemptName(route: string): string {
  return ATTEMPTS[route] ?? route;
}

const LIMITS: Readonly<Record<string, string>> = {
  accounts: 'account not allowed',
  instruments: 'instrument not allowed',
  kinds: 'kind of order not allowed',
  reduceOnly: 'may only reduce',
  manage: 'not its own',
  hours: 'outside its hours',
  validUntil: 'its time is over',
  suspended: 'paused',
  lossStop: 'loss limit of 24 hours reached',
  'house.lossUsd24h': 'loss limit over all agents reached',
};

const NAMES: Readonly<Record<string, string>> = {
  maxOrderUsd: 'order size',
  maxOpenedUsd24h: 'opened in 24 hours',
  maxGrossUsd: 'held and waiting',
  maxPositions: 'positions',
  maxResting: 'waiting orders',
  maxLeverage: 'leverage',
  maxSlippage: 'max slippage',
};

/** `order size: 500 USD allowed, 1,200 USD asked` */
export function limitWords({ limit, allowed, used, asked }: BrokenLimit): string {
  const words = LIMITS[limit];
  if (words !== undefined) return words;
  const isHouse = limit.startsWith('house.');
  const field = isHouse ? limit.slice('house.'.length) : limit;
  const name = `${NAMES[field] ?? field}${isHouse ? ', all agents' : ''}`;
  const shown = /Usd(24h)?$/.test(field) ? (amount: string) => usd(cents(amount)) : short;
  const figures = [
    `${shown(allowed ?? '0')} allowed`,
    ...(used === null ? [] : [`${shown(used)} used`]),
    ...(asked === null ? [] : [`${shown(asked)} asked`]),
  ];
  return `${name}: ${figures.join(', ')}`;
}

function short(figure: string): string {
  return /^-?\d+\.\d{3,}$/.test(figure) ? Number(figure).toFixed(2) : figure;
}
