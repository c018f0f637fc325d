/** Cancels all orders of one kind, always after a question; failures are reported. */
import { useState } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import type { ReadRoute } from '../../api/queries.ts';
import { type TradeAccount, useAccount, useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { say } from '../../components/toast.tsx';
import { useProgress, useSettling } from '../../features/resting-action/use-settling.ts';
import { WhatGoes } from '../../features/what-goes/what-goes.tsx';

const ROUTES = {
  triggers: 'POST /triggers/cancel-all',
  orders: 'POST /orders/cancel-all',
} as const;
const CONSEQUENCES = {
  triggers:
    'All triggers of this account that wait or are paused are cancelled: take-profits, stop-losses and rungs of ladders too.',
  orders: 'Every open order of this account is cancelled at the venue. What has filled stays.',
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
  disabled,
}: {
  readonly what: keyof typeof ROUTES;
  /** Where a list shows some of them only: what it cancels. */
  readonly says?: string;
  readonly disabled: boolean;
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
      change: async () => tell(what, await client.call(ROUTES[what]), account),
      done: `All ${what} that could be cancelled are cancelled`,
      notDone: `The ${what} were not cancelled`,
    });
  };
  return (
    <>
      <Button disabled={disabled} busy={progress !== null} onClick={() => setAsking(true)}>
        {progress === 'settling' ? 'Settling…' : says}
      </Button>
      <ConfirmDialog
        account={account}
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void cancel()}
        title={`Cancel all ${what}?`}
        confirm={`Cancel all ${what}`}
        danger
      >
        <p>{CONSEQUENCES[what]}</p>
        {asking && <WhatGoes what={what} />}
      </ConfirmDialog>
    </>
  );
}

function tell(what: string, { failed }: Answer<'POST /orders/cancel-all'>, account: TradeAccount): void {
  const [first] = failed;
  if (first === undefined) return;
  say(`${failed.length} of the ${what} could not be cancelled`, {
    kind: 'error',
    detail: first.message,
    account,
  });
}
