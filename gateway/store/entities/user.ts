import type { User } from '../../domain/model.ts';
import { fixed, integer, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const userEntity: TableEntity<User> = {
  name: 'user',
  tableName: 'users',
  columns: {
    id: key(text('id')),
    email: nullable(text('email')),
    passwordHash: nullable(text('password_hash')),
    walletAddress: nullable(text('wallet_address')),
    displayName: nullable(text('display_name')),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
  },
};
