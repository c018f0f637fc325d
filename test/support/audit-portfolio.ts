/**
 * The one identity of an account, audited from the outside: what `GET /portfolio` says must be what the fills, the positions
 * and the venue say, to the last digit. Own arithmetic, nothing of the gateway's code. Each function states one rule and
 * returns a sentence for everything that breaks it.
 */
import { type AccountAccess, wholeList } from './account-state.ts';
import { type Exact, exact, exactText, times, totalOf } from './exact.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { Json } from './json.ts';

export interface PortfolioState {
  readonly portfolio: Json;
  readonly series: readonly Json[];
  readonly fills: readonly Json[];
  readonly positions: readonly Json[];
  /** In no basket. */
  readonly lots: readonly Json[];
}

/** Account's figures at the venue while nothing is in progress and its market stands still. */
export interface VenueMoney {
  readonly equity: string;
  /** Σ of its funding payments since the beginning. */
  readonly funding: string;
}

const TRIES = 40;

/** Read again while the account changes between the answers. */
export async function readPortfolio(
  client: Pick<GatewayClient, 'request'>,
  account: AccountAccess,
): Promise<PortfolioState> {
  const headers = { 'x-api-key': account.key, 'x-trade-account-id': account.accountId };
  const get = async (path: string): Promise<Json> => {
    const answer = await client.request('GET', path, { headers });
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const marker = ({ ledger }: Json) =>
    ledger && [ledger.deposits, ledger.realizedPnl, ledger.fees, ledger.funding].join(' ');
  for (let tries = 0; tries < TRIES; tries += 1) {
    const portfolio = await get('/portfolio?includeLedger=true');
    const { series } = await get('/portfolio/analytics?includeSeries=true');
    const fills = await wholeList(client, account, 'fills');
    const positions = await wholeList(client, account, 'positions');
    const { items: lots } = await get('/positions/unassigned');
    const after = await get('/portfolio?includeLedger=true');
    if (marker(portfolio) === marker(after)) return { portfolio, series, fills, positions, lots };
  }
  throw new Error('the account does not come to rest');
}

export function auditPortfolio(state: PortfolioState, venue: VenueMoney | null): readonly string[] {
  if (state.portfolio.ledger === null) return ['there is no ledger'];
  return [
    ...equityIsItsParts(state),
    ...partsAddUp(state),
    ...fillsAreCounted(state),
    ...positionsAreTheirFills(state),
    ...basketsAreTheirPositions(state),
    ...daysFollowEachOther(state),
    ...(venue === null ? [] : agreesWithVenue(state, venue)),
  ];
}

const differs = (what: string, is: Exact, should: Exact): readonly string[] =>
  is === should ? [] : [`${what} is ${exactText(is)}, should be ${exactText(should)}`];

const resultOf = (row: Json): Exact =>
  exact(row.realizedPnl) - exact(row.fees) + exact(row.funding) + exact(row.unrealizedPnl);

function equityIsItsParts({ portfolio }: PortfolioState): readonly string[] {
  const { ledger } = portfolio;
  return [
    ...differs('equity', exact(portfolio.equity), exact(portfolio.deposits) + resultOf(portfolio)),
    ...differs('balance', exact(portfolio.balance), exact(portfolio.equity) - exact(portfolio.unrealizedPnl)),
    ...differs('equity of the ledger', exact(ledger.equity), exact(ledger.deposits) + resultOf(ledger)),
    ...(['equity', 'deposits', 'realizedPnl', 'fees', 'funding', 'unrealizedPnl'] as const).flatMap((name) =>
      differs(`${name} of the ledger`, exact(ledger[name]), exact(portfolio[name])),
    ),
    ...differs(
      'what the buckets brought',
      totalOf(portfolio.buckets, (bucket: Json) => bucket.pnl),
      resultOf(portfolio) - exact(portfolio.unrealizedPnl),
    ),
  ];
}

/** Sources, instruments, and baskets with what is in none. */
function partsAddUp({ portfolio: { ledger } }: PortfolioState): readonly string[] {
  const each = (['sources', 'instruments'] as const).flatMap((part) => [
    ...ledger[part].flatMap((row: Json) =>
      differs(`pnl of ${row.source ?? row.symbol}`, exact(row.pnl), resultOf(row)),
    ),
    ...(['realizedPnl', 'fees', 'funding', 'unrealizedPnl'] as const).flatMap((name) =>
      differs(
        `${name} of all ${part}`,
        totalOf(ledger[part], (row: Json) => row[name]),
        exact(ledger[name]),
      ),
    ),
  ]);
  const baskets = ledger.baskets.flatMap((row: Json) =>
    differs(`pnl of basket ${row.basketKey}`, exact(row.pnl), exact(row.closedPnl) + resultOf(row)),
  );
  const all = totalOf(ledger.baskets, (row: Json) => row.pnl) + exact(ledger.unassigned.pnl);
  return [...each, ...baskets, ...differs('pnl of all baskets', all, exact(ledger.pnl))];
}

/** A liquidation is the venue's doing, but it ends what the gateway holds. */
const isOurs = (fill: Json): boolean =>
  fill.executionId !== null || (fill.isLiquidation && fill.positionId !== null);

function fillsAreCounted({ portfolio: { ledger }, fills }: PortfolioState): readonly string[] {
  const counted = (name: string, row: Json, own: readonly Json[]) => [
    ...differs(
      `fees of ${name}`,
      exact(row.fees),
      totalOf(own, (fill) => fill.fee),
    ),
    ...differs(
      `realised of ${name}`,
      exact(row.realizedPnl),
      totalOf(own, (fill) => fill.realizedPnl),
    ),
  ];
  return [
    ...counted('the account', ledger, fills),
    ...ledger.sources.flatMap((row: Json) =>
      counted(
        row.source,
        row,
        fills.filter((fill) => isOurs(fill) === (row.source === 'gateway')),
      ),
    ),
    ...ledger.instruments.flatMap((row: Json) =>
      counted(
        row.symbol,
        row,
        fills.filter((fill) => fill.symbol === row.symbol),
      ),
    ),
  ];
}

/** USD that a fill brought: a sale is positive. */
function cashOf(fill: Json): Exact {
  const notional = times(exact(fill.price), exact(fill.quantity));
  return fill.side === 'SELL' ? notional : -notional;
}

function grouped(rows: readonly Json[], keyOf: (row: Json) => string): ReadonlyMap<string, readonly Json[]> {
  const groups = new Map<string, Json[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

const signed = (side: string, amount: Exact): Exact => (side === 'BUY' ? amount : -amount);

/** Cash of its fills + worth of what is left = realised + unrealised PnL, leg by leg: whatever the method of cost is. */
function positionsAreTheirFills({ positions, fills }: PortfolioState): readonly string[] {
  const byLeg = grouped(fills, (fill) => `${fill.positionId} ${fill.symbol}`);
  return positions.flatMap((position: Json) => {
    let cash = 0n;
    let fees = 0n;
    for (const leg of position.legs) {
      const own = byLeg.get(`${position.id} ${leg.symbol}`) ?? [];
      for (const fill of own) cash += cashOf(fill);
      fees += totalOf(own, (fill) => fill.fee);
      cash += signed(leg.side, exact(leg.notional));
    }
    const told = exact(position.realizedPnl) + exact(position.unrealizedPnl);
    return [
      ...differs(`realised and unrealised of position ${position.id}`, told, cash),
      ...differs(`fees of position ${position.id}`, exact(position.feesPaid), fees),
    ];
  });
}

/** Baskets are their positions; what is in none is the rest of the fills and of the funding. */
function basketsAreTheirPositions({ portfolio: { ledger }, positions, fills }: PortfolioState) {
  const realisedOf = (of: readonly Json[]) =>
    totalOf(of, (one) => one.realizedPnl) -
    totalOf(of, (one) => one.feesPaid) -
    totalOf(of, (one) => one.fundingPaid);
  const byKey = grouped(positions, (position: Json) => String(position.basketKey));
  const told = new Map(ledger.baskets.map((row: Json) => [row.basketKey, row]));
  const baskets = [...byKey].flatMap(([key, own]) => {
    const row: Json = told.get(key);
    if (row === undefined) return [`basket ${key} is not in the ledger`];
    return [
      ...differs(
        `closed of basket ${key}`,
        exact(row.closedPnl),
        realisedOf(own.filter(({ status }) => status === 'CLOSED')),
      ),
      ...differs(
        `open of basket ${key}`,
        resultOf(row) - exact(row.unrealizedPnl),
        realisedOf(own.filter(({ status }) => status === 'OPEN')),
      ),
    ];
  });
  const loose = fills.filter(({ positionId }) => positionId === null);
  const fundingOutside = exact(ledger.funding) + totalOf(positions, (one: Json) => one.fundingPaid);
  return [
    ...baskets,
    ...differs(
      'what was realised in no basket',
      exact(ledger.unassigned.closedPnl),
      totalOf(loose, (fill) => fill.realizedPnl) - totalOf(loose, (fill) => fill.fee) + fundingOutside,
    ),
  ];
}

/** Equity of a day = equity of the day before + deposits + realised net + change of unrealised PnL. */
function daysFollowEachOther({ portfolio: { ledger }, series }: PortfolioState): readonly string[] {
  const [first] = series;
  if (first === undefined) return [];
  const days = series.flatMap((day, index) => {
    const before = series[index - 1];
    if (before === undefined) return [];
    const brought = exact(day.deposits) + exact(day.pnl) + exact(day.unrealizedPnl);
    return differs(`equity of ${day.date}`, exact(day.equity), exact(before.equity) + brought);
  });
  return [
    ...days,
    ...differs(
      'what all days brought',
      totalOf(series, (day) => day.pnl),
      resultOf(ledger) - exact(ledger.unrealizedPnl),
    ),
  ];
}

/** Compares answers with the venue's figures. Holds only if no time passes between the answers. */
function agreesWithVenue({ portfolio, series, positions, lots }: PortfolioState, venue: VenueMoney) {
  const { ledger } = portfolio;
  const last = series.at(-1);
  return [
    ...differs('equity', exact(ledger.equity), exact(venue.equity)),
    ...(last === undefined ? [] : differs('equity of today', exact(last.equity), exact(venue.equity))),
    ...differs('funding', exact(ledger.funding), exact(venue.funding)),
    ...differs(
      'unrealised in no basket',
      exact(ledger.unassigned.unrealizedPnl),
      totalOf(lots, (lot) => times(exact(lot.quantity), exact(lot.markPrice) - exact(lot.price))),
    ),
    ...differs(
      'unrealised of the baskets',
      exact(ledger.unrealizedPnl) - exact(ledger.unassigned.unrealizedPnl),
      totalOf(positions, (one: Json) => (one.status === 'OPEN' ? one.unrealizedPnl : '0')),
    ),
  ];
}
