/** Time of the next funding payment, in words. */
import { formatSpan } from '../../components/format.ts';

export interface NextPayment {
  /** Epoch ms of the earliest payment of the legs. */
  readonly at: number;
  readonly intervalHours: number;
}

/** State of the read. `untold`: the venue has not announced a time. */
export type FundingRead = NextPayment | 'reading' | 'unread' | 'untold';

export const NO_PAYMENT: Readonly<Record<Extract<FundingRead, string>, string>> = {
  reading: 'When funding is due is being read',
  unread: 'When funding is due could not be read',
  untold: 'The venue has not told when funding is due',
};

/**
 * Time left, in whole seconds or minutes: `in 40 s`, `in 12 min`, `in 7 h 5 min`, `now`. Rounded down, so that no
 * payment is due earlier than shown.
 */
export function paymentIn(at: number, now: number): string {
  return at <= now ? 'now' : `in ${formatSpan(at - now)}`;
}

/** `Next payment in 12 min, at 14:00, then every hour`. @param clock formats a time of day */
export function paymentWords(
  { at, intervalHours }: NextPayment,
  now: number,
  clock: (at: number) => string,
): string {
  const every = intervalHours === 1 ? 'every hour' : `every ${intervalHours} h`;
  return `Next payment ${paymentIn(at, now)}, at ${clock(at)}, then ${every}`;
}
