/** Review of a change that was dragged on the chart: from where to where, and what it means; then it is sent. */
import { useTicker } from '../../api/market.ts';
import { useSend } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Amount, Pnl } from '../../components/amount.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { say } from '../../components/toast.tsx';
import { basketName } from '../../features/basket-name/basket-name.ts';
import { bracketDraftOf, bracketInputOf } from '../../features/brackets-form/bracket-draft.ts';
import { bracketText } from '../../features/brackets-form/bracket-text.ts';
import { conditionText } from '../../features/condition-text/condition-text.ts';
import { useAction } from '../../features/one-at-a-time/use-action.ts';
import { figureText } from '../../features/ratio-chart/figure.ts';
import { NAMES, type Proposal } from './moves.ts';

export function MoveDialog({
  proposal,
  onClose,
}: {
  readonly proposal: Proposal;
  readonly onClose: () => void;
}) {
  return proposal.what === 'bracket' ? (
    <MoveBracket proposal={proposal} onClose={onClose} />
  ) : (
    <MoveTrigger proposal={proposal} onClose={onClose} />
  );
}

type Of<What extends Proposal['what']> = Extract<Proposal, { readonly what: What }>;

function MoveBracket({
  proposal,
  onClose,
}: {
  readonly proposal: Of<'bracket'>;
  readonly onClose: () => void;
}) {
  const { side, position, type, value, level, usd } = proposal;
  const account = useAccount();
  const tickerOf = useTicker();
  const put = useSend('PUT /positions/{id}/brackets', {
    changes: ['GET /positions', 'GET /positions/{id}', 'GET /triggers'],
  });
  const present = position[side];
  // A level of the chart is one of the ratio itself, also where the present one is of its z-score.
  const next = { ...bracketDraftOf(present), isOn: true, type, value, transformed: undefined };
  const name = NAMES[side];
  const action = useAction(async () => {
    await put.mutateAsync({ params: { id: position.id }, body: { [side]: bracketInputOf(next) } });
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
          Then: bracketText(side, { type, value, trailing: present?.trailing ?? null }),
          'On the chart': figureText(level),
          'PnL there': (
            <span>
              <Pnl value={usd} /> of <Amount value={position.grossNotional} />, before fees
            </span>
          ),
        }}
      />
      <p>It closes the whole position at market, in rounds until it is closed.</p>
    </ConfirmDialog>
  );
}

function MoveTrigger({
  proposal,
  onClose,
}: {
  readonly proposal: Of<'trigger'>;
  readonly onClose: () => void;
}) {
  const { trigger, value } = proposal;
  const account = useAccount();
  const tickerOf = useTicker();
  const patch = useSend('PATCH /triggers/{id}', { changes: ['GET /triggers'] });
  const action = useAction(async () => {
    await patch.mutateAsync({ params: { id: trigger.id }, body: { condition: { value } } });
    say('The trigger was moved', { kind: 'success', account });
    onClose();
  });
  const { condition } = trigger;
  return (
    <ConfirmDialog
      open
      account={account}
      title={`Move the trigger of ${basketName(trigger.legs, tickerOf).text}`}
      confirm="Move trigger"
      busy={action.busy}
      error={action.error}
      onConfirm={() => void action.run()}
      onClose={onClose}
    >
      {condition !== null && (
        <Facts
          of={{
            Now: conditionText(condition, tickerOf),
            Then: conditionText({ ...condition, value }, tickerOf),
            ...(trigger.totalUsd === null ? {} : { Opens: <Amount value={trigger.totalUsd} /> }),
          }}
        />
      )}
    </ConfirmDialog>
  );
}
