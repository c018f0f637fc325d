/** Cancelling and revoking in bulk: every action is tried, and every failure is reported. */
import { NothingToDo, type TandemClient } from '../../gateway/client/client.ts';
import { describeError } from '../components/describe-error.ts';
import { revokeAllAgents } from '../features/revoke-agents/revoke-agents.ts';

export interface StopReport {
  readonly done: string;
  /** Results by account, for actions on several accounts. */
  readonly each?: readonly string[];
  /** One message per failed action. */
  readonly failed: readonly string[];
}

/** Count with its noun: `1 agent`, `2 agents`. */
export function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/**
 * Runs one action; null: it succeeded, or the order or agent had already ended. Otherwise the message about the
 * failure.
 */
async function attempt(name: string, action: () => Promise<unknown>): Promise<string | null> {
  try {
    await action();
    return null;
  } catch (error) {
    return error instanceof NothingToDo ? null : `${name}: ${describeError(error).text}`;
  }
}

/**
 * Cancels ladders and schedules first, because they would place new orders while the resting orders are being
 * cancelled.
 */
export async function cancelResting(client: TandemClient): Promise<StopReport> {
  let count = 0;
  const failed: (string | null)[] = [];
  const each = async (name: string, ids: readonly string[], cancel: (id: string) => Promise<unknown>) => {
    count += ids.length;
    for (const id of ids) failed.push(await attempt(name, () => cancel(id)));
  };
  const ladders: string[] = [];
  for await (const ladder of client.rows('GET /ladders'))
    if (ladder.status === 'ACTIVE') ladders.push(ladder.id);
  await each('Ladder', ladders, (ladderId) =>
    client.call('POST /ladders/{ladderId}/cancel', { params: { ladderId } }),
  );
  const schedules: string[] = [];
  for await (const schedule of client.rows('GET /schedules', { query: { status: ['ACTIVE', 'PAUSED'] } }))
    schedules.push(schedule.id);
  await each('TWAP', schedules, (id) => client.call('POST /schedules/{id}/cancel', { params: { id } }));
  for (const route of ['POST /triggers/cancel-all', 'POST /orders/cancel-all'] as const) {
    failed.push(
      await attempt(route.includes('triggers') ? 'Triggers' : 'Orders', async () => {
        const report = await client.call(route);
        count += report.cancelled.length;
        for (const { message } of report.failed) failed.push(message);
      }),
    );
  }
  return {
    done: count === 0 ? 'Nothing was waiting' : `${counted(count, 'resting order')} cancelled`,
    failed: failed.filter((one) => one !== null),
  };
}

export async function revokeAgents(client: TandemClient): Promise<StopReport> {
  const { revoked, failed } = await revokeAllAgents(client);
  return {
    done:
      revoked === 0 && failed.length === 0
        ? 'No agent was connected'
        : `${counted(revoked, 'agent')} revoked`,
    failed: failed.map(({ name, error }) => `${name}: ${describeError(error).text}`),
  };
}
