/** The place after which the events of a stream follow, as a program kept it: checked, because a wrong one would lose events in silence. */
import { TandemError } from './errors.ts';
import type { AccountEvent } from './stream-messages.ts';

/** `seq` of the only account, `seq` by private channel (`subscribed` has it), or the last event that was taken. */
export type ResumePoint = number | Readonly<Record<string, number>> | Pick<AccountEvent, 'channel' | 'seq'>;

/**
 * @returns private channel → `seq`
 * @throws TandemError where the point names no place in these channels
 */
export function resumePoints(
  point: ResumePoint | undefined,
  channels: readonly string[],
): Record<string, number> {
  if (point === undefined) return {};
  const own = channels.filter((name) => name.startsWith('user:'));
  const points = Object.entries(byChannel(point, own));
  for (const [channel, seq] of points) {
    if (!own.includes(channel))
      throw new TandemError(`resumeFrom: ${channel} is no private channel of this stream`);
    if (!Number.isSafeInteger(seq) || seq < 0) throw new TandemError(`resumeFrom: ${seq} is no seq`);
  }
  return Object.fromEntries(points);
}

function byChannel(point: ResumePoint, own: readonly string[]): Readonly<Record<string, number>> {
  if (typeof point === 'number') {
    const [only, ...others] = own;
    if (only === undefined || others.length > 0)
      throw new TandemError('resumeFrom: a number is of a stream with one account: name the channel');
    return { [only]: point };
  }
  if (typeof point !== 'object' || point === null || Array.isArray(point))
    throw new TandemError('resumeFrom: expected a seq, the seq by channel, or the last event');
  return isEvent(point) ? { [point.channel]: point.seq } : point;
}

function isEvent(point: object): point is Pick<AccountEvent, 'channel' | 'seq'> {
  return 'channel' in point && typeof point.channel === 'string' && 'seq' in point;
}
