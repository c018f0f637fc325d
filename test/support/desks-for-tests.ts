/** Desks around the engine, one for each test of a suite, on stores of their own. Call these in `describe`. */
import type { Notification, NotificationCategory } from '../../gateway/domain/notification.ts';
import { closeDesks, type EngineDesk, engineDesk } from './engine-desk.ts';
import { openForEachTest } from './open-for-tests.ts';
import { type PlanDesk, planDesk } from './plan-desk.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';
import { type TriggerDesk, triggerDesk } from './trigger-desk.ts';

/** @param prepare called before the engine starts */
export function engineDeskForEachTest(prepare: (desk: EngineDesk) => void = () => undefined): EngineDesk {
  return openForEachTest(async () => {
    const desk = await engineDesk();
    prepare(desk);
    await desk.start();
    return desk;
  }, end);
}

export const planDeskForEachTest = (): PlanDesk =>
  openForEachTest(
    () => planDesk(),
    ({ desk }) => end(desk),
  );

export const triggerDeskForEachTest = (): TriggerDesk =>
  openForEachTest(
    () => triggerDesk(),
    ({ desk }) => end(desk),
  );

/** Notifications of the user of a desk, oldest first. */
export async function notificationsOf({ account, store }: EngineDesk): Promise<readonly Notification[]> {
  const owner = { userId: account.userId, tradeAccountIds: null };
  return (await store.notifications(owner, { limit: 1_000, after: null })).rows.toReversed();
}

/** Reasons in the notifications of a category, oldest first. */
export async function reasonsOf(desk: EngineDesk, category: NotificationCategory) {
  const found = (await notificationsOf(desk)).filter((one) => one.category === category);
  return found.map(({ parameters }) => parameters.reason);
}

async function end(desk: EngineDesk): Promise<void> {
  desk.kill();
  await closeDesks();
  await removeTemporaryFolders();
}
