/** Buttons to pause, resume and cancel a resting order. Cancelling asks first where the settings say so. */
import { Pause, Pencil, Play, X } from 'lucide-react';
import { useState } from 'react';
import type { ReadRoute } from '../../api/queries.ts';
import { useSettings } from '../../api/settings.ts';
import { IconButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useProgress, useSettling } from '../../features/resting-action/use-settling.ts';
import type { RestingAction } from './order-states.ts';
import css from './orders.module.css';

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

export interface RestingButtonsProps {
  readonly id: string;
  /** Kind of order in words: `trigger` */
  readonly what: string;
  /** Name of the order, for screen readers and the question: `BTC / ETH`. */
  readonly name: string;
  readonly actions: readonly RestingAction[];
  /** Consequence of cancelling, for the question. */
  readonly consequence: string;
  readonly change: (action: RestingAction) => Promise<unknown>;
  /** Opens the form for changes; undefined: the order cannot be changed. */
  readonly onEdit?: (() => void) | undefined;
  /** Reads that are stale afterwards; must keep its identity. */
  readonly changes: readonly ReadRoute[];
}

export function RestingButtons(props: RestingButtonsProps) {
  const { id, what, name, actions, consequence } = props;
  const [asking, setAsking] = useState(false);
  const asks = useSettings(({ confirm }) => confirm.cancelling);
  const progress = useProgress(id);
  const run = useSettling(props.changes);
  const start = (action: RestingAction) => {
    const subject = what.charAt(0).toUpperCase() + what.slice(1);
    return run({
      key: id,
      change: () => props.change(action),
      done: `${subject} ${DONE[action]}`,
      notDone: `${subject} was not ${DONE[action]}`,
    });
  };
  const press = (action: RestingAction) => {
    if (action === 'cancel' && asks) setAsking(true);
    else void start(action);
  };
  return (
    <span className={css['buttons']}>
      {props.onEdit !== undefined && (
        <IconButton
          label={`Change ${what} ${name}`}
          icon={<Pencil />}
          disabled={progress !== null}
          focusableWhenDisabled
          onClick={props.onEdit}
        />
      )}
      {actions.map((action) => (
        <IconButton
          key={action}
          label={`${LABELS[action]} ${what} ${name}`}
          icon={ICONS[action]}
          danger={action === 'cancel'}
          disabled={progress !== null}
          focusableWhenDisabled
          onClick={() => press(action)}
        />
      ))}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void start('cancel');
        }}
        title={`Cancel ${what} ${name}?`}
        confirm={`Cancel ${what}`}
        danger
      >
        <p>{consequence}</p>
      </ConfirmDialog>
    </span>
  );
}
