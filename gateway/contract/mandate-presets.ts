/** Mandates to begin with. None names accounts or an end of its own: whoever offers one fills them in. */
import { MANDATE_KINDS, MANDATE_RIGHTS } from '../domain/enumerations.ts';
import type { MandateBody, MandateProposal } from './mandate.ts';

export const PRESET_NAMES = ['look_only', 'play_money', 'small_and_asked', 'own_numbers'] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

export const PRESET_TITLES: Readonly<Record<PresetName, string>> = {
  look_only: 'Look only',
  play_money: 'Play money',
  small_and_asked: 'Small orders, asks before larger ones',
  own_numbers: 'My own numbers',
};

const DAY_MS = 24 * 3_600_000;
/** How long a preset holds when nobody chose another end. */
const PROPOSED_DAYS = 7;

const NO_RIGHTS = Object.fromEntries(MANDATE_RIGHTS.map((right) => [right, false])) as MandateBody['rights'];

// biome-ignore lint/suspicious/noThenProperty: a word, nothing to call
const suspendedAt = (usd: string): MandateBody['lossStop'] => ({ usd, then: 'SUSPEND' });

const SMALL_AND_ASKED: MandateBody = {
  accounts: [],
  instruments: 'any',
  deny: [],
  kinds: ['now', 'protect'],
  reduceOnly: false,
  manage: 'OWN',
  maxOrderUsd: '500',
  maxOpenedUsd24h: '2000',
  maxGrossUsd: '2000',
  // Instruments' leverage when nobody chose one: with less, every order of the preset would be refused.
  maxLeverage: 5,
  maxPositions: 4,
  maxResting: 10,
  maxSlippage: '0.01',
  hours: null,
  validUntil: null,
  lossStop: suspendedAt('200'),
  approval: {
    when: 'above',
    aboveUsd: '250',
    kinds: [],
    passwordAboveUsd: null,
    lifeSeconds: 600,
    driftBps: 50,
    firsts: 'live',
    duplicates: 'ask',
  },
  rate: { perMinute: 6, perDay: 60, coolDownSeconds: 60 },
  rights: NO_RIGHTS,
  runaway: { refusals: 10, reopenings: 3, feesUsd: '40' },
};

const PLAY_MONEY: MandateBody = {
  ...SMALL_AND_ASKED,
  kinds: [...MANDATE_KINDS],
  maxOrderUsd: '10000',
  maxOpenedUsd24h: '100000',
  maxGrossUsd: '50000',
  maxLeverage: 10,
  maxPositions: 20,
  maxResting: 50,
  lossStop: suspendedAt('5000'),
  approval: {
    ...SMALL_AND_ASKED.approval,
    when: 'never',
    aboveUsd: null,
    firsts: 'off',
    duplicates: 'allow',
  },
  rate: { perMinute: 30, perDay: 1_000, coolDownSeconds: 60 },
  runaway: { refusals: 10, reopenings: 3, feesUsd: '1000' },
};

const LOOK_ONLY: MandateBody = { ...SMALL_AND_ASKED, kinds: [], reduceOnly: true };

const TERMS: Readonly<Record<PresetName, MandateBody>> = {
  look_only: LOOK_ONLY,
  play_money: PLAY_MONEY,
  small_and_asked: SMALL_AND_ASKED,
  own_numbers: SMALL_AND_ASKED,
};

export interface PresetAccount {
  readonly id: string;
  readonly mode: 'PAPER' | 'LIVE';
}

/**
 * The terms of a preset for a user: paper accounts only, since real money is a decision of its own, and a week.
 * @param now epoch ms
 */
export function presetMandate(
  name: PresetName,
  accounts: readonly PresetAccount[],
  now: number,
): MandateBody {
  return {
    ...TERMS[name],
    accounts: name === 'look_only' ? [] : accounts.filter(({ mode }) => mode === 'PAPER').map(({ id }) => id),
    validUntil: new Date(now + PROPOSED_DAYS * DAY_MS).toISOString(),
  };
}

/** Proposal of a client that names none, with the terms of `Small orders, asks before larger ones`. */
export function proposedMandate(
  proposal: MandateProposal,
  accounts: readonly PresetAccount[],
  now: number,
): MandateBody {
  return {
    ...presetMandate('small_and_asked', accounts, now),
    ...(Object.fromEntries(
      Object.entries(proposal).filter(([, value]) => value !== undefined),
    ) as Partial<MandateBody>),
  };
}
