/** `/connectors/{id}/check`. */
import type { Auth } from '../../auth/auth.ts';
import type { OrderSteps, VenueCheckReport } from '../../auth/venue-checks.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError } from '../../call/errors.ts';
import { readVenueCheck, runVenueCheck, type VenueCheckBody } from '../../contract/venue-checks.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { Engine } from '../../engine/engine.ts';
import { iso } from '../present/time.ts';
import { notFound } from './refusals.ts';
import { sessionOf } from './session-principal.ts';

export function venueCheckRoutes(
  auth: Pick<Auth, 'accounts' | 'checks'>,
  engine: Pick<Engine, 'checkOrders'>,
): readonly BoundRoute[] {
  return [
    bind(runVenueCheck, async ({ principal, params, body }) => {
      const wanted = body.tradeAccountId?.toLowerCase();
      const account = wanted === undefined ? null : (auth.accounts.find(principal, wanted) ?? undefined);
      if (account === undefined || (account !== null && account.connector !== params.id))
        throw notFound('Trade account');
      const isReal = auth.checks.networkOf(params.id) !== 'testnet';
      const orders = body.orders ? ordersOf(engine, principal, account, isReal, body.confirm) : null;
      const done = await auth.checks.run(params.id, account, orders);
      if (!done.ok) {
        switch (done.error.kind) {
          case 'unknown_connector':
            throw notFound('Connector');
          case 'no_credentials':
            throw notFound('Credentials');
          case 'unsupported':
            throw new BusinessError('NOT_IMPLEMENTED_ERROR', 'This connector has nothing to check');
        }
      }
      const { report, transcript } = done.value;
      return { body: { ...present(report), ...(body.transcript ? { transcript: [...transcript] } : {}) } };
    }),

    bind(readVenueCheck, async ({ principal, params }) => {
      const report = await auth.checks.last(params.id);
      const isSeen =
        report !== null &&
        (report.tradeAccountId === null ||
          auth.accounts.find(principal, report.tradeAccountId) !== undefined);
      if (report === null || !isSeen) throw notFound('Check');
      return { body: present(report) };
    }),
  ];
}

/** Orders are a person's to send, and real money needs his word. */
function ordersOf(
  engine: Pick<Engine, 'checkOrders'>,
  principal: Principal,
  account: TradeAccount | null,
  isReal: boolean,
  confirm: string | undefined,
): OrderSteps {
  sessionOf(principal);
  const refused = (path: string, message: string) =>
    new BusinessError('VALIDATION_ERROR', 'Validation error', [{ path, message, code: 'custom' }]);
  if (account === null) throw refused('tradeAccountId', 'Orders are checked on an account');
  if (isReal && confirm !== account.alias)
    throw refused('confirm', 'This is real money: give the alias of the account');
  return (tell) => engine.checkOrders(account, tell);
}

function present({ at, proven, ...report }: VenueCheckReport): VenueCheckBody {
  return {
    ...report,
    at: iso(at),
    steps: report.steps.map((step) => ({ ...step })),
    proven: proven === null ? null : { ...proven, at: iso(proven.at) },
  };
}
