/** `/trade-accounts/{id}/paper/faults`: faults that a user puts on a paper account. */
import type { Accounts } from '../../auth/accounts.ts';
import { type BoundRoute, bind } from '../../call/call.ts';
import { BusinessError, invalid } from '../../call/errors.ts';
import {
  clearPaperFaultRoute,
  clearPaperFaultsRoute,
  listPaperFaultsRoute,
  type PaperFaultBody,
  paperFault,
  setPaperFaultRoute,
} from '../../contract/paper-faults.ts';
import type { Principal } from '../../domain/model.ts';
import { MOST_PAPER_FAULTS, type PaperFault, type PaperFaultTerms } from '../../domain/paper-fault.ts';
import type { MarketData } from '../../engine/ports/market.ts';
import type { Ids } from '../../engine/ports/system.ts';
import type { Venues } from '../../engine/ports/venue.ts';
import { iso } from '../present/time.ts';
import { wireForm } from '../present/wire-form.ts';
import { notFound } from './refusals.ts';

export function paperFaultRoutes(deps: {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly venues: Venues;
  readonly market: Pick<MarketData, 'instrument'>;
  readonly ids: Ids;
}): readonly BoundRoute[] {
  const { accounts, venues, market, ids } = deps;

  function deskOf(principal: Principal, id: string) {
    const account = accounts.find(principal, id.toLowerCase());
    if (account === undefined) throw notFound('Trade account');
    const faults = account.mode === 'PAPER' ? venues.get(account.connector)?.faults : undefined;
    if (faults === undefined)
      throw new BusinessError('NOT_IMPLEMENTED_ERROR', 'Only a paper account takes faults');
    const at = { tradeAccountId: account.id, exchangeIdentifier: account.exchangeIdentifier };
    return { account, faults, at };
  }

  return [
    bind(listPaperFaultsRoute, ({ principal, params }) => {
      const { faults, at } = deskOf(principal, params.id);
      return { body: { paperFaults: faults.of(at).map(present) } };
    }),

    bind(setPaperFaultRoute, ({ principal, params, body }) => {
      const { account, faults, at } = deskOf(principal, params.id);
      const { symbol = null, seconds } = body;
      if (symbol !== null && market.instrument(account.connector, symbol) === undefined)
        throw invalid('symbol', 'Unknown instrument');
      if (faults.of(at).length >= MOST_PAPER_FAULTS)
        throw new BusinessError('RESOURCE_BUSY', `${MOST_PAPER_FAULTS} faults are on already`);
      const times = body.kind === 'STALE_FEED' ? null : body.times;
      const set = faults.add(at, { id: ids.next(), terms: termsOf(body), symbol, times, seconds });
      return { body: present(set) };
    }),

    bind(clearPaperFaultsRoute, ({ principal, params }) => {
      const { faults, at } = deskOf(principal, params.id);
      return { body: { ended: faults.clear(at, null) } };
    }),

    bind(clearPaperFaultRoute, ({ principal, params }) => {
      const { faults, at } = deskOf(principal, params.id);
      if (faults.clear(at, params.faultId.toLowerCase()) === 0) throw notFound('Fault');
      return {};
    }),
  ];
}

function termsOf(
  body: Parameters<Parameters<typeof bind<typeof setPaperFaultRoute>>[1]>[0]['body'],
): PaperFaultTerms {
  switch (body.kind) {
    case 'PARTIAL_FILL':
      return { kind: body.kind, fraction: body.fraction };
    case 'UNKNOWN_OUTCOME':
      return { kind: body.kind, executed: body.executed, silentSeconds: body.silentSeconds };
    default:
      return { kind: body.kind };
  }
}

function present(fault: PaperFault): PaperFaultBody {
  const { terms, createdAt, endsAt } = fault;
  return wireForm(paperFault, fault, {
    kind: terms.kind,
    fraction: terms.kind === 'PARTIAL_FILL' ? terms.fraction : null,
    executed: terms.kind === 'UNKNOWN_OUTCOME' ? terms.executed : null,
    silentSeconds: terms.kind === 'UNKNOWN_OUTCOME' ? terms.silentSeconds : null,
    createdAt: iso(createdAt),
    endsAt: iso(endsAt),
  });
}
