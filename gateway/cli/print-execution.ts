/** Executions and plans as tables. */
import type { ExecutionAnswer, PlanAnswer } from './answers.ts';
import { fineUsd, isZero, magnitude, price, quantity, signedUsd, tinyUsd, usd } from './readable-numbers.ts';
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

export function printPlan(terminal: Terminal, plan: PlanAnswer): void {
  const columns: Column<PlanLeg>[] = [
    { title: 'LEG', cell: (leg) => leg.ticker ?? leg.symbol },
    { title: 'SIDE', cell: (leg) => (leg.side === 'BUY' ? 'long' : 'short') },
    { title: 'QUANTITY', align: 'right', cell: (leg) => quantity(leg.quantity) },
    { title: 'MARK PRICE', align: 'right', cell: (leg) => price(leg.price) },
    { title: 'WORST ALLOWED', align: 'right', cell: (leg) => price(leg.limitPrice) },
    { title: 'NOTIONAL USD', align: 'right', cell: (leg) => usd(leg.notional) },
    { title: 'LEVERAGE', cell: (leg) => (leg.leverage ? `${leg.leverage}x ${leg.marginMode ?? ''}` : null) },
    { title: 'MARGIN USD', align: 'right', cell: (leg) => usd(leg.margin) },
    { title: 'FEE USD', align: 'right', cell: (leg) => fineUsd(leg.fee) },
  ];
  if (plan.legs.some((leg) => leg.problem))
    columns.push({ title: 'PROBLEM', cell: (leg) => leg.problem?.code ?? ' ' });
  for (const line of renderTable(columns, plan.legs)) terminal.out(line);
  terminal.out('');
  const totals = renderFields([
    ['gross notional', withUsd(usd(plan.grossNotional))],
    ['net notional', withUsd(signedUsd(plan.netNotional))],
    ['fees', withUsd(fineUsd(plan.totalFee))],
    ['margin required', withUsd(usd(plan.marginRequired))],
    ['free margin', withUsd(usd(plan.freeMargin))],
    ['funding at this rate', fundingOf(plan.netFundingHourly)],
  ]);
  for (const line of totals) terminal.out(line);
  const problems = [...plan.problems, ...plan.legs.flatMap((leg) => leg.problem ?? [])];
  const lines = new Set(problems.map((problem) => `${problem.code}: ${problem.message}`));
  for (const line of lines) terminal.err(stripControls(line));
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
