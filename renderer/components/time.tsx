/** Times, in UTC or in the reader's zone as the settings say; the browser's tooltip shows the other zone. */
import { useNow, useStaleSeconds } from '../api/clock.ts';
import { lastHeard } from '../api/connection.ts';
import { useSettings } from '../api/settings.ts';
import { NoFigure } from './amount.tsx';
import { formatSpan, formatTime, type TimeStyle } from './format.ts';

type Moment = string | number | null | undefined;

export function Time({ at, style = 'datetime' }: { readonly at: Moment; readonly style?: TimeStyle }) {
  const settings = useSettings();
  if (at == null) return <NoFigure />;
  const iso = new Date(at).toISOString();
  const other = formatTime({ ...settings, zone: settings.zone === 'utc' ? 'local' : 'utc' }, at);
  return (
    <time dateTime={iso} title={`${other} ${settings.zone === 'utc' ? 'local' : 'UTC'}`}>
      {formatTime(settings, at, style)}
    </time>
  );
}

/** Time since a moment: "3 h 20 min". */
export function Age({ since }: { readonly since: Moment }) {
  return <Distance to={since} words={(ms) => formatSpan(-ms)} />;
}

/**
 * Age of a state that the gateway reports: without a connection nobody knows whether the state still holds.
 * @param readAt epoch ms at which the state was read
 */
export function AgeAsHeard({ since, readAt }: { readonly since: Moment; readonly readAt: number }) {
  const isStale = useStaleSeconds() !== null;
  const heard = isStale ? { from: Math.max(lastHeard(), readAt) } : {};
  return <Distance to={since} {...heard} words={(ms) => formatSpan(-ms)} />;
}

/** Time until a moment: "4 min"; `over` when the moment has passed. */
export function Countdown({ to, over = 'now' }: { readonly to: Moment; readonly over?: string }) {
  return <Distance to={to} words={(ms) => (ms <= 0 ? over : formatSpan(ms))} />;
}

function Distance({
  to,
  from,
  words,
}: {
  readonly to: Moment;
  /** Left out: now. */
  readonly from?: number;
  readonly words: (ms: number) => string;
}) {
  const now = useNow();
  const settings = useSettings();
  if (to == null) return <NoFigure />;
  const at = new Date(to);
  return (
    <time dateTime={at.toISOString()} title={formatTime(settings, at.getTime())}>
      {words(at.getTime() - (from ?? now))}
    </time>
  );
}
