/** Cancels all orders of one kind, or all that a list shows, always after confirmation. Failures are reported. */
import { useState } from 'react';
import { NothingToDo, type TandemClient } from '../../../gateway/client/client.ts';
import type { ReadRoute } from '../../api/queries.ts';
import { type TradeAccount, useAccount, useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { describeError } from '../../components/describe-error.ts';
import { say } from '../../components/toast.tsx';
import { WhatGoes } from '../what-goes/what-goes.tsx';
import { useProgress, useSettling } from './use-settling.ts';

const ROUTES = {
  triggers: 'POST /triggers/cancel-all',
  orders: 'POST /orders/cancel-all',
} as const;
const CONSEQUENCES = {
  triggers:
    'All triggers of this account that wait or are paused are cancelled: take-profits, stop-losses and rungs of ladders too.',
  orders: 'Every open order of this account is cancelled at the venue. What has filled stays.',
} as const;
const ONE = {
  triggers: 'POST /triggers/{id}/cancel',
  orders: 'POST /orders/{id}/cancel',
} as const;
const OF_LIST = {
  triggers: 'All triggers of this list are cancelled, take-profits and stop-losses in it too.',
  orders: 'Every open order of this list is cancelled at the venue. What has filled stays.',
} as const;
const CHANGED: readonly ReadRoute[] = [
  'GET /triggers',
  'GET /ladders',
  'GET /orders',
  'GET /executions',
  'GET /positions',
];

export function CancelAllButton({
  what,
  says = 'Cancel all',
  only,
  disabled,
  isQuiet = false,
}: {
  readonly what: keyof typeof ROUTES;
  /** Label of the button, for lists that show only some of the orders. */
  readonly says?: string;
  /** Ids of the orders to cancel; left out: all of the account. */
  readonly only?: readonly string[] | undefined;
  readonly disabled: boolean;
  /** True: the button is in the head of a table. */
  readonly isQuiet?: boolean;
}) {
  const [asking, setAsking] = useState(false);
  const client = useClient();
  const account = useAccount();
  const run = useSettling(CHANGED);
  const key = `cancel-all:${what}`;
  const progress = useProgress(key);
  const cancel = async () => {
    setAsking(false);
    await run({
      key,
      change: async () =>
        tell(
          what,
          only === undefined ? await client.call(ROUTES[what]) : await cancelEach(client, what, only),
          account,
        ),
      done: `All ${what} that could be cancelled are cancelled`,
      notDone: `The ${what} were not cancelled`,
    });
  };
  return (
    <>
      <Button
        kind={isQuiet ? 'ghost' : 'secondary'}
        disabled={disabled}
        busy={progress !== null}
        onClick={() => setAsking(true)}
      >
        {progress === 'settling' ? 'Settling…' : says}
      </Button>
      <ConfirmDialog
        account={account}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void cancel()}
        title={only === undefined ? `Cancel all ${what}?` : `Cancel the ${what} of this list?`}
        confirm={`Cancel all ${what}`}
        danger
      >
        <p>{(only === undefined ? CONSEQUENCES : OF_LIST)[what]}</p>
        {asking && <WhatGoes what={what} only={only} />}
      </ConfirmDialog>
    </>
  );
}

/** Cancels one after the other. An order that has ended meanwhile is not a failure. */
async function cancelEach(
  client: TandemClient,
  what: keyof typeof ONE,
  ids: readonly string[],
): Promise<{ readonly failed: readonly { readonly message: string }[] }> {
  const failed: { readonly message: string }[] = [];
  for (const id of ids) {
    try {
      await client.call(ONE[what], { params: { id } });
    } catch (error) {
      if (!(error instanceof NothingToDo)) failed.push({ message: describeError(error).text });
    }
  }
  return { failed };
}

function tell(
  what: string,
  { failed }: { readonly failed: readonly { readonly message: string }[] },
  account: TradeAccount,
): void {
  const [first] = failed;
  if (first === undefined) return;
  say(`${failed.length} of the ${what} could not be cancelled`, {
    kind: 'error',
    detail: first.message,
    account,
  });
}
