/** Note on a fill that is not an ordinary trade. */
import type { Row } from '../../../gateway/client/client.ts';
import { Badge } from '../../components/badge.tsx';
import { causeText } from './fill-cause.ts';

type Noted = Pick<Row<'GET /fills'>, 'cause' | 'isLiquidation' | 'isProvisional'>;

export function FillNote({ fill }: { readonly fill: Noted }) {
  if (fill.isLiquidation) return <Badge tone="danger">Liquidation</Badge>;
  const cause = causeText(fill.cause);
  if (cause !== null)
    return (
      <span title={cause.meaning}>
        <Badge tone={fill.cause === 'ADJUSTMENT' ? 'warn' : 'neutral'}>{cause.name}</Badge>
      </span>
    );
  return fill.isProvisional ? <Badge tone="warn">Provisional</Badge> : null;
}
