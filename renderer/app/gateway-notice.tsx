/**
 * One-line notice about the gateway over the screen: not answering, slow, or of another version. The first two
 * notices go away by themselves; the third waits for its reader, because a reload loses typed text.
 */
import { RefreshCw, Unplug } from 'lucide-react';
import { useNow, useStaleSeconds } from '../api/clock.ts';
import { useConnection } from '../api/connection.ts';
import { desktop } from '../api/desktop.ts';
import { useGet } from '../api/queries.ts';
import { useIsWriteWaiting, useOldestWaiting } from '../api/request-log.ts';
import { type VersionGap, versionGap } from '../api/version-gap.ts';
import { Button } from '../components/button.tsx';
import { NoticeStrip } from './notice-strip.tsx';

/** Version that the build writes into the page; null: the page was built without one. */
const PAGE_VERSION = document.querySelector('meta[name="tandem-version"]')?.getAttribute('content') ?? null;
/**
 * Interval of the version check: pages before the dashboard have no connection that would report a replaced gateway.
 */
const VERSION_EVERY_MS = 60_000;
const SLOW_MS = 4_000;

/** @param hasStream false on the pages before the dashboard, which have no stream that could be lost */
export function GatewayNotice({ hasStream = true }: { readonly hasStream?: boolean }) {
  const isLost = useConnection() !== 'live';
  const stale = useStaleSeconds();
  const version = useGet('GET /version', {}, { shared: true, refetchEvery: VERSION_EVERY_MS });
  const gap = versionGap(PAGE_VERSION, version.data?.version);
  if (hasStream && isLost && stale !== null) return <Lost />;
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
    <NoticeStrip quiet>
      <strong>The gateway is slow.</strong> Waiting for an answer for {Math.floor(waited / 1_000)} s.
      {isWriteWaiting && ' Nothing is sent twice meanwhile.'}
    </NoticeStrip>
  );
}
