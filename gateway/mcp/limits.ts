/** Limits that the caller's user set for it, with their usage. */
import { z } from 'zod';
import { dec, text } from '../domain/decimal.ts';
import type { Answer } from './ask.ts';
import type { ToolContext } from './tool.ts';

export const limitsOut = z.object({
  set: z.boolean().describe('false: the user has set no limits for this connection'),
  suspended: z.boolean().describe('true: nothing of you opens until the user resumes you'),
  words: z.string(),
  rows: z.array(
    z.object({
      name: z.string(),
      allowed: z.string(),
      used: z.string().nullable(),
      left: z.string().nullable(),
    }),
  ),
});
export type Limits = z.input<typeof limitsOut>;

type Own = Answer<'GET /agents/me'>;
type Terms = NonNullable<Own['mandate']>['terms'];

export async function limitsOf({ ask }: Pick<ToolContext, 'ask'>): Promise<Limits> {
  const { mandate, usage, suspended } = await ask('GET /agents/me');
  const isSuspended = suspended !== null;
  const stopped = isSuspended ? ['YOU ARE SUSPENDED: nothing of you opens until the user resumes you.'] : [];
  if (mandate === null) {
    const words = [...stopped, 'No limits are set for this connection.'].join(' ');
    return { set: false, suspended: isSuspended, words, rows: [] };
  }
  const rows = [...amounts(mandate.terms, usage), ...lists(mandate.terms)];
  const lines = rows.map(({ name, allowed, used, left }) => {
    return `${name} ${allowed}${used === null ? '' : ` (used ${used}, left ${left ?? '?'})`}`;
  });
  const words = [...stopped, `Limits of this connection: ${lines.join('; ')}.`].join(' ');
  return { set: true, suspended: isSuspended, words, rows };
}

type Row = Limits['rows'][number];

function amounts(terms: Terms, usage: Own['usage']): Row[] {
  return [
    amount('maxOrderUsd', terms.maxOrderUsd, null),
    amount('maxOpenedUsd24h', terms.maxOpenedUsd24h, usage?.openedUsd24h ?? null),
    amount('maxGrossUsd', terms.maxGrossUsd, usage?.grossUsd ?? null),
    amount('maxPositions', figure(terms.maxPositions), figure(usage?.positions)),
    amount('maxResting', figure(terms.maxResting), figure(usage?.resting)),
    amount('maxLeverage', figure(terms.maxLeverage), null),
    amount('maxSlippage', terms.maxSlippage, null),
    amount('lossStop', terms.lossStop?.usd ?? null, usage?.lossUsd24h ?? null),
    amount('rate.perMinute', figure(terms.rate.perMinute), figure(usage?.ordersLastMinute)),
    amount('rate.perDay', figure(terms.rate.perDay), figure(usage?.ordersLastDay)),
  ].filter((row) => row !== null);
}

function figure(value: number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function amount(name: string, allowed: string | null, used: string | null): Row | null {
  if (allowed === null) return null;
  return { name, allowed, used, left: used === null ? null : text(dec(allowed).minus(used)) };
}

function lists(terms: Terms): Row[] {
  const row = (name: string, allowed: string): Row => ({ name, allowed, used: null, left: null });
  const { accounts, instruments, deny, kinds, reduceOnly, manage, validUntil, approval } = terms;
  return [
    row('accounts', accounts.join(', ') || 'none'),
    row('instruments', instruments === 'any' ? 'any' : instruments.join(', ')),
    ...(deny.length === 0 ? [] : [row('deny', deny.join(', '))]),
    row('kinds', kinds.join(', ')),
    ...(reduceOnly ? [row('reduceOnly', 'yes: it opens nothing')] : []),
    row('manage', manage === 'OWN' ? 'what it placed itself' : 'everything'),
    ...(validUntil === null ? [] : [row('validUntil', String(validUntil))]),
    row('approval', approval.when === 'above' ? `above ${approval.aboveUsd ?? '0'} USD` : approval.when),
  ];
}
