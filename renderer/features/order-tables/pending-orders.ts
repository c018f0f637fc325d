/** Requests for all pending orders of the account. Lists that use the same request share one read. */
import type { Request } from '../../../gateway/client/client.ts';

const MOST = 500;

export const PENDING_TRIGGERS: Request<'GET /triggers'> = {
  query: { status: ['ACTIVE', 'PAUSED', 'TRIGGERED'], limit: MOST },
};
export const PENDING_ALERTS: Request<'GET /alerts'> = {
  query: { status: ['ACTIVE', 'PAUSED'], limit: MOST },
};
export const PENDING_SCHEDULES: Request<'GET /schedules'> = {
  query: { status: ['ACTIVE', 'PAUSED'], limit: MOST },
};
export const OPEN_ORDERS: Request<'GET /orders'> = {
  query: { status: ['PENDING', 'PARTIAL'], limit: MOST },
};

/** Repeats a read while it is shown: no event reports the progress of an order or its last seen value. */
export const PROGRESSING = { refetchEvery: 2_000 } as const;
