import type { ExecutionAnswer, PlanAnswer } from './answers.ts';
import { renderFields, renderTable, stripControls } from './table.ts';
import type { Terminal } from './terminal.ts';

export function printExecution(terminal: Terminal, execution: ExecutionAnswer): void {
  terminal.out(
    `Execution ${execution.id}  ${execution.intent ?? ''}  ${execution.status}`.replace(/ {3,}/, '  '),
  );
  const lines = renderTable(
    [
      { title: 'LEG', cell: (order) => order.symbol },
      { title: 'SIDE', cell: (order) => (order.side === 'BUY' ? 'long' : 'short') },
      { title: 'STATUS', cell: (order) => order.status },
      { title: 'FILLED', align: 'right', cell: (order) => order.filledQuantity },
      { title: 'OF', align: 'right', cell: (order) => order.quantity },
      { title: 'AVG PRICE', align: 'right', cell: (order) => order.averagePrice },
      { title: 'PROBLEM', cell: (order) => [order.errorCode, order.error].filter(Boolean).join(': ') || ' ' },
    ],
    execution.orders,
  );
  for (const line of lines) terminal.out(line);
  if (execution.error) terminal.err(`${execution.status}: ${stripControls(execution.error)}`);
}

export function printPlan(terminal: Terminal, plan: PlanAnswer): void {
  const lines = renderTable(
    [
      { title: 'LEG', cell: (leg) => leg.ticker ?? leg.symbol },
      { title: 'SIDE', cell: (leg) => (leg.side === 'BUY' ? 'long' : 'short') },
      { title: 'QUANTITY', align: 'right', cell: (leg) => leg.quantity },
      { title: 'PRICE', align: 'right', cell: (leg) => leg.price },
      { title: 'NOTIONAL', align: 'right', cell: (leg) => leg.notional },
      {
        title: 'LEVERAGE',
        align: 'right',
        cell: (leg) => (leg.leverage ? `${leg.leverage}x ${leg.marginMode ?? ''}` : null),
      },
      { title: 'MARGIN', align: 'right', cell: (leg) => leg.margin },
      { title: 'FEE', align: 'right', cell: (leg) => leg.fee },
      {
        title: 'PROBLEM',
        cell: (leg) => (leg.problem ? `${leg.problem.code}: ${leg.problem.message}` : ' '),
      },
    ],
    plan.legs,
  );
  for (const line of lines) terminal.out(line);
  terminal.out('');
  const totals = renderFields([
    ['gross notional', plan.grossNotional],
    ['net notional', plan.netNotional],
    ['fees', plan.totalFee],
    ['margin required', plan.marginRequired],
    ['free margin', plan.freeMargin],
    ['net funding per hour', plan.netFundingHourly],
  ]);
  for (const line of totals) terminal.out(line);
  for (const problem of plan.problems) {
    const about = problem.symbol ? `${problem.symbol}: ` : '';
    terminal.err(stripControls(`${problem.code}: ${about}${problem.message}`));
  }
}
