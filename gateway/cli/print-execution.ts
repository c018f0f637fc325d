/** Executions and plans as tables. */
import type { ClosePlanAnswer, ExecutionAnswer, PlanAnswer } from './answers.ts';
import { type ProtectionAnswer, protectionFields } from './protection-words.ts';
import {
  fineUsd,
  isZero,
  magnitude,
  percent,
  price,
  quantity,
  signedUsd,
  tinyUsd,
  usd,
} from './readable-numbers.ts';
import { type Column, renderFields, renderTable, stripControls } from './table.ts';
import type { Terminal } from './terminal.ts';

type OrderAnswer = ExecutionAnswer['orders'][number];
type PlanLeg = PlanAnswer['legs'][number];

export function printExecution(terminal: Terminal, execution: ExecutionAnswer): void {
  const words = [`Execution ${execution.id}`, execution.intent, execution.status, duration(execution)];
  terminal.out(words.filter(Boolean).join('  '));
  const columns: Column<OrderAnswer>[] = [
    { title: 'LEG', cell: (order) => order.symbol },
    // Buy or sell, not long or short: the order that closes a long sells.
    { title: 'SIDE', cell: (order) => order.side.toLowerCase() },
    { title: 'STATUS', cell: (order) => order.status },
    { title: 'FILLED', align: 'right', cell: (order) => quantity(order.filledQuantity) },
    { title: 'ORDERED', align: 'right', cell: (order) => quantity(order.quantity) },
    { title: 'AVG PRICE', align: 'right', cell: (order) => price(order.averagePrice) },
    { title: 'WORST ALLOWED', align: 'right', cell: (order) => price(order.limitPrice) },
  ];
  if (execution.orders.some((order) => order.errorCode || order.error))
    columns.push({ title: 'PROBLEM', cell: (order) => order.errorCode || order.error || ' ' });
  for (const line of renderTable(columns, execution.orders)) terminal.out(line);
  if (execution.positionId) terminal.out(`Position ${execution.positionId}`);
  for (const line of problemsOf(execution)) terminal.err(stripControls(line));
}

/** Why the execution failed, then further errors of its legs. */
function problemsOf(execution: ExecutionAnswer): string[] {
  const whole = execution.error ?? '';
  const legs = execution.orders.flatMap((order) =>
    order.error && order.errorCode && !whole.includes(order.error) ? [`${order.symbol}: ${order.error}`] : [],
  );
  return [...(whole === '' ? [] : [`${execution.status}: ${whole}`]), ...new Set(legs)];
}

/** `in 0.42 s`; null while the execution runs. */
function duration(execution: ExecutionAnswer): string | null {
  const ms = Date.parse(execution.finishedAt ?? '') - Date.parse(execution.createdAt);
  return ms >= 0 ? `in ${(ms / 1000).toFixed(2)} s` : null;
}

/** Left out where no book is known. */
const EXPECTED: Column<PlanLeg> = {
  title: 'EXPECTED',
  align: 'right',
  cell: (leg) => price(leg.expected?.averagePrice),
};

/** @param protection of the position after it; left out by a gateway of an earlier version */
export function printPlan(
  terminal: Terminal,
  plan: PlanAnswer,
  protection: readonly ProtectionAnswer[] | undefined,
): void {
  const columns: Column<PlanLeg>[] = [
    { title: 'LEG', cell: (leg) => leg.ticker ?? leg.symbol },
    { title: 'SIDE', cell: (leg) => (leg.side === 'BUY' ? 'long' : 'short') },
    { title: 'QUANTITY', align: 'right', cell: (leg) => quantity(leg.quantity) },
    { title: 'MARK PRICE', align: 'right', cell: (leg) => price(leg.price) },
    ...(plan.legs.some(({ expected }) => expected != null) ? [EXPECTED] : []),
    { title: 'WORST ALLOWED', align: 'right', cell: (leg) => price(leg.limitPrice) },
    { title: 'NOTIONAL USD', align: 'right', cell: (leg) => usd(leg.notional) },
    { title: 'LEVERAGE', cell: (leg) => (leg.leverage ? `${leg.leverage}x ${leg.marginMode ?? ''}` : null) },
    { title: 'MARGIN USD', align: 'right', cell: (leg) => usd(leg.margin) },
    { title: 'FEE USD', align: 'right', cell: (leg) => fineUsd(leg.fee) },
    ...(plan.after?.basket?.ratioMove == null ? [] : [liquidation(plan)]),
  ];
  if (plan.legs.some((leg) => leg.problem))
    columns.push({ title: 'PROBLEM', cell: (leg) => leg.problem?.code ?? ' ' });
  for (const line of renderTable(columns, plan.legs)) terminal.out(line);
  terminal.out('');
  const totals = renderFields([
    ['gross notional', withUsd(usd(plan.grossNotional))],
    ['net notional', withUsd(signedUsd(plan.netNotional))],
    ['expected slippage', slippageOf(plan)],
    ['fees', withUsd(fineUsd(plan.totalFee))],
    ['margin required', withUsd(usd(plan.marginRequired))],
    ['free margin', withUsd(usd(plan.freeMargin))],
    ['funding at this rate', fundingOf(plan.netFundingHourly)],
    ...afterRows(plan),
    ...protectionFields(protection),
  ]);
  for (const line of totals) terminal.out(line);
  printProblems(terminal, [...plan.problems, ...plan.legs.flatMap((leg) => leg.problem ?? [])]);
}

/** Trades of a close, and its result. */
export function printClosePlan(terminal: Terminal, plan: ClosePlanAnswer): void {
  const columns: Column<ClosePlanAnswer['legs'][number]>[] = [
    { title: 'LEG', cell: (leg) => leg.ticker ?? leg.symbol },
    { title: 'SIDE', cell: (leg) => leg.side.toLowerCase() },
    { title: 'QUANTITY', align: 'right', cell: (leg) => quantity(leg.quantity) },
    { title: 'EXPECTED', align: 'right', cell: (leg) => price(leg.expectedPrice) },
    { title: 'WORST ALLOWED', align: 'right', cell: (leg) => price(leg.limitPrice) },
    { title: 'STAYS OPEN', align: 'right', cell: (leg) => quantity(leg.remaining) },
    { title: 'NOTIONAL USD', align: 'right', cell: (leg) => usd(leg.notional) },
    { title: 'FEE USD', align: 'right', cell: (leg) => fineUsd(leg.fee) },
    { title: 'REALISED USD', align: 'right', cell: (leg) => signedUsd(leg.realizedPnl) },
  ];
  for (const line of renderTable(columns, plan.legs)) terminal.out(line);
  terminal.out('');
  const totals = renderFields([
    ['gross notional', withUsd(usd(plan.grossNotional))],
    ['expected slippage', slippageOf(plan)],
    ['fees', withUsd(fineUsd(plan.totalFee))],
    ['realised', withUsd(signedUsd(plan.realizedPnl))],
    ['after closing fees', withUsd(signedUsd(plan.netPnl))],
    ...afterRows(plan),
    ...protectionFields(plan.protection),
  ]);
  for (const line of totals) terminal.out(line);
  printProblems(
    terminal,
    plan.legs.flatMap((leg) => leg.problem ?? []),
  );
}

/** Where the venue would liquidate what then is held. */
function liquidation({ after }: PlanAnswer): Column<PlanLeg> {
  return {
    title: 'LIQUIDATION AFTER',
    align: 'right',
    cell: ({ symbol }) => price(after?.legs.find((one) => one.symbol === symbol)?.liquidationPrice),
  };
}

/** The account once it has filled; nothing where the gateway does not say. */
function afterRows({ after }: Pick<PlanAnswer, 'after'>): [string, string | null][] {
  if (after == null) return [];
  const { freeMargin, marginRatio, maintenanceMargin, basket, unknownTiers } = after;
  const isKnown = unknownTiers.length === 0;
  const isUncovered = isKnown && marginRatio == null && !isZero(maintenanceMargin);
  return [
    ['free margin after', withUsd(usd(freeMargin))],
    ['margin ratio after', marginRatio == null ? (isUncovered ? 'over 100%' : null) : percent(marginRatio)],
    ['nearest liquidation', basket == null ? null : movesBy(basket.ratioMove)],
  ];
}

/** `ratio -32.1%` */
function movesBy(move: string | null | undefined): string {
  if (move == null) return 'none, up to 99% against each leg';
  return `ratio ${move.startsWith('-') ? '-' : '+'}${percent(magnitude(move))}`;
}

function printProblems(
  terminal: Terminal,
  problems: readonly { readonly code: string; readonly message: string }[],
): void {
  const lines = new Set(problems.map((problem) => `${problem.code}: ${problem.message}`));
  for (const line of lines) terminal.err(stripControls(line));
}

/** Expected cost beyond the marks by the order books, in words; plus is worse. null: the gateway does not say. */
function slippageOf({
  legs,
  expectedCost,
  expectedSlippage,
}: Pick<ClosePlanAnswer | PlanAnswer, 'expectedCost' | 'expectedSlippage'> & {
  readonly legs: readonly Pick<PlanLeg, 'symbol' | 'ticker' | 'quantity' | 'expected'>[];
}): string | null {
  if (expectedCost === undefined) return null;
  const short = legs.filter(
    ({ expected, quantity: wanted }) => expected != null && Number(expected.fillable) < Number(wanted),
  );
  const names = short.map(({ ticker, symbol }) => ticker ?? symbol).join(', ');
  if (short.some(({ expected }) => expected?.isPartial !== true)) return `the book is too thin: ${names}`;
  if (short.length > 0) return `more than the known part of the book: ${names}`;
  if (expectedCost === null) return 'not known: no order book is known';
  const sign = isZero(expectedCost) ? '' : expectedCost.startsWith('-') ? '-' : '+';
  return `${sign}${fineUsd(magnitude(expectedCost))} USD, ${sign}${percent(magnitude(expectedSlippage ?? '0'))} past the marks`;
}

function withUsd(text: string | null): string | null {
  return text === null ? null : `${text} USD`;
}

/** Funding in words, because its sign can be read either way. */
function fundingOf(hourly: string | null | undefined): string | null {
  if (hourly === null || hourly === undefined) return null;
  if (isZero(hourly)) return 'none';
  const does = hourly.startsWith('-') ? 'you receive' : 'you pay';
  return `${does} ${tinyUsd(magnitude(hourly))} USD an hour`;
}
