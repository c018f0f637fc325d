/** Buttons to pause, resume and cancel a resting order. Cancelling asks first where the settings say so. */
import { Pause, Pencil, Play, X } from 'lucide-react';
import { useState } from 'react';
import type { TandemClient } from '../../../gateway/client/client.ts';
import type { ReadRoute } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import { useSettings } from '../../api/settings.ts';
import { IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { formatTime } from '../../components/format.ts';
import layout from '../../components/layout.module.css';
import type { NamedLeg } from '../basket-name/basket-name.ts';
import { useBasketText } from '../basket-name/use-basket-text.ts';
import type { RestingAction } from './resting-state.ts';
import { useProgress, useSettling } from './use-settling.ts';

const DONE: Readonly<Record<RestingAction, string>> = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
};
const LABELS: Readonly<Record<RestingAction, string>> = {
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Cancel',
};
const ICONS = { pause: <Pause />, resume: <Play />, cancel: <X /> } as const;

interface Kind {
  /** Consequence of cancelling, for the question. */
  readonly consequence: string;
  readonly change: (client: TandemClient, id: string, action: RestingAction) => Promise<unknown>;
  /** Reads that are stale afterwards. */
  readonly changes: readonly ReadRoute[];
}

const changeTrigger: Kind['change'] = (client, id, action) =>
  client.call(`POST /triggers/{id}/${action}`, { params: { id } });

/** Kinds of resting orders by their names. */
const KINDS = {
  trigger: {
    consequence: 'It does not fire any more. Positions stay as they are.',
    change: changeTrigger,
    changes: ['GET /triggers', 'GET /positions'],
  },
  rung: {
    consequence: 'The other rungs go on waiting.',
    change: changeTrigger,
    changes: ['GET /ladders', 'GET /triggers'],
  },
  ladder: {
    consequence: 'Every rung that waits is cancelled. What was traded stays.',
    change: (client, ladderId) => client.call('POST /ladders/{ladderId}/cancel', { params: { ladderId } }),
    changes: ['GET /ladders', 'GET /triggers'],
  },
  alert: {
    consequence: 'You are not told any more.',
    change: (client, id) => client.call('POST /alerts/{id}/cancel', { params: { id } }),
    changes: ['GET /alerts'],
  },
  TWAP: {
    consequence: 'Slices that are left are not sent. What was traded stays.',
    change: (client, id, action) => client.call(`POST /schedules/{id}/${action}`, { params: { id } }),
    changes: ['GET /schedules', 'GET /schedules/{id}'],
  },
  order: {
    consequence: 'What has filled stays.',
    change: (client, id) => client.call('POST /orders/{id}/cancel', { params: { id } }),
    changes: ['GET /orders', 'GET /executions'],
  },
} as const satisfies Readonly<Record<string, Kind>>;

interface RestingButtonsProps {
  readonly what: keyof typeof KINDS;
  readonly id: string;
  /** Name of the order, for screen readers and the question: `BTC / ETH`. */
  readonly name: string;
  readonly actions: readonly RestingAction[];
  /** Time of placing, ISO 8601: tells apart buttons of orders with the same name. */
  readonly since?: string | undefined;
  /** True: the order protects a position, so cancelling it always needs confirmation. */
  readonly protects?: boolean;
  /** Opens the form for changes; undefined: the order cannot be changed. */
  readonly onEdit?: (() => void) | undefined;
}

/** `RestingButtons` with the basket's text as the order's name. */
export function BasketButtons({
  legs,
  ...rest
}: Omit<RestingButtonsProps, 'name'> & { readonly legs: readonly NamedLeg[] }) {
  return <RestingButtons {...rest} name={useBasketText(legs)} />;
}

export function RestingButtons(props: RestingButtonsProps) {
  const { what, id, name, actions, onEdit, since, protects = false } = props;
  const [asking, setAsking] = useState(false);
  const settings = useSettings();
  const asks = settings.confirm.cancelling || protects;
  const of = since === undefined ? name : `${name}, set ${formatTime(settings, since)}`;
  const progress = useProgress(id);
  const start = useStart(what, id);
  const press = (action: RestingAction) => {
    if (action === 'cancel' && asks) setAsking(true);
    else void start(action);
  };
  return (
    <span className={layout['buttons']}>
      {onEdit !== undefined && (
        <IconButton
          label={`Change ${what} ${of}`}
          icon={<Pencil />}
          disabled={progress !== null}
          focusableWhenDisabled
          onClick={onEdit}
        />
      )}
      {actions.map((action) => (
        <IconButton
          key={action}
          label={`${LABELS[action]} ${what} ${of}`}
          icon={ICONS[action]}
          danger={action === 'cancel'}
          disabled={progress !== null}
          focusableWhenDisabled
          onClick={() => press(action)}
        />
      ))}
      <CancelQuestion {...{ what, id, name, protects }} open={asking} onClose={() => setAsking(false)} />
    </span>
  );
}

/** Runs an action on an order, and shows its outcome in a toast. */
function useStart(
  what: keyof typeof KINDS,
  id: string,
  called: string = what,
): (action: RestingAction) => Promise<boolean> {
  const { change, changes }: Kind = KINDS[what];
  const client = useClient();
  const run = useSettling(changes);
  const subject = called.charAt(0).toUpperCase() + called.slice(1);
  return (action) =>
    run({
      key: id,
      change: () => change(client, id, action),
      done: `${subject} ${DONE[action]}`,
      notDone: `${subject} was not ${DONE[action]}`,
    });
}

/** Question before an order is cancelled; cancels it on a yes. */
export function CancelQuestion({
  what,
  id,
  name,
  protects = false,
  called = what,
  at,
  open,
  onClose,
}: Pick<RestingButtonsProps, 'what' | 'id' | 'name' | 'protects'> & {
  /** Name among others of the basket: `stop-loss`, `rung 2`. */
  readonly called?: string;
  /** Level in words; left out: the question is asked where the level is visible. */
  readonly at?: string;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const start = useStart(what, id, called);
  return (
    <ConfirmDialog
      account={useAccount()}
      open={open}
      onClose={onClose}
      onConfirm={() => {
        onClose();
        void start('cancel');
      }}
      title={
        at === undefined
          ? `Cancel ${what} ${name}?`
          : `Cancel ${called} of ${name} at ${at.replaceAll(' ', '\u00a0')}?`
      }
      confirm={`Cancel ${called}`}
      danger
    >
      <p>{protects ? 'The position stays open, without this protection.' : KINDS[what].consequence}</p>
    </ConfirmDialog>
  );
}
