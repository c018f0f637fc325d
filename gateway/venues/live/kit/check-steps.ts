/** Steps of a venue's check, and the sentences that venues share. */
import type { Clock } from '../../../engine/ports/system.ts';
import type { CredentialRefusal, VenueCheckStep, VenueError } from '../../../engine/ports/venue.ts';
import type { LiveView } from './live-venue.ts';

export type Tell = (step: VenueCheckStep) => void;

/** Longest wait of a check for data that arrives by itself. */
const WAIT_MS = 5_000;
const LOOK_EVERY_MS = 50;
const WORST_OFFSET_MS = 1_000;

export const fine = (name: string, detail: string): VenueCheckStep => ({
  name,
  ok: true,
  detail,
  remedy: null,
});

export const bad = (name: string, detail: string, remedy: string | null): VenueCheckStep => ({
  name,
  ok: false,
  detail,
  remedy,
});

export function remedyOf(error: VenueError): string {
  if (error.kind === 'throttled') return 'Wait a minute and check again: the venue counts questions';
  if (/\b(403|451)\b|region/.test(error.message))
    return 'The venue is not available from your region or address';
  return 'Look whether this machine is on line, and whether the venue reports maintenance';
}

/** @param renewal next step after a refused key */
export function remedyOfRefusal(refusal: CredentialRefusal, renewal: string): string {
  if (refusal.kind === 'refused') return renewal;
  return refusal.kind === 'throttled'
    ? remedyOf(refusal)
    : remedyOf({ kind: 'unknown', message: refusal.message });
}

/** @param offsetMs the venue's clock less ours */
export function clockStep(offsetMs: number): VenueCheckStep {
  const offset = Math.round(offsetMs);
  if (Math.abs(offset) <= WORST_OFFSET_MS) return fine('clock', `${offset} ms off the venue's`);
  return bad(
    'clock',
    `This machine's clock is ${offset} ms off the venue's: orders expire too early or too late`,
    'Let the machine set its clock from the network (NTP)',
  );
}

/** True: it became so in time. */
export async function waitUntil(clock: Clock, isSo: () => boolean): Promise<boolean> {
  const until = clock.uptime() + WAIT_MS;
  while (!isSo()) {
    if (clock.uptime() >= until) return false;
    await clock.sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** @param follow calls its listener with every news of prices, and gives back how to stop that */
export async function pricesStep(
  clock: Clock,
  follow: (listener: () => void) => () => void,
  isUp: () => boolean,
): Promise<VenueCheckStep> {
  let news = 0;
  const stop = follow(() => {
    news += 1;
  });
  const came = await waitUntil(clock, () => news > 0 && isUp());
  stop();
  if (came) return fine('market_stream', 'Prices come');
  return bad(
    'market_stream',
    `No price came within ${WAIT_MS / 1_000} s`,
    'A proxy or a firewall may keep WebSockets from leaving this machine',
  );
}

/** Waits for news of the account. @param silentRemedy for an account of which the stream says nothing */
export async function accountStreamStep(
  clock: Clock,
  { open, streamUp }: Pick<LiveView<{ readonly heard: boolean }>, 'open' | 'streamUp'>,
  silentRemedy: string,
): Promise<VenueCheckStep> {
  if (await waitUntil(clock, () => open()?.session.heard === true && streamUp()))
    return fine('account_stream', 'News of the account come');
  if (open() === null)
    return bad('account_stream', 'The account is not open at the venue', 'See the account in Accounts');
  return bad(
    'account_stream',
    `The stream said nothing of the account within ${WAIT_MS / 1_000} s`,
    silentRemedy,
  );
}
