/** Questions of the Stop menu. Irreversible actions are held to confirm; their results are listed line by line. */
import type { Answer, TandemClient } from '../../gateway/client/client.ts';
import { queries } from '../api/client.ts';
import { useGet } from '../api/queries.ts';
import { useAccounts, useClient, useMaybeAccount } from '../api/session.ts';
import { Amount, Pnl } from '../components/amount.tsx';
import { AccountMark, markOf, moneyWord, realMoneyFirst } from '../components/badge.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { say } from '../components/toast.tsx';
import { ExpectedTogether } from '../features/expected-cost/expected-cost.tsx';
import { useAction } from '../features/one-at-a-time/use-action.ts';
import { WhatGoes } from '../features/what-goes/what-goes.tsx';
import css from './frame.module.css';
import { cancelResting, counted, revokeAgents, type StopReport } from './stop-actions.ts';
import { requestStop, type StopAction, useStopRequest } from './stop-request.ts';

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
    text: 'On all accounts: pauses new orders, cancels everything that waits, and closes at market every position that Tandem holds, until none is left. Positions traded outside Tandem stay open.',
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

const ACTIONS = { cancel: cancelResting, close: closeEverything, agents: revokeAgents } as const;

export function StopQuestion() {
  const client = useClient();
  const account = useMaybeAccount() ?? undefined;
  const accounts = useAccounts();
  const asked = useStopRequest((state) => state.action);
  const plan = useGet(
    'GET /safety/panic/plan',
    {},
    { shared: true, enabled: asked === 'close', refetchEvery: 3_000 },
  );

  // The books load later than the count, which must be shown at once.
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
  return (
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
      {asked === 'cancel' && account !== undefined && <WhatGoes what="all" />}
      {asked === 'close' && (
        <ul className={css['stopped']} aria-label="Accounts, in this order">
          {realMoneyFirst(accounts).map((one) => (
            <li key={one.id}>
              <AccountMark {...markOf(one)} />
              <Closes account={of(plan.data, one.id)} expected={of(expected, one.id)} />
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

type PanicPlan = Answer<'GET /safety/panic/plan'>;
type Closing = PanicPlan['accounts'][number];

function of(plan: PanicPlan | undefined, accountId: string): Closing | undefined {
  return plan?.accounts.find(({ tradeAccountId }) => tradeAccountId === accountId);
}

/** `3 positions, $12,300.00, PnL +$45.10, fees $4.10, expected slippage ≈ $12.00 worse than mark, 0.098 %` */
function Closes({
  account,
  expected,
}: {
  readonly account: Closing | undefined;
  /** The same closes with the cost that the order books suggest. */
  readonly expected: Closing | undefined;
}) {
  if (account === undefined) return null;
  const { positions, grossNotional, unrealizedPnl, totalFee } = account;
  // Shows no expectation when nothing would be traded, or when a book is missing.
  const isExpected =
    expected !== undefined && (expected.expectedCost !== null || expected.shortBooks.length > 0);
  if (positions === 0) return <span>nothing open</span>;
  return (
    <span>
      {counted(positions, 'position')}, <Amount value={grossNotional} />, PnL <Pnl value={unrealizedPnl} />,
      fees <Amount value={totalFee} />
      {isExpected && (
        <>
          , expected slippage{' '}
          <ExpectedTogether
            short={expected.shortBooks}
            cost={expected.expectedCost}
            share={expected.expectedSlippage}
          />
        </>
      )}
    </span>
  );
}
