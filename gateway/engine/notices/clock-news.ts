/**
 * Notifies every user that the machine's clock was set, because the times of their triggers and schedules have moved
 * with it.
 */
import type { TradeAccount } from '../../domain/model.ts';
import { machineNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { Unsubscribe } from '../ports/system.ts';
import { type ClockWatch, jumpText } from './clock-watch.ts';
import { tellUsers } from './notify.ts';

export function tellClockNews(
  deps: Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>,
  watch: Pick<ClockWatch, 'onJump'>,
  accounts: () => readonly TradeAccount[],
): Unsubscribe {
  return watch.onJump((jump) => {
    const reason = `${jumpText(jump)}; prices have to arrive anew before anything is opened`;
    tellUsers(deps, accounts(), machineNotification('clock', reason));
  });
}
