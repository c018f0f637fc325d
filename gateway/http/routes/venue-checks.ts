/** `/connectors/{id}/check`. */
import type { Auth } from '../../auth/auth.ts';
import type { VenueCheckReport } from '../../auth/venue-checks.ts';
import { readVenueCheck, runVenueCheck, type VenueCheckBody } from '../../contract/venue-checks.ts';
import { type BoundRoute, BusinessError, bind } from '../handler.ts';
import { iso } from '../present/time.ts';
import { notFound } from './refusals.ts';

export function venueCheckRoutes(auth: Pick<Auth, 'accounts' | 'checks'>): readonly BoundRoute[] {
  return [
    bind(runVenueCheck, async ({ principal, params, body }) => {
      const wanted = body.tradeAccountId?.toLowerCase();
      const account = wanted === undefined ? null : (auth.accounts.find(principal, wanted) ?? undefined);
      if (account === undefined || (account !== null && account.connector !== params.id))
        throw notFound('Trade account');
      const done = await auth.checks.run(params.id, account);
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

function present({ at, ...report }: VenueCheckReport): VenueCheckBody {
  return { ...report, at: iso(at), steps: report.steps.map((step) => ({ ...step })) };
}
