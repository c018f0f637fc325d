/** Review of a change that was dragged on the chart: old level, new level and meaning. Then it is sent. */
import type { ReactNode } from 'react';
import type { Condition } from '../../../gateway/domain/condition-table.ts';
import { useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { say } from '../../components/toast.tsx';
import { basketName } from '../basket-name/basket-name.ts';
import { bracketDraftOf, bracketInputOf } from '../brackets-form/bracket-draft.ts';
import { bracketText } from '../brackets-form/bracket-text.ts';
import { useChangePlan } from '../change-plan/use-change-plan.ts';
import { conditionText } from '../condition-text/condition-text.ts';
import { useLevelText } from '../condition-text/waiting-text.tsx';
import { useAction } from '../one-at-a-time/use-action.ts';
import { Firing, protectionOn } from '../protection/protection.tsx';
import { NAMES, type Proposal } from './proposals.ts';

export function MoveDialog({
  proposal,
  onClose,
}: {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}) {
  switch (proposal.what) {
    case 'bracket':
      return <MoveBracket proposal={proposal} onClose={onClose} />;
    case 'trigger':
      return <MoveTrigger proposal={proposal} onClose={onClose} />;
    case 'alert':
      return <MoveAlert proposal={proposal} onClose={onClose} />;
  }
}

type Of<What extends Proposal['what']> = Extract<Proposal, { readonly what: What }>;

function MoveBracket({
  proposal,
  onClose,
}: {
  readonly proposal: Of<'bracket'>;
  readonly onClose: () => void;
}) {
  const { side, position, type, value, transformed, at, usd } = proposal;
  const account = useAccount();
  const tickerOf = useTicker();
  const put = useSend('PUT /positions/{id}/brackets', {
    changes: ['GET /positions', 'GET /positions/{id}', 'GET /triggers'],
  });
  const present = position[side];
  const { isTrailing, ...standing } = bracketDraftOf(present);
  // A level of the candles belongs to the ratio itself, even if the present level is one of its z-score. Brackets on a
  // transform of the ratio cannot trail.
  const next = {
    ...standing,
    isTrailing: isTrailing && transformed === undefined,
    isOn: true,
    type,
    value,
    transformed,
  };
  const body = { [side]: bracketInputOf(next) };
  const { plan } = useChangePlan('POST /positions/{id}/brackets/plan', position.id, body);
  const figures = protectionOn(side, plan?.protection ?? []);
  const name = NAMES[side];
  const action = useAction(async () => {
    await put.mutateAsync({ params: { id: position.id }, body });
    say(present === null ? `The ${name} is set` : `The ${name} was moved`, { kind: 'success', account });
    onClose();
  });
  const verb = present === null ? 'Set' : 'Move';
  return (
    <ConfirmDialog
      open
      account={account}
      title={`${verb} the ${name} of ${basketName(position.legs, tickerOf).text}`}
      confirm={`${verb} ${name}`}
      busy={action.busy}
      error={action.error}
      onConfirm={() => void action.run()}
      onClose={onClose}
    >
      <Facts
        of={{
          Now: present === null ? 'none' : bracketText(side, present),
          Then: bracketText(side, {
            type,
            value,
            trailing: transformed === undefined ? (present?.trailing ?? null) : null,
            ...transformed,
          }),
          'On the chart': at,
          ...(figures === undefined
            ? {
                'PnL at this level': (
                  <span>
                    <Pnl value={usd} /> of <Amount value={position.grossNotional} />, before fees
                  </span>
                ),
              }
            : { Protection: <Firing of={figures} /> }),
        }}
      />
      <p>It closes the whole position at market, in rounds until it is closed.</p>
    </ConfirmDialog>
  );
}

function MoveTrigger({
  proposal: { trigger, value },
  onClose,
}: {
  readonly proposal: Of<'trigger'>;
  readonly onClose: () => void;
}) {
  const patch = useSend('PATCH /triggers/{id}', { changes: ['GET /triggers'] });
  return (
    <MoveLevel
      what="trigger"
      of={basketName(trigger.legs, useTicker()).text}
      condition={trigger.condition}
      value={value}
      more={trigger.totalUsd === null ? {} : { Opens: <Amount value={trigger.totalUsd} /> }}
      send={(body) => patch.mutateAsync({ params: { id: trigger.id }, body })}
      onClose={onClose}
    />
  );
}

function MoveAlert({
  proposal: { alert, value },
  onClose,
}: {
  readonly proposal: Of<'alert'>;
  readonly onClose: () => void;
}) {
  const { condition, legs, id } = alert;
  const tickerOf = useTicker();
  const patch = useSend('PATCH /alerts/{id}', { changes: ['GET /alerts'] });
  return (
    <MoveLevel
      what="alert"
      of={'symbol' in condition ? tickerOf(condition.symbol) : basketName(legs, tickerOf).text}
      condition={condition}
      value={value}
      send={(body) => patch.mutateAsync({ params: { id }, body })}
      onClose={onClose}
    />
  );
}

function MoveLevel({
  what,
  of,
  condition,
  value,
  more = {},
  send,
  onClose,
}: {
  readonly what: 'trigger' | 'alert';
  /** Name of its basket or instrument. */
  readonly of: string;
  readonly condition: Condition | null;
  readonly value: string;
  readonly more?: Readonly<Record<string, ReactNode>>;
  readonly send: (body: { condition: { value: string } }) => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const account = useAccount();
  const tickerOf = useTicker();
  const action = useAction(async () => {
    await send({ condition: { value } });
    say(`The ${what} was moved`, { kind: 'success', account });
    onClose();
  });
  const levelText = useLevelText();
  return (
    <ConfirmDialog
      open
      account={account}
      title={`Move the ${what} of ${of}`}
      confirm={`Move ${what}`}
      busy={action.busy}
      error={action.error}
      onConfirm={() => void action.run()}
      onClose={onClose}
    >
      {condition !== null && (
        <Facts
          of={{
            Now: conditionText(condition, tickerOf, levelText),
            Then: conditionText({ ...condition, value }, tickerOf, levelText),
            ...more,
          }}
        />
      )}
    </ConfirmDialog>
  );
}
