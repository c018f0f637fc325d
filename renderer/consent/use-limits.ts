/**
 * Limits in money of an agent that may trade: a preset, the agent's own proposal or the person's numbers, on the
 * accounts that are ticked. The gateway puts each choice into sentences; only what stands there in words can be allowed.
 */
import { useEffect, useState } from 'react';
import type { MandateBody } from '../../gateway/contract/mandate.ts';
import type { InteractionTermsBody } from '../../gateway/contract/oauth.ts';
import { type FieldIssue, refusedFields } from '../features/field-errors/field-errors.ts';
import { draftOf, type MandateDraft, termsOf } from '../features/mandate-form/mandate-form.ts';
import { call } from './interaction-api.ts';
import { uid } from './start-page.tsx';

const TYPING_MS = 200;
export type Preset = 'play_money' | 'small_and_asked' | 'proposal' | 'own_numbers';
const ORDER: readonly Preset[] = ['play_money', 'small_and_asked', 'proposal', 'own_numbers'];

interface Choice {
  readonly preset: Preset;
  /** Limits of the preset, with parts that the form does not show. */
  readonly base: MandateBody;
  /** Its accounts are those that are ticked, whichever preset they are for. */
  readonly draft: MandateDraft;
  /** Pause before the gateway is asked for the sentences. */
  readonly afterMs: number;
}

/** Accounts that the preset can be for. */
export function accountsFor(preset: Preset, { accounts }: InteractionTermsBody) {
  return accounts.filter(({ money }) => preset !== 'play_money' || money === 'PAPER');
}

/** Presets that the request has, with their titles and limits. */
export function offeredPresets({ presets, proposal }: InteractionTermsBody) {
  const proposed = { name: 'proposal', title: 'What it asks for', mandate: proposal?.mandate };
  return ORDER.flatMap((value) => {
    const found = [...presets, proposed].find(({ name }) => name === value);
    return found?.mandate === undefined ? [] : [{ value, label: found.title, mandate: found.mandate }];
  });
}

/**
 * @param trades false: the agent may only read, so there are no limits to say
 * @param onRefused for refusals that are not about a field
 */
export function useLimits(
  terms: InteractionTermsBody,
  trades: boolean,
  onRefused: (error: unknown) => Promise<void>,
) {
  const [now] = useState(() => Date.now());
  const chosen = (preset: Preset, accounts: readonly string[]): Choice => {
    const base = offeredPresets(terms).find(({ value }) => value === preset)?.mandate;
    if (base === undefined) throw new Error(`The gateway offers no limits ${preset}`);
    return { preset, base, draft: { ...draftOf(base, now), accounts }, afterMs: 0 };
  };
  const [choice, setChoice] = useState(() => chosen('play_money', idsOf(accountsFor('play_money', terms))));
  /** Last answer about sentences, and the choice that it is about. */
  const [said, setSaid] = useState<{
    readonly choice: Choice;
    readonly mandate: MandateBody;
    readonly sentences: readonly string[];
  } | null>(null);
  const [issues, setIssues] = useState<readonly FieldIssue[]>([]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks for each choice once
  useEffect(() => {
    if (!trades) return;
    let isCurrent = true;
    async function say({ preset, base, draft }: Choice): Promise<void> {
      const accounts = idsOf(accountsFor(preset, terms)).filter((id) => draft.accounts.includes(id));
      const mandate = termsOf(base, { ...draft, accounts }, now);
      const body = { mandate, ...(preset === 'proposal' ? { asProposed: true as const } : {}) };
      // Something else may be chosen meanwhile, and its own words be on their way.
      try {
        const answer = await call('POST /interaction/{uid}/terms', { params: { uid }, body });
        if (!isCurrent) return;
        setIssues([]);
        setSaid({ choice, ...answer });
      } catch (error) {
        if (!isCurrent) return;
        const fields = refusedFields(error);
        if (fields.length === 0) return onRefused(error);
        setIssues(fields.map(({ path, message }) => ({ path: path.replace(/^mandate\./, ''), message })));
        setSaid(null);
      }
    }
    const timer = setTimeout(() => void say(choice), choice.afterMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [choice, trades]);

  const isSaid = said?.choice === choice;
  return {
    preset: choice.preset,
    draft: choice.draft,
    issues,
    sentences: said?.sentences ?? [],
    /** Mandate whose sentences are shown; null: none is, so none can be allowed. */
    said: isSaid ? said.mandate : null,
    /** Another object after each change of what can be allowed. */
    content: isSaid ? said : choice,
    choose: (preset: Preset) => {
      setIssues([]);
      setChoice(chosen(preset, choice.draft.accounts));
    },
    change: (draft: MandateDraft) => setChoice({ ...choice, draft, afterMs: TYPING_MS }),
  };
}

const idsOf = (accounts: InteractionTermsBody['accounts']) => accounts.map(({ id }) => id);
