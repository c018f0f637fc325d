/**
 * Rights that each route that changes something needs of a mandate: one table, so that a forgotten route fails at
 * start and in a test. Whoever has no mandate is not asked.
 */

import type { MANDATE_RIGHTS } from '../domain/enumerations.ts';

export type MandateRight = (typeof MANDATE_RIGHTS)[number];

/** Things that belong to whoever placed them. Under `manage: OWN` those of others are answered like ones that do not exist. */
export type OwnThing =
  | 'position'
  | 'trigger'
  /** It trades nothing: of its own it is on any account, whatever the mandate says of now. */
  | 'alert'
  | 'ladder'
  | 'schedule'
  | 'order'
  | 'autoRebalance';

/** Rights that no mandate gives. */
type NeverAllowed = 'resume' | 'webhooks' | 'channels' | 'notifications';

export type MandateRule =
  /** Judged where it is placed: by accounts, kinds, money, time. `own`: the thing that it is about. */
  | { readonly judged: true; readonly own?: OwnThing }
  /** It touches one thing, and opens nothing. While suspended, a holder touches only what it placed itself. */
  | { readonly own: OwnThing; readonly suspended?: 'REFUSED' }
  /** `among`: the account that the path names has to be one of the mandate's. */
  | { readonly right: MandateRight; readonly among?: true }
  /** It touches what others placed, too: `manage: ALL`. */
  | { readonly manage: 'ALL'; readonly suspended?: 'REFUSED' }
  /** It can only stop something, or changes nothing that trades. */
  | { readonly free: true; readonly suspended?: 'REFUSED' }
  | { readonly never: NeverAllowed };

/** A suspended holder tightens protection, reduces and closes, and nothing else. */
const NOT_SUSPENDED = { suspended: 'REFUSED' } as const;
const JUDGED = { judged: true } as const;
const ALL = { manage: 'ALL', ...NOT_SUSPENDED } as const;
const FREE = { free: true } as const;
const FREE_UNLESS_SUSPENDED = { ...FREE, ...NOT_SUSPENDED } as const;
const WEBHOOKS = { never: 'webhooks' } as const;
const CHANNELS = { never: 'channels' } as const;
const NOTIFICATIONS = { never: 'notifications' } as const;
const ACCOUNTS = { right: 'manageAccounts' } as const;
const ACCOUNT = { right: 'manageAccounts', among: true } as const;
const SETUP = { right: 'exchangeSetup' } as const;
const ATTRIBUTE = { right: 'attributeTrades' } as const;

/** `METHOD /path/{id}` → what it needs. */
export const MANDATE_RULES: Readonly<Record<string, MandateRule>> = {
  'POST /trade/open': JUDGED,
  'POST /triggers/open': JUDGED,
  'POST /ladders': JUDGED,
  'POST /schedules': JUDGED,
  'POST /positions/{id}/close': { judged: true, own: 'position' },
  'POST /positions/{id}/adjust': { judged: true, own: 'position' },
  'POST /positions/{id}/reverse': { judged: true, own: 'position' },
  'POST /positions/{id}/rebalance': { judged: true, own: 'position' },
  'PUT /positions/{id}/brackets': { judged: true, own: 'position' },
  'PUT /positions/{id}/auto-rebalance': { judged: true, own: 'position' },
  'POST /positions/{id}/auto-rebalance/resume': { judged: true, own: 'autoRebalance' },
  'PATCH /triggers/{id}': { judged: true, own: 'trigger' },
  'POST /triggers/{id}/resume': { judged: true, own: 'trigger' },
  'POST /schedules/{id}/resume': { judged: true, own: 'schedule' },

  'POST /triggers/{id}/cancel': { own: 'trigger' },
  'POST /triggers/{id}/pause': { own: 'trigger' },
  'POST /alerts/{id}/cancel': { own: 'alert' },
  'PATCH /alerts/{id}': { own: 'alert', ...NOT_SUSPENDED },
  'POST /schedules/{id}/cancel': { own: 'schedule' },
  'POST /schedules/{id}/pause': { own: 'schedule' },
  'POST /ladders/{ladderId}/cancel': { own: 'ladder' },
  'POST /orders/{id}/cancel': { own: 'order' },
  'POST /positions/{id}/auto-rebalance/pause': { own: 'autoRebalance' },
  'DELETE /positions/{id}/auto-rebalance': { own: 'autoRebalance' },
  'POST /positions/{id}/margin': { judged: true, own: 'position' },
  'POST /positions/{id}/rebalance/plan': FREE,
  'POST /positions/{id}/close/plan': FREE,
  'POST /positions/{id}/reverse/plan': FREE,
  'POST /positions/{id}/adjust/plan': FREE,
  'POST /positions/{id}/brackets/plan': FREE,
  'POST /positions/close-all/plan': FREE,

  'POST /positions/close-all': { manage: 'ALL' },
  'POST /orders/cancel-all': ALL,
  'POST /triggers/cancel-all': ALL,
  'POST /safety/panic': ALL,
  'POST /safety/pause': FREE_UNLESS_SUSPENDED,
  // It trades nothing.
  'POST /alerts': FREE_UNLESS_SUSPENDED,
  'DELETE /approvals/mine/{id}': FREE,
  'POST /safety/resume': { never: 'resume' },
  // News of the whole user, and secrets that outlive a key.
  'POST /webhooks': WEBHOOKS,
  'PATCH /webhooks/{id}': WEBHOOKS,
  'DELETE /webhooks/{id}': WEBHOOKS,
  'POST /webhooks/{id}/rotate-secret': WEBHOOKS,
  'POST /webhooks/{id}/test': WEBHOOKS,
  'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver': WEBHOOKS,
  'POST /notification-channels': CHANNELS,
  'PATCH /notification-channels/{id}': CHANNELS,
  'DELETE /notification-channels/{id}': CHANNELS,
  'POST /notification-channels/{id}/test': CHANNELS,
  // A warning that an agent has marked as read is one that its user does not see.
  'POST /notifications/read': NOTIFICATIONS,
  'POST /notifications/unread': NOTIFICATIONS,

  'PUT /leverage': { right: 'changeLeverage' },
  'POST /trade-accounts': ACCOUNTS,
  'PATCH /trade-accounts/{id}': ACCOUNT,
  'DELETE /trade-accounts/{id}': ACCOUNT,
  // A POST that reads them.
  'POST /trade-accounts/{id}/credentials': { right: 'readCredentials' },
  'PUT /trade-accounts/{id}/credentials': ACCOUNT,
  'DELETE /trade-accounts/{id}/credentials': ACCOUNT,
  'POST /trade-accounts/{id}/paper/reset': ACCOUNT,
  // The order itself is judged by the engine.
  'POST /trade-accounts/{id}/paper/outside-order': ACCOUNT,
  'POST /trade-accounts/{id}/paper/faults': ACCOUNT,
  'DELETE /trade-accounts/{id}/paper/faults': ACCOUNT,
  'DELETE /trade-accounts/{id}/paper/faults/{faultId}': ACCOUNT,
  // It sends orders of its own to find out whether they work.
  'POST /connectors/{id}/check': ACCOUNTS,
  'DELETE /trade-accounts/{id}/arming': FREE_UNLESS_SUSPENDED,

  'POST /misc/exchange/change-account-tier': SETUP,
  'POST /misc/exchange/change-pub-key': SETUP,
  'POST /misc/exchange/create-api-key': SETUP,
  'POST /misc/exchange/create-auth-token': SETUP,
  'POST /misc/exchange/prepare-approve-integrator': SETUP,
  'POST /misc/exchange/prepare-fast-withdraw': SETUP,
  'POST /misc/exchange/submit-approve-integrator': SETUP,
  'POST /misc/exchange/submit-fast-withdraw': SETUP,
  'POST /misc/exchange/uda': SETUP,

  'POST /sync': FREE,
  'POST /sync/positions': ATTRIBUTE,
  'POST /sync/positions/plan': FREE,
  'POST /sync/reviews/resolve': ATTRIBUTE,
  // Nobody is written down as having saved one: all are the user's.
  'POST /saved-baskets': ALL,
  'PATCH /saved-baskets/{id}': ALL,
  'DELETE /saved-baskets/{id}': ALL,
};

const RIGHT_WORDS: Readonly<Record<MandateRight, string>> = {
  readCredentials: 'reading venue credentials',
  manageAccounts: 'managing trade accounts',
  exchangeSetup: 'setting up accounts at the exchange',
  changeLeverage: 'changing leverage',
  attributeTrades: 'attributing trades',
};

const NEVER_WORDS: Readonly<Record<NeverAllowed, string>> = {
  resume: 'resuming trading',
  webhooks: 'managing webhooks',
  channels: 'managing notification channels',
  notifications: 'marking notifications, which its user has to see',
};

export const MANDATE_MESSAGES = {
  right: (right: MandateRight) => `Agent mandate does not allow ${RIGHT_WORDS[right]}`,
  manageAll: 'Agent mandate does not allow touching what others placed',
  never: (what: NeverAllowed) => `Agent mandate does not allow ${NEVER_WORDS[what]}`,
} as const;

/** `METHOD /path/:id` → the rule's name. */
export function ruleName({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;
}
