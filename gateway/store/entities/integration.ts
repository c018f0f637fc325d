import type { Integration } from '../../domain/integration.ts';
import { fixed, integer, key, type TableEntity, text } from '../rows/table-entity.ts';

export const integrationEntity: TableEntity<Integration> = {
  name: 'integration',
  tableName: 'integrations',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    clientId: fixed(text('client_id')),
    name: text('name'),
    status: text('status'),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
