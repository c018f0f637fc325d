/** States of a view that replace or accompany its data: loading, empty, error, stale. */
import { type ReactNode, useEffect, useState } from 'react';
import { useStaleSeconds } from '../api/clock.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';
import { describeError } from './describe-error.ts';
import css from './states.module.css';

const PATIENCE_MS = 300;
const BARS = ['92%', '79%', '86%', '64%', '88%', '71%', '83%', '58%', '90%', '67%'];

/** Number of skeletons whose lines are visible. */
let seen = 0;

/**
 * Grey lines in place of rows; nothing for the first 300 ms, in which most answers come. A skeleton that replaces a
 * visible one shows its lines at once: otherwise a screen would go blank between loading its file and loading its data.
 */
export function Skeleton({
  rows = 6,
  height,
}: {
  readonly rows?: number | undefined;
  readonly height?: number | undefined;
}) {
  const [waited, setWaited] = useState(() => seen > 0);
  useEffect(() => {
    if (!waited) {
      const timer = setTimeout(() => setWaited(true), PATIENCE_MS);
      return () => clearTimeout(timer);
    }
    seen += 1;
    return () => {
      seen -= 1;
    };
  }, [waited]);
  return (
    <div className={css['skeleton']} role="status" style={{ height }}>
      <span className="visually-hidden">Loading</span>
      {waited &&
        BARS.slice(0, rows).map((width) => <span key={width} className={css['bar']} style={{ width }} />)}
    </div>
  );
}

/** Empty view: the reason, and the one action that helps. */
export function EmptyState({
  title,
  children,
  action,
  icon,
}: {
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: ReactNode;
}) {
  return (
    <div className={css['state']}>
      {icon !== undefined && (
        <span className={css['icon']} aria-hidden="true">
          {icon}
        </span>
      )}
      <p className={css['title']}>{title}</p>
      {children !== undefined && <p className={css['text']}>{children}</p>}
      {action !== undefined && <div className={css['action']}>{action}</div>}
    </div>
  );
}

/** An error with its status and code, and the request id under which the gateway's log lists it. */
export function ErrorState({
  error,
  onRetry,
  compact = false,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  /** Strip above data or inside a form, instead of a centred message in an empty view. */
  readonly compact?: boolean;
}) {
  const { title, text, code, requestId, mayPass } = describeError(error);
  return (
    <div className={css[compact ? 'strip' : 'state']} role="alert">
      <div className={css['words']}>
        <p className={css['title']}>{title}</p>
        <p className={css['text']}>{text}</p>
        {onRetry !== undefined && !mayPass && (
          <p className={css['text']}>
            Asking again changes nothing: choose another account, or sign in anew.
          </p>
        )}
        {(code !== null || requestId !== null) && (
          <p className={css['facts']}>
            {code !== null && <code>{code}</code>}
            {requestId !== null && (
              <span className={css['request']}>
                <span>
                  request <code>{requestId}</code>
                </span>
                <CopyButton text={requestId} label="Copy request id" />
              </span>
            )}
          </p>
        )}
      </div>
      {onRetry !== undefined && mayPass && (
        <div className={css['action']}>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/** Notice "Stale 12 s", shown while the connection is lost or silent. */
export function StaleNotice() {
  const seconds = useStaleSeconds();
  if (seconds === null) return null;
  return (
    <span className={css['stale']} role="status">
      Stale {seconds} s
    </span>
  );
}

/** Dims its content while the data are stale. */
export function Fresh({
  children,
  className,
}: {
  readonly children: ReactNode;
  readonly className?: string;
}) {
  const stale = useStaleSeconds() !== null;
  return <div className={classNames(className, css['fresh'], stale && 'stale')}>{children}</div>;
}

/**
 * Content of the previous filter or range, dimmed and marked as loading, until the new one is answered.
 * @param className of the content
 */
export function Renewed({
  busy,
  className,
  children,
}: {
  readonly busy: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <>
      {/* Always there, because a screen reader says only what changes inside it. */}
      <p role="status" className={busy ? css['renewed'] : 'visually-hidden'}>
        {busy && 'Loading what you chose; until then this is the choice before'}
      </p>
      <div className={classNames(className, busy && 'stale')} aria-busy={busy}>
        {children}
      </div>
    </>
  );
}

interface QueryLike<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/**
 * Usual states of a read: skeleton, error, or its data. An error of a later read is shown above the data.
 * `<Loaded query={positions}>{(data) => …}</Loaded>`
 */
export function Loaded<Data>({
  query,
  rows,
  children,
}: {
  readonly query: QueryLike<Data>;
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = query;
  const retry = () => void refetch();
  if (data === undefined) {
    if (error != null) return <ErrorState error={error} onRetry={retry} />;
    return <Skeleton rows={rows} />;
  }
  return (
    <>
      {error != null && (
        <div className={css['above']}>
          <ErrorState compact error={error} onRetry={retry} />
        </div>
      )}
      {children(data)}
    </>
  );
}
