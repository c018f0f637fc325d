/** PnL of a position after its costs so far, with its components in a tooltip. */
import { Pnl } from '../../components/amount.tsx';
import { negated } from '../../components/format.ts';
import { Tooltip } from '../../components/tooltip.tsx';
import { type Costed, netPnl } from './position-net.ts';

export function NetPnl({ of }: { readonly of: Costed }) {
  return (
    <Tooltip
      text={
        <>
          Unrealised <Pnl value={of.unrealizedPnl} />, realised <Pnl value={of.realizedPnl} />, funding{' '}
          <Pnl value={negated(of.fundingPaid)} />, fees <Pnl value={negated(of.feesPaid)} />; closing costs
          its own fee
        </>
      }
    >
      <span>
        <Pnl value={netPnl(of)} />
      </span>
    </Tooltip>
  );
}
