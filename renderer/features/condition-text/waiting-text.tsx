/** Condition that a trigger waits for, in the same words wherever triggers are listed. */
import { useMemo } from 'react';
import { useTicker } from '../../api/market.ts';
import { useSettings } from '../../api/settings.ts';
import { formatLevel } from '../../components/format.ts';
import { keptTogether, type Trigger, waitingText } from './condition-text.ts';

/** A level in words about a condition. */
export function useLevelText(): (value: string) => string {
  const settings = useSettings();
  return useMemo(() => (value) => formatLevel(settings, value), [settings]);
}

export function WaitingText({ trigger }: { readonly trigger: Trigger }) {
  return <>{keptTogether(waitingText(trigger, useTicker(), useLevelText()))}</>;
}
