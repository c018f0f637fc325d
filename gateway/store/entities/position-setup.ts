import type { StoredPositionSetup } from '../../engine/ports/unit-of-work.ts';
import { fixed, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

/** Beside `executions`, not in it: most executions have none, and every acknowledgement would pay for the columns. */
export const positionSetupEntity: TableEntity<StoredPositionSetup> = {
  name: 'position_setup',
  tableName: 'position_setups',
  columns: {
    executionId: key(text('execution_id')),
    takeProfit: nullable(fixed(json('take_profit'))),
    stopLoss: nullable(fixed(json('stop_loss'))),
    autoRebalance: nullable(fixed(json('auto_rebalance'))),
    authorityKind: nullable(fixed(text('authority_kind'))),
    authorityId: nullable(fixed(text('authority_id'))),
  },
};
