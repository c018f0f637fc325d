/** Placer of an order: the user, one of the user's API keys, or an agent. */
import type { Execution } from '../../../gateway/client/client.ts';
import type { Column } from '../../components/table-column.ts';
import css from './placed-by.module.css';

export type Authority = Execution['authority'];

/** `You`, `API key test`, `Agent Claude` */
export function placerText({ kind, name }: Authority): string {
  switch (kind) {
    case 'session':
      return 'You';
    case 'api_key':
      return `API key ${name}`;
    case 'oauth_grant':
      return `Agent ${name}`;
  }
}

/** Empty for fills that nobody placed here: a trade of the venue itself, or one made outside the gateway. */
export function PlacedBy({ authority }: { readonly authority: Authority | null | undefined }) {
  if (authority == null) return null;
  const text = placerText(authority);
  return (
    <span className={css['placer']} title={text}>
      {text}
    </span>
  );
}

export function placedByColumn<Row>(authorityOf: (row: Row) => Authority | undefined): Column<Row> {
  return {
    id: 'by',
    header: 'Placed by',
    cell: (row) => <PlacedBy authority={authorityOf(row)} />,
    width: 120,
  };
}
