/**
 * One-line notice about the gateway over the screen: not answering, without live data, slow, or of another version. The
 * last one waits for its reader, because a reload loses typed text; the others go away by themselves.
 */
import { RefreshCw, TriangleAlert, Unplug } from 'lucide-react';
import { isUnsure } from '../../gateway/client/errors.ts';
import { useNow, useStaleSeconds } from '../api/clock.ts';
import { cutSince, useConnection } from '../api/connection.ts';
import { desktop } from '../api/desktop.ts';
import { useGet } from '../api/queries.ts';
import { useIsWriteWaiting, useOldestWaiting } from '../api/request-log.ts';
import { useSession } from '../api/session.ts';
import { type VersionGap, versionGap } from '../api/version-gap.ts';
import { Button } from '../components/button.tsx';
import { NoticeStrip } from './notice-strip.tsx';

/** Version that the build writes into the page; null: the page was built without one. */
const PAGE_VERSION = document.querySelector('meta[name="tandem-version"]')?.getAttribute('content') ?? null;
/**
 * Interval of the version check: pages before the dashboard have no connection that would report a replaced gateway.
 */
const VERSION_EVERY_MS = 60_000;
/** Interval without a connection: an answer means a lost stream, no answer means a gateway that is down. */
const ASK_EVERY_MS = 2_000;
const SLOW_MS = 4_000;

/** @param hasStream false where no account is shown, as before the dashboard: there is no stream that could be lost */
export function GatewayNotice({ hasStream }: { readonly hasStream: boolean }) {
  const isLost = useConnection() !== 'live' && hasStream;
  const isStale = useStaleSeconds() !== null;
  // The stream ends with its session.
  const isOver = useSession(({ phase }) => phase === 'expired');
  const { data, dataUpdatedAt, error, errorUpdatedAt, failureReason } = useGet(
    'GET /version',
    {},
    { shared: true, refetchEvery: isLost ? ASK_EVERY_MS : VERSION_EVERY_MS },
  );
  const gap = versionGap(PAGE_VERSION, data?.version);
  // The first failure counts: retries take most of a minute when the gateway hangs. A refusal is an answer.
  const hasFailed = errorUpdatedAt > Math.max(dataUpdatedAt, cutSince()) && isUnsure(error);
  if (isLost && isStale && (hasFailed || isUnsure(failureReason))) return <Lost />;
  if (isLost && isStale && !isOver && dataUpdatedAt > cutSince()) return <Interrupted />;
  if (gap !== null) return <OtherVersion gap={gap} />;
  return <Slow />;
}

function Lost() {
  return (
    <NoticeStrip
      icon={<Unplug />}
      action={
        desktop.isDesktop && (
          <Button onClick={() => void desktop.restartGateway()}>Restart the gateway</Button>
        )
      }
    >
      <strong>The gateway does not answer.</strong> While it is down, stop-losses, triggers and alerts are not
      watched; <code>tandem start</code> starts it. This page goes on by itself when it is back; what is typed
      stays.
    </NoticeStrip>
  );
}

function Interrupted() {
  return (
    <NoticeStrip icon={<Unplug />}>
      <strong>The live stream is interrupted.</strong> The gateway answers and goes on watching. Until the
      stream is back, prices here stand still and the figures of the account are read every few seconds.
    </NoticeStrip>
  );
}

function OtherVersion({ gap: { page, gateway, newer } }: { readonly gap: VersionGap }) {
  return (
    <NoticeStrip
      icon={<RefreshCw />}
      action={
        <Button kind="primary" onClick={() => location.reload()}>
          Reload the page
        </Button>
      }
    >
      <strong>The gateway is of another version:</strong> it is {gateway}, this page is {page}.{' '}
      {newer === 'gateway'
        ? 'Reload the page once you have finished what you are typing.'
        : 'Restart the gateway, then reload the page.'}
    </NoticeStrip>
  );
}

function Slow() {
  const since = useOldestWaiting();
  // The clock runs only while a call is waiting for its answer.
  return since === null ? null : <SlowSince since={since} />;
}

function SlowSince({ since }: { readonly since: number }) {
  const waited = useNow() - since;
  const isWriteWaiting = useIsWriteWaiting();
  if (waited < SLOW_MS) return null;
  return (
    <NoticeStrip icon={<TriangleAlert />}>
      <strong>The gateway is slow.</strong> No answer for {Math.floor(waited / 1_000)} s.
      {isWriteWaiting && ' Nothing is sent twice meanwhile.'}
    </NoticeStrip>
  );
}
