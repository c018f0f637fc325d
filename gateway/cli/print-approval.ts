/** An order that waits for its user, as a person decides by it. All text of the one that asks is shown as a stranger's. */
import type { Call } from '../client/route-types.ts';
import { COUNTED_AT, legWord } from '../contract/mandate-words.ts';
import { moneyWord } from './account-mark.ts';
import { type ApprovalAnswer, read } from './answers.ts';
import { chooseById } from './ids.ts';
import { protectionFields } from './protection-words.ts';
import { price, quantity, usd } from './readable-numbers.ts';
import { type Column, renderTable, stripControls } from './table.ts';

type Leg = ApprovalAnswer['plan']['legs'][number];

const MONEY: Readonly<Record<string, string>> = {
  LIVE: 'REAL MONEY',
  TESTNET: 'play money of a test network',
  PAPER: 'play money',
};

const REASONS: Readonly<Record<string, string>> = {
  ALWAYS: 'it has to ask about every order',
  KIND: 'it has to ask about orders of this kind',
  FIRST_ON_ACCOUNT: 'it is its first order on this account',
  FIRST_OF_INSTRUMENT: 'it is its first order of an instrument',
  FIRST_LIVE: 'it is its first order with real money',
  DUPLICATE: 'it asked for the same order within the last minute',
  LOOSENS: 'a position would be protected less',
};

const LEGS: readonly Column<Leg>[] = [
  { title: 'LEG', cell: (leg) => `${legWord(leg)} ${leg.symbol}` },
  { title: 'LEVERAGE', cell: (leg) => (leg.leverage ? `${leg.leverage}x ${leg.marginMode ?? ''}` : null) },
  { title: 'QUANTITY', align: 'right', cell: (leg) => quantity(leg.quantity) },
  { title: 'MARK THEN', align: 'right', cell: (leg) => price(leg.mark) },
  { title: 'MARK NOW', align: 'right', cell: (leg) => price(leg.markNow) },
  { title: 'WORST PRICE', align: 'right', cell: (leg) => price(leg.worstPrice) },
  { title: 'COUNTS AS USD', align: 'right', cell: (leg) => usd(leg.worstUsd) },
];

const PLACES = 6;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The whole id of the approval that an id or an end of it names. */
export async function approvalId(call: Call, wanted: string): Promise<string> {
  if (UUID.test(wanted)) return wanted;
  const { approvals } = read('GET /approvals', await call('GET /approvals', { query: { limit: '100' } }));
  return chooseById(approvals, wanted, 'approval', 'tandem approvals').id;
}

export function approvalLines(approval: ApprovalAnswer): readonly string[] {
  const { account, plan, asker } = approval;
  const word = moneyWord(account);
  return [
    `${MONEY[word] ?? word}: ${stripControls(account.alias ?? 'an account that was removed')} (${stripControls(account.connector)})`,
    `Asked by "${stripControls(asker.name)}" (its own name, unverified), because ${reasonsOf(approval)}.`,
    ...(plan.legs.length === 0 ? [] : renderTable(LEGS, plan.legs)),
    ...approval.terms.map(({ name, value }) => `${name}: ${stripControls(value)}`),
    ...protectionFields(approval.protection).map(([name, words]) => `After it: ${name} ${words}.`),
    `Counts as ${usd(plan.worstUsd)} USD (${COUNTED_AT})${marginWord(plan.legs)}, fees about ${usd(plan.feeUsd)} USD.`,
    `Positions of the account: ${usd(plan.exposureBeforeUsd)} USD before, ${usd(plan.exposureAfterUsd)} USD after, so counted.`,
    ...(approval.says ? [`It says: "${stripControls(approval.says)}"`] : []),
    `Expires ${approval.expiresAt}.`,
  ];
}

/** Margin of the opening legs at the leverage in force; empty: none, or an instrument is not listed. */
function marginWord(legs: readonly Leg[]): string {
  const opening = legs.filter(({ reduces }) => !reduces);
  let margin = 0n;
  for (const { worstUsd, leverage } of opening) {
    if (!leverage) return '';
    margin += millionths(worstUsd) / BigInt(leverage);
  }
  if (opening.length === 0) return '';
  const digits = String(margin).padStart(PLACES + 1, '0');
  return `, margin about ${usd(`${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`)} USD`;
}

/** `12.5` → 12,500,000; digits behind the sixth are dropped. */
function millionths(value: string): bigint {
  const [whole = '0', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
}

function reasonsOf({ reasons, aboveUsd }: ApprovalAnswer): string {
  return reasons
    .map((reason) =>
      reason === 'ABOVE'
        ? `it is above the ${usd(aboveUsd) ?? '?'} USD up to which it may order by itself`
        : (REASONS[reason] ?? reason),
    )
    .join(', and ');
}
