/** Preview of a mass cancellation: cancelled orders, and positions that lose their protection. */
import { useTicker } from '../../api/market.ts';
import { useAllRows } from '../../api/queries.ts';
import layout from '../../components/layout.module.css';
import { ErrorState } from '../../components/states.tsx';
import { OPEN_ORDERS, PENDING_SCHEDULES } from '../order-tables/pending-orders.ts';
import css from './what-goes.module.css';
import { goingText, unprotectedTexts } from './what-goes-text.ts';

const ANEW = { refetchEvery: 3_000 } as const;

interface WhatGoesProps {
  readonly what: 'all' | 'triggers' | 'orders';
  /** Ids of the orders to cancel; left out: all. */
  readonly only?: readonly string[] | undefined;
}

export function WhatGoes(props: WhatGoesProps) {
  return (
    <div className={css['goes']}>
      <Counted {...props} />
    </div>
  );
}

function Counted({ what, only }: WhatGoesProps) {
  const tickerOf = useTicker();
  const triggers = useAllRows(
    'GET /triggers',
    { query: { status: ['ACTIVE', 'PAUSED'], limit: 500 } },
    { ...ANEW, enabled: what !== 'orders' },
  );
  const schedules = useAllRows('GET /schedules', PENDING_SCHEDULES, { ...ANEW, enabled: what === 'all' });
  const orders = useAllRows('GET /orders', OPEN_ORDERS, { ...ANEW, enabled: what !== 'triggers' });
  const read = [
    ...(what === 'orders' ? [] : [triggers]),
    ...(what === 'all' ? [schedules] : []),
    ...(what === 'triggers' ? [] : [orders]),
  ];
  const error = read.find((one) => one.data === undefined && one.error !== null)?.error;
  if (error !== undefined) return <ErrorState compact error={error} />;
  if (read.some(({ data }) => data === undefined)) return <p className={layout['quiet']}>Counting…</p>;
  const isMeant = ({ id }: { readonly id: string }) => only === undefined || only.includes(id);
  const going = {
    triggers: what === 'orders' ? [] : (triggers.data ?? []).filter(isMeant),
    schedules: what === 'all' ? (schedules.data ?? []) : [],
    orders: what === 'triggers' ? 0 : (orders.data?.filter(isMeant).length ?? 0),
  };
  return (
    <>
      <p>
        <strong>{goingText(going) ?? 'Nothing waits.'}</strong>
      </p>
      {unprotectedTexts(going.triggers, tickerOf).map((text) => (
        <p key={text} className={layout['caution']}>
          {text}
        </p>
      ))}
    </>
  );
}
