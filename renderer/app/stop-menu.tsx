/** Stop menu: pause, panic and revocation. Irreversible actions are held to confirm; their results are listed line by line. */
import { Ban, OctagonX, Pause, Play, ShieldOff } from 'lucide-react';
import { Suspense } from 'react';
import type { Answer, TandemClient } from '../../gateway/client/client.ts';
import { queries } from '../api/client.ts';
import { useGet } from '../api/queries.ts';
import { useAccounts, useClient, useMaybeAccount } from '../api/session.ts';
import { ahead } from '../components/ahead.tsx';
import { Amount, Pnl } from '../components/amount.tsx';
import { AccountMark, Badge, markOf, moneyWord, realMoneyFirst } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { Menu } from '../components/menu.tsx';
import { say } from '../components/toast.tsx';
import { useAction } from '../features/one-at-a-time/use-action.ts';
import css from './frame.module.css';
import { resumeName } from './panic-text.ts';
import { cancelResting, counted, revokeAgents, type StopReport } from './stop-actions.ts';
import { requestStop, type StopAction, setPaused, useStopRequest } from './stop-request.ts';

const QUESTIONS = {
  cancel: {
    title: 'Cancel all resting orders?',
    confirm: 'Cancel all resting orders',
    text: 'Cancels open orders, triggers, brackets, TWAPs and ladders of this account, paused or not. Positions stay, but lose their stop‑losses.',
    hold: false,
  },
  close: {
    title: 'Close everything?',
    confirm: 'Hold to close all',
    text: 'On all accounts: pauses new orders, cancels everything that waits, and closes every position that Tandem holds at market until none is left. Positions traded outside Tandem stay open.',
    hold: true,
  },
  agents: {
    title: 'Revoke all agents?',
    confirm: 'Revoke all',
    text: 'All connected agents lose access at once. Their orders that could open a position are cancelled.',
    hold: false,
  },
} as const;

async function closeEverything(client: TandemClient): Promise<StopReport> {
  const { executions, failures, accounts } = await client.call('POST /safety/panic', {
    body: { confirm: 'CLOSE ALL' },
  });
  const nameOf = (id: string) => {
    const account = accounts.find(({ tradeAccountId }) => tradeAccountId === id);
    return account === undefined ? '' : `${moneyWord(account)} ${account.alias}, `;
  };
  return {
    done: `Paused; everything that waited is cancelled; ${counted(executions.length, 'position')} closing`,
    each: accounts.map((one) => `${moneyWord(one)} ${one.alias}: ${one.closing} closing`),
    failed: failures.map(
      ({ tradeAccountId, kind, message }) => `${nameOf(tradeAccountId)}${kind.toLowerCase()}: ${message}`,
    ),
  };
}

/** On what an item of the menu acts. */
const EVERYWHERE = 'all accounts';

const ACTIONS = { cancel: cancelResting, close: closeEverything, agents: revokeAgents } as const;

// Not needed before the menu is used: it comes right after, and is there when it is asked for.
const whatGoes = ahead(async () => (await import('../features/what-goes/what-goes.tsx')).WhatGoes);

export function StopMenu() {
  const client = useClient();
  whatGoes.useFetched();
  const account = useMaybeAccount() ?? undefined;
  const accounts = useAccounts();
  const asked = useStopRequest((state) => state.action);
  const safety = useGet('GET /safety', {}, { shared: true, refetchEvery: 15_000 });
  const paused = safety.data?.paused === true;
  const plan = useGet(
    'GET /safety/panic/plan',
    {},
    { shared: true, enabled: asked === 'close', refetchEvery: 3_000 },
  );

  // The books come later than the count, which must be there at once.
  const { data: expected } = useGet(
    'GET /safety/panic/plan',
    { query: { includeExpected: 'true' } },
    { shared: true, enabled: asked === 'close', refetchEvery: 5_000 },
  );

  const { busy, error, run, forget } = useAction(async (what: StopAction) => {
    try {
      const { done, failed, each = [] } = await ACTIONS[what](client);
      requestStop(null);
      const detail = [...each, ...(failed.length === 0 ? [] : [`Not everything: ${failed.join('; ')}`])];
      say(done, {
        kind: failed.length === 0 ? 'success' : 'error',
        ...(detail.length === 0 ? {} : { detail: detail.join('. ') }),
        ...(what === 'cancel' ? { account } : {}),
      });
    } finally {
      void queries.invalidateQueries();
    }
  });

  const question = asked === null ? null : QUESTIONS[asked];
  const ask = (what: StopAction) => () => requestStop(what);
  return (
    <>
      {paused && (
        <span
          className={css['paused']}
          title="New orders paused: triggers and slices that open wait too, those that close, and stops, go on"
        >
          <Badge tone="warn">
            <Pause aria-hidden="true" />
            <span className={css['longer']}>New orders paused</span>
            <span className={css['shorter']} aria-hidden="true">
              Paused
            </span>
          </Badge>
        </span>
      )}
      <Menu
        align="end"
        trigger={
          <Button icon={<OctagonX />} className={css['stop']}>
            Stop
          </Button>
        }
        items={[
          {
            id: 'pause',
            label: paused ? resumeName(safety.data) : 'Pause new orders',
            icon: paused ? <Play /> : <Pause />,
            hint: EVERYWHERE,
            disabled: safety.data === undefined,
            onSelect: () => void setPaused(!paused),
          },
          {
            id: 'cancel',
            label: 'Cancel all resting orders…',
            icon: <Ban />,
            hint: 'this account',
            disabled: account === undefined,
            onSelect: ask('cancel'),
          },
          { id: 'agents', label: 'Revoke all agents…', icon: <ShieldOff />, onSelect: ask('agents') },
          { id: 'line', separator: true },
          {
            id: 'close',
            label: 'Close everything…',
            icon: <OctagonX />,
            hint: EVERYWHERE,
            danger: true,
            onSelect: ask('close'),
          },
        ]}
      />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => {
          forget();
          requestStop(null);
        }}
        onConfirm={() => {
          if (asked !== null) void run(asked);
        }}
        title={question?.title}
        account={asked === 'cancel' ? account : undefined}
        confirm={question?.confirm ?? ''}
        danger
        hold={question?.hold ?? false}
        busy={busy}
        error={error}
      >
        <p>{question?.text}</p>
        {asked === 'cancel' && account !== undefined && (
          <Suspense fallback={null}>
            <whatGoes.View what="all" />
          </Suspense>
        )}
        {asked === 'close' && (
          <ul className={css['stopped']} aria-label="Accounts, in this order">
            {realMoneyFirst(accounts).map((one) => (
              <li key={one.id}>
                <AccountMark {...markOf(one)} />
                <Closes account={of(plan.data, one.id)} cost={of(expected, one.id)?.expectedCost ?? null} />
              </li>
            ))}
          </ul>
        )}
      </ConfirmDialog>
    </>
  );
}

type PanicPlan = Answer<'GET /safety/panic/plan'>;
type Closing = PanicPlan['accounts'][number];

function of(plan: PanicPlan | undefined, accountId: string): Closing | undefined {
  return plan?.accounts.find(({ tradeAccountId }) => tradeAccountId === accountId);
}

/** `3 positions, $12,300.00, PnL +$45.10, fees $4.10, expected slippage $12.00` */
function Closes({
  account,
  cost,
}: {
  readonly account: Closing | undefined;
  /** Expected by the books, USD, positive: worse than the marks; null: not known. */
  readonly cost: string | null;
}) {
  if (account === undefined) return null;
  const { positions, grossNotional, unrealizedPnl, totalFee } = account;
  if (positions === 0) return <span>nothing open</span>;
  return (
    <span>
      {counted(positions, 'position')}, <Amount value={grossNotional} />, PnL <Pnl value={unrealizedPnl} />,
      fees <Amount value={totalFee} />
      {cost !== null && (
        <>
          , expected slippage <Amount value={cost} />
        </>
      )}
    </span>
  );
}
