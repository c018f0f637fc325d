/** Parts of the trigger engine that its modules receive; `triggers.ts` puts the parts together. */
import type { LiveLadders } from './live-ladders.ts';
import type { LiveTriggers } from './live-triggers.ts';
import type { RatioWindows } from './ratio-windows.ts';
import type { TriggerChanges } from './trigger-changes.ts';
import type { TriggerReader } from './trigger-reader.ts';
import type { TriggerTable } from './trigger-table.ts';
import type { TriggerWatcher } from './trigger-watcher.ts';

export interface TriggerParts {
  readonly live: LiveTriggers;
  readonly ladders: LiveLadders;
  readonly changes: TriggerChanges;
  readonly reader: TriggerReader;
  readonly table: TriggerTable;
  readonly windows: RatioWindows;
  readonly watcher: Pick<TriggerWatcher, 'observation' | 'watch' | 'isWatching'>;
}
