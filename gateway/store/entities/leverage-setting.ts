import type { LeverageSetting } from '../../domain/model.ts';
import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

export const leverageSettingEntity: TableEntity<LeverageSetting> = {
  name: 'leverage_setting',
  tableName: 'leverage_settings',
  columns: {
    tradeAccountId: key(text('trade_account_id')),
    symbol: key(text('symbol')),
    leverage: integer('leverage'),
    marginMode: text('margin_mode'),
    updatedAt: integer('updated_at'),
  },
};
