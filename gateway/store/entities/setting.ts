import { key, type TableEntity, text } from '../rows/table-entity.ts';

export interface SettingRow {
  readonly key: string;
  readonly value: string;
}

export const settingEntity: TableEntity<SettingRow> = {
  name: 'setting',
  tableName: 'settings',
  columns: { key: key(text('key')), value: text('value') },
};
