/**
 * A mandate as sentences for the person who grants it: the consent page, the dashboard, the command line and an agent's
 * own question all say the same. Pure; amounts stay the strings that they are.
 */
import { CLOSE_SLIPPAGE } from '../domain/close-slippage.ts';
import { MANDATE_RIGHTS } from '../domain/enumerations.ts';
import type { HouseLimitsBody, MandateBody, MandateKindName, MandateRightName } from './mandate.ts';

/** An account as people know it. */
export interface NamedAccount {
  readonly id: string;
  readonly alias: string;
  /** Paper, a venue's test network, or real money. */
  readonly money: 'PAPER' | 'TESTNET' | 'LIVE';
}

const MONEY = { PAPER: 'play money', TESTNET: 'test network', LIVE: 'REAL MONEY' } as const;

const KINDS: Readonly<Record<MandateKindName, string>> = {
  now: 'order at once',
  when: 'place triggers',
  over_time: 'order in slices over time',
  ladder: 'place ladders',
  protect: 'set take-profits and stop-losses',
  rebalance: 'rebalance',
  reverse: 'reverse positions',
  margin: 'add margin',
};

/** More protection is free. */
const LESS_PROTECTION = 'make the protection of a position smaller';

const RIGHTS: Readonly<Record<MandateRightName, string>> = {
  readCredentials: 'read your decrypted venue credentials',
  manageAccounts: 'manage trade accounts',
  exchangeSetup: 'set accounts up at venues (withdrawals included)',
  changeLeverage: 'change leverage',
  attributeTrades: 'assign what you traded elsewhere',
};

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** @param accounts those of the user; one that is not among them is called unknown */
export function mandateSentences(mandate: MandateBody, accounts: readonly NamedAccount[]): readonly string[] {
  const trades = mandate.accounts.length > 0 && mandate.kinds.length > 0;
  if (!trades) return ['It only looks: it may not order anything.', rightsSentence(mandate)];
  return [
    `It may trade on ${listed(mandate.accounts.map((id) => accountName(id, accounts)))}.`,
    sizeSentence(mandate),
    holdSentence(mandate),
    lossSentence(mandate),
    ...runawaySentences(mandate),
    ...approvalSentences(mandate),
    `It may ${listed(mandate.kinds.map((kind) => KINDS[kind]))}${instrumentWords(mandate)}.`,
    manageSentence(mandate),
    ...boundSentences(mandate),
    `It may place at most ${mandate.rate.perMinute} orders a minute and ${grouped(String(mandate.rate.perDay))} a day.`,
    endSentence(mandate),
    rightsSentence(mandate),
  ];
}

export function houseSentences(limits: HouseLimitsBody): readonly string[] {
  const said = [
    limits.maxOrderUsd === null ? null : `One order may be worth up to ${usd(limits.maxOrderUsd)}.`,
    limits.maxOpenedUsd24h === null
      ? null
      : `They may open up to ${usd(limits.maxOpenedUsd24h)} in any 24 hours.`,
    limits.maxGrossUsd === null
      ? null
      : `What they hold and have waiting may be worth up to ${usd(limits.maxGrossUsd)}.`,
    limits.maxPositions === null
      ? null
      : `They may hold at most ${counted(limits.maxPositions, 'position')}.`,
    limits.maxResting === null
      ? null
      : `They may have at most ${counted(limits.maxResting, 'order')} waiting.`,
    limits.lossUsd24h === null
      ? null
      : `They can lose at most about ${usd(limits.lossUsd24h)} a day before all of them are stopped.`,
  ].filter((sentence) => sentence !== null);
  return said.length === 0 ? ['No limit binds all of them together.'] : said;
}

/** "2000.5" → "2,000.50 USD", "2000" → "2,000 USD", on one line */
export function usd(amount: string): string {
  return `${grouped(amount.replace(/\.\d$/, '$&0'))}\u00a0USD`;
}

function accountName(id: string, accounts: readonly NamedAccount[]): string {
  const account = accounts.find((one) => one.id === id);
  return account === undefined ? 'an account that is gone' : `${account.alias} (${MONEY[account.money]})`;
}

function sizeSentence({ maxOrderUsd, maxOpenedUsd24h, reduceOnly }: MandateBody): string {
  if (reduceOnly) return 'It may only make positions smaller: it opens nothing.';
  const order = maxOrderUsd === null ? 'be of any size' : `be worth up to ${usd(maxOrderUsd)}`;
  const day =
    maxOpenedUsd24h === null
      ? 'open without a daily limit'
      : `open up to ${usd(maxOpenedUsd24h)} in any 24 hours`;
  return `One order may ${order}, and it may ${day}.`;
}

function holdSentence({ maxGrossUsd, maxPositions, maxResting, maxLeverage }: MandateBody): string {
  const worth = maxGrossUsd === null ? 'may be worth any amount' : `may be worth up to ${usd(maxGrossUsd)}`;
  const counts = [
    maxPositions === null ? null : `at most ${counted(maxPositions, 'position')}`,
    maxResting === null ? null : `at most ${counted(maxResting, 'waiting order')}`,
    maxLeverage === null ? 'at any leverage' : `at up to ${maxLeverage}× leverage`,
  ].filter((part) => part !== null);
  return `What it holds and has waiting ${worth}: ${listed(counts)}.`;
}

function lossSentence({ lossStop }: MandateBody): string {
  if (lossStop === null) return 'Nothing stops it when it loses.';
  const then = lossStop.then === 'SUSPEND' ? '' : ', and its positions are closed';
  return `It can lose at most about ${usd(lossStop.usd)} a day before it is stopped${then}.`;
}

function runawaySentences({ runaway }: MandateBody): readonly string[] {
  const { refusals = null, reopenings = null, feesUsd = null } = runaway ?? {};
  const reasons = [
    refusals === null ? null : `it was refused ${counted(refusals, 'time')} within an hour`,
    reopenings === null
      ? null
      : `it opened what it had just closed ${counted(reopenings, 'time')} within 10\u00a0minutes`,
    feesUsd === null ? null : `it paid ${usd(feesUsd)} of fees within an hour`,
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? [] : [`It is also stopped once ${listed(reasons, 'or')}.`];
}

function approvalSentences({ approval }: MandateBody): readonly string[] {
  const { when, aboveUsd, kinds, firsts, duplicates, lifeSeconds, passwordAboveUsd } = approval;
  const orders =
    when === 'always'
      ? 'Every order waits for your yes'
      : when === 'above' && aboveUsd !== null
        ? `An order above ${usd(aboveUsd)} waits for your yes`
        : null;
  const also = [
    kinds.length === 0 || when === 'always'
      ? null
      : `whenever it wants to ${listed(
          kinds.map((kind) => (kind === 'protect' ? LESS_PROTECTION : KINDS[kind])),
          'or',
        )}`,
    firsts === 'off' || when === 'always'
      ? null
      : firsts === 'live'
        ? 'before its first order with real money'
        : 'before its first order on an account or of an instrument',
    duplicates !== 'ask' || when === 'always' ? null : 'before the same order again within a minute',
  ].filter((part) => part !== null);
  const asks = also.length === 0 ? null : `You are asked ${orders === null ? '' : 'also '}${listed(also)}.`;
  return [
    orders === null
      ? null
      : `${orders}, for up to ${duration(lifeSeconds)}. So does what leaves a position less protected.`,
    asks,
    orders === null && asks === null ? 'You are not asked before it orders.' : null,
    passwordAboveUsd === null ? null : `Above ${usd(passwordAboveUsd)} your yes needs your password.`,
  ].filter((sentence) => sentence !== null);
}

function instrumentWords({ instruments, deny }: MandateBody): string {
  const only = instruments === 'any' ? '' : `, in ${few(instruments)} only`;
  return `${only}${deny.length === 0 ? '' : `, never in ${few(deny)}`}`;
}

function manageSentence({ manage }: MandateBody): string {
  return manage === 'OWN'
    ? 'It may change and close only what it placed itself.'
    : 'It may change and close everything on these accounts, what you placed as well.';
}

function boundSentences({ maxSlippage, hours }: MandateBody): readonly string[] {
  const price = maxSlippage === null ? null : slippageSentence(maxSlippage);
  if (hours === null) return price === null ? [] : [price];
  const days =
    hours.days.length === 7 ? 'every day' : `on ${listed(hours.days.map((day) => DAYS[day - 1] ?? ''))}`;
  const when = `It opens only ${days}, ${hours.from} to ${hours.to} (${hours.zone}); closing is always possible.`;
  return price === null ? [when] : [price, when];
}

function slippageSentence(maxSlippage: string): string {
  const isBelowClosing = Number(maxSlippage) < Number(CLOSE_SLIPPAGE);
  const opening = isBelowClosing ? ' that opens' : '';
  const closing = isBelowClosing ? `, none that closes more than ${percent(CLOSE_SLIPPAGE)}` : '';
  const most = `${percent(maxSlippage)} away from the mark price`;
  return `No order${opening} may fill more than ${most}${closing}, except a stop-loss, which has to fill.`;
}

function endSentence({ validUntil }: MandateBody): string {
  if (validUntil === null) return 'It has no end date; you can change or revoke it at any time.';
  const at = new Date(validUntil).toISOString();
  return `It opens nothing after ${at.slice(0, 10)} ${at.slice(11, 16)} UTC.`;
}

function rightsSentence({ rights }: MandateBody): string {
  const has = MANDATE_RIGHTS.filter((right) => rights[right]).map((right) => RIGHTS[right]);
  const not = MANDATE_RIGHTS.filter((right) => !rights[right]).map((right) => RIGHTS[right]);
  const never = 'nor resume trading that you paused';
  if (not.length === 0) return `It may also ${listed(has)}; it may not resume trading that you paused.`;
  const may = has.length === 0 ? '' : `It may also ${listed(has)}. `;
  return `${may}It may not ${listed(not, 'or')}, ${never}.`;
}

function listed(parts: readonly string[], word = 'and'): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}

const SHOWN = 8;

function few(names: readonly string[]): string {
  return names.length <= SHOWN
    ? listed(names)
    : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
}

function counted(count: number, what: string): string {
  return `${grouped(String(count))} ${what}${count === 1 ? '' : 's'}`;
}

function duration(seconds: number): string {
  const words =
    seconds % 3_600 === 0
      ? counted(seconds / 3_600, 'hour')
      : seconds % 60 === 0
        ? counted(seconds / 60, 'minute')
        : counted(seconds, 'second');
  // On a page the figure never stands alone at the end of a line.
  return words.replace(' ', '\u00a0');
}

function grouped(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** A fraction as per cent, by its digits: "0.005" → "0.5 %". */
function percent(fraction: string): string {
  const [whole = '0', digits = ''] = fraction.split('.');
  const padded = digits.padEnd(2, '0');
  const integer = `${whole}${padded.slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = padded.slice(2).replace(/0+$/, '');
  return `${integer}${rest === '' ? '' : `.${rest}`} %`;
}

/**
 * How limits count an order, whoever shows it: nothing that fills costs more. A sale that brings more than its mark has
 * opened as much as was counted, at a better price.
 */
export const COUNTED_AT = 'a purchase at its worst price, a sale at its mark';

/** Effect of an order's leg, in capitals. A leg that reduces a position opens none. */
export function legWord({
  side,
  reduces,
}: {
  readonly side: 'BUY' | 'SELL';
  readonly reduces: boolean;
}): string {
  const word = side === 'BUY' ? 'LONG' : 'SHORT';
  const other = side === 'BUY' ? 'SHORT' : 'LONG';
  return reduces ? `LESS ${other}` : word;
}
