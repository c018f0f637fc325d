/** States of one slice of a TWAP in words. */
import type { Answer } from '../../../gateway/client/client.ts';
import type { StateWords } from './order-states.ts';

type Slice = Answer<'GET /schedules/{id}'>['slices'][number];

const SLICE: Readonly<Record<Slice['status'], StateWords>> = {
  PENDING: { label: 'Waiting', tone: 'neutral' },
  EXECUTING: { label: 'Working', tone: 'accent' },
  COMPLETED: { label: 'Done', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
  SKIPPED: { label: 'Skipped', tone: 'warning' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
};
export const sliceState = ({ status }: Pick<Slice, 'status'>): StateWords => SLICE[status];
