/** Brackets, reversal, closing everything, margin. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { putBrackets } from '../../contract/brackets.ts';
import { changeMargin, closeAllPositions, reversePosition } from '../../contract/position-actions.ts';
import type { MarginChange } from '../../engine/positions/change-margin.ts';
import type { CloseAllReport } from '../../engine/positions/close-all.ts';
import { commandOf } from '../idempotency-key.ts';
import type { NamePlaced } from '../present/authority.ts';
import { presentPositionBrackets } from '../present/bracket.ts';
import { presentExecution } from '../present/execution.ts';
import { bracketChangeOf } from '../resting-input.ts';
import { answeredReply, unwrap } from '../unwrap.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

export function positionActionRoutes({ resting, positions, names }: RestingRouteDeps): readonly BoundRoute[] {
  return [
    bind(putBrackets, async ({ principal, account, params, body }) => {
      const set = await resting.brackets.set(principal, account, params.id, bracketChangeOf(body));
      return { body: presentPositionBrackets(params.id, unwrap(set)) };
    }),

    bind(reversePosition, async (call) => {
      const { principal, params, body } = call;
      const command = commandOf(reversePosition, call, positions.acceptedJson(principal));
      const asked = {
        positionId: params.id,
        slippage: body.slippage ?? null,
        onLegFailure: body.onLegFailure,
        brackets: body.brackets,
        clientId: body.clientId ?? null,
      };
      return answeredReply(unwrap(await resting.positions.reverse(principal, command, asked)), 202);
    }),

    bind(closeAllPositions, async (call) => {
      const { principal, body } = call;
      positions.checkConnector(body.connector);
      const command = commandOf(closeAllPositions, call, closeAllJson(names.to(principal)));
      const asked = {
        connector: body.connector ?? null,
        slippage: body.slippage ?? null,
        clientId: body.clientId ?? null,
      };
      return answeredReply(unwrap(await resting.positions.closeAll(principal, command, asked)), 202);
    }),

    bind(changeMargin, async (call) => {
      const { principal, params, body } = call;
      const command = commandOf(changeMargin, call, marginJson);
      const asked = { positionId: params.id, symbol: body.symbol, amount: body.amount };
      return answeredReply(unwrap(await resting.positions.changeMargin(command, asked, principal)), 200);
    }),
  ];
}

function closeAllJson(name: NamePlaced): (report: CloseAllReport) => string {
  return ({ executions, failures }) =>
    JSON.stringify({
      executions: executions.map((execution) => presentExecution(execution, name)),
      failures: failures.map(({ positionId, error }) => ({
        positionId,
        errorCode: error.code,
        message: error.message,
      })),
    });
}

function marginJson(change: MarginChange): string {
  const { positionId, symbol, amount, marginUsed, liquidationPrice } = change;
  return JSON.stringify({ positionId, symbol, amount, marginUsed, liquidationPrice });
}
