/** When funding is settled next, in words. */
import { formatSpan } from '../../components/format.ts';

export interface NextPayment {
  /** Epoch ms, the first of the legs. */
  readonly at: number;
  readonly intervalHours: number;
}

/** What a read says of it. `untold`: the venue has not told it. */
export type FundingRead = NextPayment | 'reading' | 'unread' | 'untold';

export const NO_PAYMENT: Readonly<Record<Extract<FundingRead, string>, string>> = {
  reading: 'When funding is due is being read',
  unread: 'When funding is due could not be read',
  untold: 'The venue has not told when funding is due',
};

/**
 * `in 40 s`, `in 12 min`, `in 7 h 5 min`, `now`: whole seconds or minutes that are left, so that it is never due before it
 * says so.
 */
export function paymentIn(at: number, now: number): string {
  return at <= now ? 'now' : `in ${formatSpan(at - now)}`;
}

/** `Next payment in 12 min, at 14:00, then every hour`. @param clock the moment as a time of day */
export function paymentWords(
  { at, intervalHours }: NextPayment,
  now: number,
  clock: (at: number) => string,
): string {
  const every = intervalHours === 1 ? 'every hour' : `every ${intervalHours} h`;
  return `Next payment ${paymentIn(at, now)}, at ${clock(at)}, then ${every}`;
}
