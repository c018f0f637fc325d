/** Actions on positions beyond closing and adjusting one. */
import { placedBy } from '../domain/authority.ts';
import { ok } from '../domain/result.ts';
import type { AcceptDeps } from './accept.ts';
import { changeMargin } from './change-margin.ts';
import { closeAll } from './close-all.ts';
import { checkClient } from './open-basket.ts';
import type { PositionService } from './resting-ports.ts';
import { reversePosition } from './reverse-position.ts';

export function createPositionService(deps: AcceptDeps): PositionService {
  return {
    reverse: (principal, command, asked) => reversePosition(deps, principal, command, asked),
    async closeAll(principal, command, asked) {
      const client = checkClient(deps, principal, asked.clientId);
      if (!client.ok) return client;
      const { account } = command;
      return deps.idempotency.run(command.idempotency, async (record) => {
        let json = '';
        const closed = await closeAll(deps, { account, placed: placedBy(principal), ...asked }, (report) => {
          json = command.answer(report);
          return record(202, json, deps.clock.now());
        });
        return closed.ok ? ok({ status: 202, json, replayed: false }) : closed;
      });
    },
    changeMargin: (command, asked) => changeMargin(deps, command, asked),
  };
}
