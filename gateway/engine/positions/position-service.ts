/** Actions on positions beyond closing and adjusting one. */
import { placedBy } from '../../domain/authority.ts';
import type { Principal } from '../../domain/model.ts';
import { ok } from '../../domain/result.ts';
import type { Refusable } from '../core/errors.ts';
import type { Answered, MakeCommand } from '../core/idempotency.ts';
import type { OrderCommand } from '../execution/accept.ts';
import { checkClient } from '../execution/open-basket.ts';
import type { AcceptDeps } from '../execution/start-execution.ts';
import { changeMargin, type MarginChange } from './change-margin.ts';
import { type CloseAll, type CloseAllReport, closeAll } from './close-all.ts';
import { type ReversePosition, reversePosition } from './reverse-position.ts';

export type PositionService = ReturnType<typeof createPositionService>;

export function createPositionService(deps: AcceptDeps) {
  return {
    /**
     * 202 with the closing execution (intent REVERSE). Once it is COMPLETED, its child execution opens the opposite
     * basket.
     */
    reverse: (principal: Principal, command: OrderCommand, asked: ReversePosition) =>
      reversePosition(deps, principal, command, asked),
    /** 202. All executions and the idempotency record are one unit. NOOP_ERROR if no position is open. */
    async closeAll(
      principal: Principal,
      command: MakeCommand<CloseAllReport>,
      asked: Pick<CloseAll, 'connector' | 'slippage' | 'clientId'>,
    ): Refusable<Answered> {
      const client = checkClient(deps, principal, asked.clientId);
      if (!client.ok) return client;
      const { account } = command;
      return deps.idempotency.run(command.idempotency, async (record) => {
        let json = '';
        const closed = await closeAll(
          deps,
          { account, placed: placedBy(principal), isRequest: true, ...asked },
          (report) => {
            json = command.answer(report);
            return record(202, json, deps.clock.now());
          },
        );
        return closed.ok ? ok({ status: 202, json, replayed: false }) : closed;
      });
    },
    /**
     * 200. VALIDATION_ERROR on `symbol` for a cross-margin leg; NOT_IMPLEMENTED_ERROR for a venue without
     * `margin_change`.
     */
    changeMargin: (
      command: MakeCommand<MarginChange>,
      asked: Parameters<typeof changeMargin>[2],
      principal: Principal,
    ) => changeMargin(deps, command, asked, principal),
  };
}
