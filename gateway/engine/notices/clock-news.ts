/** Tells every user that the machine's clock was set: what their triggers and schedules wait for has moved with it. */
import type { TradeAccount } from '../../domain/model.ts';
import { clockNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { Unsubscribe } from '../ports/system.ts';
import { type ClockWatch, jumpText } from './clock-watch.ts';
import { notice } from './notify.ts';

export function tellClockNews(
  deps: Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>,
  watch: Pick<ClockWatch, 'onJump'>,
  accounts: () => readonly TradeAccount[],
): Unsubscribe {
  return watch.onJump((jump) => {
    const text = clockNotification(`${jumpText(jump)}; prices have to arrive anew before anything is opened`);
    const all = accounts();
    const notices = [...new Set(all.map(({ userId }) => userId))].map((userId) => {
      const own = all.filter((account) => account.userId === userId).map(({ id }) => id);
      return notice(deps, text, userId, own);
    });
    if (notices.length === 0) return;
    deps.store
      .commit(oneUnit(...notices))
      .then((committed) => {
        if (!committed.ok) deps.logger.warn({}, 'a notification was not kept');
      })
      .catch((error: unknown) => deps.logger.error({ err: error }, 'a notification was not kept'));
  });
}
